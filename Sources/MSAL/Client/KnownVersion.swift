// Licensed under the MIT License. See LICENSE.

import SealedStore
private import Synchronization

/// The version from which something was made that is remembered, and when it was last found to be the present one.
final class KnownVersion: Sendable {
    let version: AccountVersion
    private let counter: Atomic<Int64>

    /// `counter`: The store's change counter, read before the version. A commit in between then only costs another look.
    init(_ version: AccountVersion, at counter: Int64) {
        self.version = version
        self.counter = Atomic(counter)
    }

    /// Whether it is surely the present one.
    func isCurrent(at counter: Int64) -> Bool { self.counter.load(ordering: .relaxed) == counter }

    /// Notes that the version was read again and is the same.
    func confirm(at counter: Int64) { self.counter.store(counter, ordering: .relaxed) }
}
