// Licensed under the MIT License. See LICENSE.

private import Synchronization

/// Set once, when a task is cancelled, and asked from the thread that works for it.
final class CancelFlag: Sendable {
    private let state = Atomic(false)

    var isSet: Bool { state.load(ordering: .relaxed) }

    func set() { state.store(true, ordering: .relaxed) }
}
