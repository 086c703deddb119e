// Licensed under the MIT License. See LICENSE.

package import SealedStore

extension TokenCache {
    /// Deletes an access token, unless another one has replaced it meanwhile.
    func remove(_ token: AccessTokenRecord) throws(StoreError) {
        try store.write(.normal) { (transaction) throws(StoreError) in try transaction.delete(token) }
    }

    /// Deletes a refresh token that the service rejected, unless another process has rotated it meanwhile
    /// (docs/reference/Store.md#compare-before-delete).
    func remove(_ token: RefreshTokenRecord) throws(StoreError) {
        try store.write(.full) { (transaction) throws(StoreError) in
            guard case .refreshToken(let held) = try transaction.record(token.identity),
                held.secret == token.secret
            else { return }
            try transaction.delete(token.identity)
        }
    }

    /// Removes an account that no longer exists in the directory. Deletes this client's tokens, the account records,
    /// and the account's metadata (`user_account_deleted`, docs/reference/Silent.md#refusals).
    func removeAccountOfDeletedUser(homeAccountID: String) throws(StoreError) {
        try store.write(.full) { (transaction) throws(StoreError) in
            try transaction.deleteCredentials(homeAccountID: homeAccountID, clientID: clientID)
            try transaction.delete(RecordFilter(.account, homeAccountID: homeAccountID))
            try transaction.deleteAccountMetadata(clientID: clientID, homeAccountID: homeAccountID)
        }
    }

    /// Records that this client is in no family because the service rejected a family token from it
    /// (`client_mismatch`).
    func markNotInFamily(environment: String, environments: [String]) throws(StoreError) {
        try store.write(.normal) { (transaction) throws(StoreError) in
            try transaction.setFamily("", clientID: clientID, environment: environment, aliases: environments)
        }
    }

    /// Signs an account out of this client (docs/reference/Protocol.md#sign-out). Deletes the account's tokens for all
    /// realms and environments, and records the sign-out. App metadata stays. The account records stay while another
    /// client has a token of the account, or has signed it in through a broker. After the last client, the names are
    /// also deleted.
    ///
    /// A family refresh token is deleted only if this client saved it last. An unknown account is not an error.
    ///
    /// `wipeAccount`: Whether to also delete the tokens of all other clients, and to delete the names in any case.
    package func signOut(homeAccountID: String, wipeAccount: Bool) throws(StoreError) {
        try store.write(.full) { (transaction) throws(StoreError) in
            try transaction.deleteCredentials(homeAccountID: homeAccountID, clientID: wipeAccount ? nil : clientID)
            try transaction.setAccountMetadata(
                AccountMetadata(signInState: .signedOut),
                clientID: clientID,
                homeAccountID: homeAccountID
            )
            try transaction.forgetNamesUnlessUsed(homeAccountID: homeAccountID, isWiped: wipeAccount)
        }
    }

    /// Deletes the names of all accounts for which no client has a token or a sign-in, which an import or an older
    /// sign-out may leave.
    package func forgetUnusedNames() throws(StoreError) {
        try store.write(.full) { (transaction) throws(StoreError) in
            let accounts = Set(
                try transaction.accountRecords(RecordFilter(.account)).map(\.homeAccountID.normalizedKey)
            )
            for account in accounts { try transaction.forgetNamesUnlessUsed(homeAccountID: account) }
        }
    }

    /// Deletes everything: all accounts and clients of the group, their metadata, and older copies of the store.
    package func wipe() throws(StoreError) { try store.wipe() }
}

extension TokenStoreWriting {
    /// Deletes an access token, unless another one has replaced it meanwhile.
    func delete(_ token: AccessTokenRecord) throws(StoreError) {
        guard case .accessToken(let held) = try record(token.identity), held.secret == token.secret else { return }
        try delete(token.identity)
    }

    fileprivate func deleteAccountMetadata(clientID: String, homeAccountID: String) throws(StoreError) {
        try delete(AccountMetadataRecord(clientID: clientID, homeAccountID: homeAccountID).identity)
        var shared = try clientMetadata(clientID)
        guard shared.accounts.removeValue(forKey: homeAccountID.normalizedKey) != nil else { return }
        try save(.accountMetadata(shared))
    }

    /// Deletes the account records if no client has a token of the account. Also deletes the user name that the
    /// clients' metadata has next to the identifier. If a client has signed the account in through a broker, the names
    /// stay because the broker has the tokens.
    ///
    /// `isWiped`: Whether the account is removed for all clients, even those that signed it in through a broker.
    func forgetNamesUnlessUsed(homeAccountID: String, isWiped: Bool = false) throws(StoreError) {
        for kind in [RecordKind.refreshToken, .accessToken, .idToken] {
            guard try records(RecordFilter(kind, homeAccountID: homeAccountID)).isEmpty else { return }
        }
        let notes = try records(RecordFilter(.accountMetadata))
        if !isWiped {
            let account = homeAccountID.normalizedKey
            let isSignedIn = notes.contains { record in
                guard case .accountMetadata(let metadata) = record else { return false }
                return metadata.accounts[account]?.signInState == .signedIn
            }
            guard !isSignedIn else { return }
        }
        try delete(RecordFilter(.account, homeAccountID: homeAccountID))
        for case .accountMetadata(var metadata) in notes {
            guard metadata.principalUsername != nil,
                metadata.principalHomeAccountID?.normalizedKey == homeAccountID.normalizedKey
            else { continue }
            metadata.principalUsername = nil
            try save(.accountMetadata(metadata))
        }
    }

    /// Deletes the tokens of one account or of all accounts, for one client or for all. Also deletes tokens with
    /// requested claims.
    func deleteCredentials(homeAccountID: String?, clientID: String?) throws(StoreError) {
        for kind in [RecordKind.accessToken, .refreshToken, .idToken] {
            try delete(RecordFilter(kind, homeAccountID: homeAccountID, clientID: clientID))
        }
    }
}
