// Licensed under the MIT License. See LICENSE.

private import Synchronization

/// Set once, such as when a task is cancelled, and asked from another thread.
package final class AtomicFlag: Sendable {
    private let state = Atomic(false)

    package init() {}

    package var isSet: Bool { state.load(ordering: .relaxed) }

    package func set() { state.store(true, ordering: .relaxed) }
}
