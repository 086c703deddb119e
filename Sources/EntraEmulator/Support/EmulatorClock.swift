// Licensed under the MIT License. See LICENSE.

import Foundation
import Synchronization

/// The emulated time: the machine's clock plus an offset that tests change, or a time at which it stands still.
final class EmulatorClock: Sendable {
    private struct State {
        var offset: TimeInterval = 0
        /// The time at which the clock stands still, before the offset is added.
        var standstill: Date?
        /// How far the time differs for a client, by its id in lower case.
        var skews: [String: TimeInterval] = [:]
    }

    private let state = Mutex(State())

    /// How far the clock can be moved, in seconds. A century in either direction keeps every time within the range of
    /// integers and date formats.
    static let range = -3_155_760_000...3_155_760_000

    /// The dates that it can be set to: 2000 to 2199.
    static let dates = Date(timeIntervalSince1970: 946_684_800)...Date(timeIntervalSince1970: 7_258_118_399)

    /// The emulated time; every lifetime is measured by it.
    var now: Date {
        state.withLock { ($0.standstill ?? Self.systemNow).addingTimeInterval($0.offset) }
    }

    /// The emulated time for a client, whose clock may differ.
    ///
    /// `clientID`: Evaluated only if the clock of some client differs.
    func now(for clientID: @autoclosure () -> String?) -> Date {
        let skews = state.withLock { $0.skews }
        guard !skews.isEmpty, let id = clientID(), let skew = skews[id.lowercased()] else { return now }
        return now.addingTimeInterval(skew)
    }

    /// Lets the time of a client differ by this duration; zero ends the difference.
    func skew(_ clientID: String, by duration: Duration) {
        let (least, most) = (TimeInterval(Self.range.lowerBound), TimeInterval(Self.range.upperBound))
        let seconds = min(max(duration.seconds, least), most)
        state.withLock { $0.skews[clientID.lowercased()] = seconds == 0 ? nil : seconds }
    }

    /// How far the time differs for clients, in seconds, by their ids.
    var skews: [String: TimeInterval] { state.withLock { $0.skews } }

    /// Whether the clock stands still.
    var isFrozen: Bool { state.withLock { $0.standstill != nil } }

    /// The machine's time, for certificates, which TLS checks against the real clock.
    static var systemNow: Date { Date() }

    /// Moves the clock; negative durations move it back.
    func advance(by duration: Duration) {
        let (least, most) = (TimeInterval(Self.range.lowerBound), TimeInterval(Self.range.upperBound))
        state.withLock { $0.offset = min(max($0.offset + duration.seconds, least), most) }
    }

    /// Sets the clock. It goes on from there, or stands still if it did.
    func set(to date: Date) {
        state.withLock { state in
            state.offset = date.timeIntervalSince(state.standstill ?? Self.systemNow)
        }
    }

    /// Stops the clock, or lets it go on from where it stands.
    func freeze(_ isFrozen: Bool) {
        state.withLock { state in
            guard isFrozen != (state.standstill != nil) else { return }
            let now = Self.systemNow
            if let standstill = state.standstill {
                state.offset += standstill.timeIntervalSince(now)
                state.standstill = nil
            } else {
                state.standstill = now
            }
        }
    }

    /// Returns to the machine's time.
    func reset() {
        state.withLock { $0 = State() }
    }
}

extension Duration {
    /// The duration in seconds, with its fraction.
    var seconds: TimeInterval {
        let (whole, attoseconds) = components
        return TimeInterval(whole) + TimeInterval(attoseconds) / 1e18
    }

    /// Whole seconds, as lifetimes are written on the wire.
    var wholeSeconds: Int { Int(components.seconds) }
}
