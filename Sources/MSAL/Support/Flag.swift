// Licensed under the MIT License. See LICENSE.

private import Synchronization

/// Set once, such as when a task is cancelled, and asked from another thread.
final class Flag: Sendable {
    private let state = Atomic(false)

    var isSet: Bool { state.load(ordering: .relaxed) }

    func set() { state.store(true, ordering: .relaxed) }
}
