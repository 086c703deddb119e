// Licensed under the MIT License. See LICENSE.

import MSALCore
import SealedStore

extension TokenStoreWriting {
    /// Stores an access token. It replaces every token of the same account, cloud, realm, client and type that has a
    /// scope in common with it. Requested claims and keys make no difference; OpenID Connect's scopes count.
    ///
    /// The new record keeps the client id as the old record spells it, because another library may have written the old
    /// record.
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

    /// Stores a refresh token. It replaces the one of the same account, cloud, and client or family.
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

    /// Stores an id token. It replaces the one of the same account, cloud, realm and client.
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

    /// Stores an account over the record with the same identity. Fields that the new record lacks are kept. A record that
    /// would not change is not written.
    ///
    /// `keepsUser`: Whether the user's names in the old record are kept too.
    func merge(_ account: AccountRecord, keepingUser keepsUser: Bool) throws(StoreError) {
        var merged = account
        if case .account(let older) = try record(account.identity) {
            merged = (keepsUser ? account.keepingUser(of: older) : account).merged(over: older)
            if merged == older { return }
        }
        try save(.account(merged))
    }

    /// Notes the family of a client; an empty text stands for no family. The note is written for `environment` and for
    /// every alias that has one already.
    func setFamily(
        _ familyID: String,
        clientID: String,
        environment: String,
        aliases: [String]
    ) throws(StoreError) {
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
