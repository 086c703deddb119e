// Licensed under the MIT License. See LICENSE.

/// How long somebody is willing to wait.
package struct Deadline: Sendable {
    private let end: ContinuousClock.Instant
    /// Asked about every 50 ms while waiting; `true` ends the wait with `.canceled`.
    private let isCanceled: @Sendable () -> Bool

    package init(after time: Duration, isCanceled: @escaping @Sendable () -> Bool = { false }) {
        end = .now + time
        self.isCanceled = isCanceled
    }

    /// The milliseconds that may be waited before asking again.
    ///
    /// Throws `.timedOut` or `.canceled` when there are none.
    func slice() throws(DBusError) -> Int32 {
        if isCanceled() { throw DBusError(.canceled, "The call was cancelled.") }
        let left = ContinuousClock.now.duration(to: end)
        guard left > .zero else { throw DBusError(.timedOut, "No answer came over the session bus in time.") }
        return left > .milliseconds(50) ? 50 : Int32(left / .milliseconds(1)) + 1
    }
}
