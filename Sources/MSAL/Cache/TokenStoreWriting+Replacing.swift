// Licensed under the MIT License. See LICENSE.

import SealedStore

extension TokenStoreWriting {
    /// Stores an access token. Replaces every token of the same account, cloud, realm, client, and type that has a
    /// scope in common with it, regardless of requested claims and keys. OpenID Connect's scopes also count.
    ///
    /// The new record keeps the client ID as spelled in the old record, which another library may have written.
    func replace(_ token: AccessTokenRecord, aliases: [String]) throws(StoreError) {
        var token = token
        let overlapping = try accessTokens(
            RecordFilter(
                .accessToken,
                homeAccountID: token.homeAccountID,
                clientID: token.clientID,
                environments: aliases + [token.environment],
                realms: [token.realm]
            )
            .with(.sharing(token.target.scopeKeys))
        )
        token.clientID = overlapping.first?.clientID ?? token.clientID
        let identity = token.identity
        for old in overlapping
        where old.identity != identity
            && old.tokenType.normalizedKey == token.tokenType.normalizedKey
            && old.applicationIdentifier == token.applicationIdentifier
        {
            try delete(old.identity)
        }
        try save(.accessToken(token))
    }

    /// Stores a refresh token. Replaces the one of the same account, cloud, and client or family.
    func replace(_ token: RefreshTokenRecord, aliases: [String]) throws(StoreError) {
        var token = token
        let older = try refreshTokens(
            RecordFilter(
                .refreshToken,
                homeAccountID: token.homeAccountID,
                clientID: token.familyID == nil ? token.clientID : nil,
                environments: aliases,
                familyID: token.familyID
            )
        )
        let clientID = token.clientID.normalizedKey
        token.clientID = older.map(\.clientID).first { $0.normalizedKey == clientID } ?? token.clientID
        for old in older where old.familyID == token.familyID && old.environment != token.environment {
            try delete(old.identity)
        }
        try save(.refreshToken(token))
    }

    /// Stores an ID token. Replaces the one of the same account, cloud, realm, and client.
    func replace(_ token: IDTokenRecord, aliases: [String]) throws(StoreError) {
        var token = token
        let older = try idTokens(
            RecordFilter(
                .idToken,
                homeAccountID: token.homeAccountID,
                clientID: token.clientID,
                environments: aliases,
                realms: [token.realm]
            )
        )
        token.clientID = older.first?.clientID ?? token.clientID
        for old in older where old.environment != token.environment { try delete(old.identity) }
        try save(.idToken(token))
    }

    /// Merges an account into the record with the same identity. Fields that the new record lacks are kept. An
    /// unchanged record is not written.
    ///
    /// `keepsUser`: Whether to keep the user's names in the old record, too.
    func merge(_ account: AccountRecord, keepingUser keepsUser: Bool) throws(StoreError) {
        var merged = account
        if case .account(let older) = try record(account.identity) {
            merged = (keepsUser ? account.keepingUser(of: older) : account).merged(over: older)
            if merged == older { return }
        }
        try save(.account(merged))
    }

    /// Records the family of a client; an empty text means no family. Writes to `environment` and to every alias that
    /// already has a record.
    func setFamily(_ familyID: String, clientID: String, environment: String, aliases: [String]) throws(StoreError) {
        var known = try appMetadata(RecordFilter(.appMetadata, clientID: clientID, environments: aliases))
        if !known.contains(where: { $0.environment == environment.normalizedKey }) {
            known.append(AppMetadataRecord(clientID: clientID, environment: environment, familyID: nil))
        }
        for var metadata in known where metadata.familyID != familyID {
            metadata.familyID = familyID
            try save(.appMetadata(metadata))
        }
    }
}
