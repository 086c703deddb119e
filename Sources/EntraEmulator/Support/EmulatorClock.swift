// Licensed under the MIT License. See LICENSE.

import Foundation
import Synchronization

/// The emulated time: the machine's clock plus an offset that tests change.
final class EmulatorClock: Sendable {
    private let offset = Mutex<TimeInterval>(0)

    /// How far the clock can be moved, in seconds: a century either way keeps every time within what integers and date
    /// formats hold.
    static let range = -3_155_760_000...3_155_760_000

    /// The emulated time; every lifetime is measured by it.
    var now: Date {
        Self.systemNow.addingTimeInterval(offset.withLock { $0 })
    }

    /// The machine's time, for certificates, which TLS checks against the real clock.
    static var systemNow: Date { Date() }

    /// Moves the clock; negative durations move it back.
    func advance(by duration: Duration) {
        let (least, most) = (TimeInterval(Self.range.lowerBound), TimeInterval(Self.range.upperBound))
        offset.withLock { $0 = min(max($0 + duration.seconds, least), most) }
    }

    /// Returns to the machine's time.
    func reset() {
        offset.withLock { $0 = 0 }
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
