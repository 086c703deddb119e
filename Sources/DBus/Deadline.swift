// Licensed under the MIT License. See LICENSE.

/// The end of a wait, by time or by cancellation.
package struct Deadline: Sendable {
    private let end: ContinuousClock.Instant
    /// Called about every 50 ms during a wait. `true` ends the wait with `.canceled`.
    private let isCanceled: @Sendable () -> Bool

    package init(after time: Duration, isCanceled: @escaping @Sendable () -> Bool = { false }) {
        end = .now + time
        self.isCanceled = isCanceled
    }

    /// The milliseconds to wait before the next look at the clock and at `isCanceled`.
    ///
    /// Throws `.timedOut` or `.canceled` when there are none.
    func slice() throws(DBusError) -> Int32 {
        if isCanceled() { throw DBusError(.canceled, message: "The call was cancelled.") }
        let left = ContinuousClock.now.duration(to: end)
        guard left > .zero else { throw DBusError(.timedOut, message: "The session bus brought no response in time.") }
        return left > .milliseconds(50) ? 50 : Int32(left / .milliseconds(1)) + 1
    }
}
