// Licensed under the MIT License. See LICENSE.

private import Synchronization

/// Resumes a continuation exactly once, whatever the app does with the block it was given: its first answer counts,
/// and a block that is released unused counts as `nil`.
final class SingleAnswer<Value: Sendable>: Sendable {
    private let continuation: Mutex<CheckedContinuation<Value?, Never>?>

    init(_ continuation: CheckedContinuation<Value?, Never>) {
        self.continuation = Mutex(continuation)
    }

    deinit {
        give(nil)
    }

    /// Answers, if this is the first time.
    func give(_ value: Value?) {
        let waiting = continuation.withLock { current in
            defer { current = nil }
            return current
        }
        waiting?.resume(returning: value)
    }
}
