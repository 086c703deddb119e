// Licensed under the MIT License. See LICENSE.

private import Synchronization

/// The accounts as the identity broker described them last, so that a request for a token needs one call instead of two.
final class BrokerAccountMemory: Sendable {
    private let accounts = Mutex<[String: BrokerAccount]>([:])
    /// A device has few users.
    private let capacity = 64

    subscript(homeAccountID: String) -> BrokerAccount? {
        accounts.withLock { $0[homeAccountID.normalizedKey] }
    }

    func remember(_ account: BrokerAccount) {
        accounts.withLock { accounts in
            if accounts.count >= capacity { accounts.removeAll() }
            accounts[account.homeAccountID.normalizedKey] = account
        }
    }

    func forget(homeAccountID: String) {
        _ = accounts.withLock { $0.removeValue(forKey: homeAccountID.normalizedKey) }
    }
}
