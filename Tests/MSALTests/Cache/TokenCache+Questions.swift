// Licensed under the MIT License. See LICENSE.

import Foundation
import SealedStore

@testable import MSAL

/// Lookups in separate transactions, for tests. A client makes them within larger transactions.
extension TokenCache {
    /// The account that was last the current one in single-account use.
    func principalAccount() throws(StoreError) -> PrincipalAccount? {
        let clientID = clientID
        return try store.read { (store) throws(StoreError) -> PrincipalAccount? in
            try store.principalAccount(clientID: clientID)
        }
    }

    /// Every refresh token to try for an account; see
    /// ``TokenStoreReading/refreshTokenCandidates(homeAccountID:clientID:environments:)``.
    func refreshTokenCandidates(
        homeAccountID: String,
        environments: [String]
    ) throws(StoreError) -> [RefreshTokenRecord] {
        let clientID = clientID
        return try store.read { (store) throws(StoreError) -> [RefreshTokenRecord] in
            try store.refreshTokenCandidates(
                homeAccountID: homeAccountID,
                clientID: clientID,
                environments: environments
            )
        }
    }
}
