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

    /// The milliseconds to wait before checking the clock and `isCanceled` again.
    ///
    /// Throws `.timedOut` or `.canceled` when the wait is over.
    func slice() throws(DBusError) -> Int32 {
        if isCanceled() { throw DBusError(.canceled, message: "The call was canceled.") }
        let left = ContinuousClock.now.duration(to: end)
        guard left > .zero else { throw DBusError(.timedOut, message: "The session bus did not respond in time.") }
        return left > .milliseconds(50) ? 50 : Int32(left / .milliseconds(1)) + 1
    }
}
