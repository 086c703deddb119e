// Licensed under the MIT License. See LICENSE.

import Foundation
import Synchronization

/// Users by the JSON of their rows. A token needs its user twice, and decoding takes longer than the look-up.
///
/// A row that changes has other bytes, so nothing in here is ever out of date.
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
