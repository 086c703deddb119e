// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore
import SealedStore

extension NativeAuthClient {
    /// The signed-in user, read from the store only; `nil` if there is no such user or no ID token, or if the store
    /// cannot be read (docs/reference/NativeAuthentication.md#account).
    func userAccount() -> NativeAuth.UserAccount? {
        let environments = tokens.authorities.environments(for: tokens.configuration.authorityRules.configured).lookup
        let cached: [CachedAccount]
        do {
            cached = try tokens.cache.accounts(environments: environments, onlySignedIn: true)
        } catch {
            Log.warning("The signed-in account could not be read: \(error.message)")
            return nil
        }
        // Accounts of the family's other clients may precede the app's own.
        guard let account = cached.first(where: { !$0.isFamilyOnly }),
            let record = account.records.first, let idToken = account.idTokens[record.realm],
            IDTokenClaims(compact: idToken.secret.exposed) != nil
        else { return nil }
        return NativeAuth.UserAccount(
            account: AccountSnapshot(
                homeAccountID: account.homeAccountID,
                username: account.username ?? "",
                environment: account.environment,
                idToken: idToken.secret,
                clientInfo: account.clientInfo
            ),
            idToken: idToken.secret
        )
    }

    /// Removes the account and its tokens from this client, without contacting the service
    /// (docs/reference/NativeAuthentication.md#sign-out).
    func signOut(_ account: AccountReference) {
        do {
            try tokens.signOut.remove(account)
        } catch {
            Log.error("The account could not be removed: \(error.message)")
        }
    }
}
