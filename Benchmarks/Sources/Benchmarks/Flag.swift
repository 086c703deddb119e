// Licensed under the MIT License. See LICENSE.

import Synchronization

/// A flag that one task sets and another reads.
final class Flag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .acquiring) }

    func set() { value.store(true, ordering: .releasing) }
}
