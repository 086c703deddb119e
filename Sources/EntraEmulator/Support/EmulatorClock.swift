// Licensed under the MIT License. See LICENSE.

import Foundation
import Synchronization

/// The emulated time: the machine's clock plus an offset that tests change, or a time at which it is stopped.
final class EmulatorClock: Sendable {
    private struct State {
        var offset: TimeInterval = 0
        /// The time at which the clock is stopped, before the offset is added.
        var frozenTime: Date?
        /// The clock skew of clients, by client ID in lower case.
        var skews: [String: TimeInterval] = [:]
    }

    private let state = Mutex(State())

    /// How far the clock can be moved, in seconds. A century in either direction keeps all times within the range of
    /// integers and date formats.
    static let range = -3_155_760_000...3_155_760_000

    /// The dates that the clock can be set to: 2000 to 2199.
    static let dates = Date(timeIntervalSince1970: 946_684_800)...Date(timeIntervalSince1970: 7_258_118_399)

    /// The emulated time, which determines all lifetimes.
    var now: Date { state.withLock { ($0.frozenTime ?? Self.systemNow).addingTimeInterval($0.offset) } }

    /// The emulated time for a client, which may have a clock skew.
    ///
    /// `clientID`: Only evaluated if there is a clock skew for any client.
    func now(for clientID: @autoclosure () -> String?) -> Date {
        let skews = state.withLock { $0.skews }
        guard !skews.isEmpty, let id = clientID(), let skew = skews[id.lowercased()] else { return now }
        return now.addingTimeInterval(skew)
    }

    /// Sets the clock skew of a client; zero removes it.
    func skew(_ clientID: String, by duration: Duration) {
        let (least, most) = (TimeInterval(Self.range.lowerBound), TimeInterval(Self.range.upperBound))
        let seconds = min(max(duration.seconds, least), most)
        state.withLock { $0.skews[clientID.lowercased()] = seconds == 0 ? nil : seconds }
    }

    /// The clock skews of clients in seconds, by client ID.
    var skews: [String: TimeInterval] { state.withLock { $0.skews } }

    /// Whether the clock is stopped.
    var isFrozen: Bool { state.withLock { $0.frozenTime != nil } }

    /// The machine's time, for certificates, which TLS validates against the real clock.
    static var systemNow: Date { Date() }

    /// Moves the clock; negative durations move it back.
    func advance(by duration: Duration) {
        let (least, most) = (TimeInterval(Self.range.lowerBound), TimeInterval(Self.range.upperBound))
        state.withLock { $0.offset = min(max($0.offset + duration.seconds, least), most) }
    }

    /// Sets the clock. It continues from there, or remains stopped.
    func set(to date: Date) {
        state.withLock { state in
            state.offset = date.timeIntervalSince(state.frozenTime ?? Self.systemNow)
        }
    }

    /// Stops the clock, or lets it continue.
    func freeze(_ isFrozen: Bool) {
        state.withLock { state in
            guard isFrozen != (state.frozenTime != nil) else { return }
            let now = Self.systemNow
            if let frozenTime = state.frozenTime {
                state.offset += frozenTime.timeIntervalSince(now)
                state.frozenTime = nil
            } else {
                state.frozenTime = now
            }
        }
    }

    /// Resets the clock to the machine's time.
    func reset() { state.withLock { $0 = State() } }
}

extension Duration {
    /// The duration in seconds, including the fraction.
    var seconds: TimeInterval {
        let (whole, attoseconds) = components
        return TimeInterval(whole) + TimeInterval(attoseconds) / 1e18
    }

    /// Whole seconds, as used for lifetimes on the wire.
    var wholeSeconds: Int { Int(components.seconds) }
}
