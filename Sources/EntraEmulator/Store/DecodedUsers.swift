// Licensed under the MIT License. See LICENSE.

import Foundation
import Synchronization

/// Caches users by the JSON of their rows. A token requires its user twice, and decoding takes longer than the lookup.
///
/// A changed row has different bytes, so the cache is never outdated.
final class DecodedUsers: Sendable {
    private let users = Mutex<[Data: User]>([:])
    private static let limit = 1_000

    /// The user of a row.
    func user(_ json: Data) throws -> User {
        if let known = users.withLock({ $0[json] }) { return known }
        let user: User = try EmulatorStore.decode(json)
        users.withLock { users in
            if users.count >= Self.limit { users.removeAll(keepingCapacity: true) }
            users[json] = user
        }
        return user
    }
}
