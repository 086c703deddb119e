// Licensed under the MIT License. See LICENSE.

private import Synchronization

/// A flag that one thread sets once, for example on cancellation, and that other threads read.
package final class AtomicFlag: Sendable {
    private let state = Atomic(false)

    package init() {}

    package var isSet: Bool { state.load(ordering: .relaxed) }

    package func set() { state.store(true, ordering: .relaxed) }
}
