// Licensed under the MIT License. See LICENSE.

/// What an access token must be good for. Key parts are normalised once, here.
package struct AccessTokenQuery: Sendable, Hashable {
    package private(set) var homeAccountID: String
    /// The host asked for and its aliases, the preferred one first.
    package private(set) var environments: [String]
    /// The tenant; `nil` accepts any.
    package private(set) var realm: String?
    /// Realms that serve as well, after `realm`: the literal word of a tenantless authority (rule L2), the
    /// account's tenant id for B2C and CIAM (rule L3).
    package private(set) var alternativeRealms: [String]
    package let scopes: ScopeSet
    /// `Bearer`, `Pop`, ...; in lower case.
    package let tokenType: String
    /// The key a bound token must name; compared exactly.
    package let keyID: String?
    /// What separates app-only tokens of one app and tenant; `nil` for tokens without such a mark.
    package let extendedKey: String?

    /// The scopes in lower case, without OpenID Connect's own unless nothing else was asked for.
    ///
    /// Made when it is needed, which is rarely: queries are kept, by the thousand.
    var wantedScopes: Set<String> {
        let own = scopes.subtracting(.openID)
        return own.isEmpty ? scopes.normalized : own.normalized
    }

    package init(
        homeAccountID: String,
        environments: [String],
        realm: String?,
        alternativeRealms: [String] = [],
        scopes: ScopeSet,
        tokenType: String = "Bearer",
        keyID: String? = nil,
        extendedKey: String? = nil
    ) {
        self.homeAccountID = homeAccountID.normalizedKey
        self.environments = environments.normalizedKeys
        self.realm = realm?.normalizedKey
        self.alternativeRealms = alternativeRealms.normalizedKeys
        self.scopes = scopes
        self.tokenType = tokenType.normalizedKey
        self.keyID = keyID
        self.extendedKey = extendedKey
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.homeAccountID == right.homeAccountID
            && left.realm == right.realm
            && left.scopes == right.scopes
            && left.environments == right.environments
            && left.alternativeRealms == right.alternativeRealms
            && left.tokenType == right.tokenType
            && left.keyID == right.keyID
            && left.extendedKey == right.extendedKey
    }

    /// Hashes what tells queries of one process apart; the rest is left to `==`.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(homeAccountID)
        hasher.combine(realm)
        hasher.combine(scopes)
        hasher.combine(tokenType)
        hasher.combine(keyID)
    }

    /// The same query with the texts that it has in common with others, account and tenant, taken from `pool`.
    func sharingTexts(of pool: inout TextPool) -> AccessTokenQuery {
        var shared = self
        shared.homeAccountID = pool.shared(homeAccountID)
        shared.environments = pool.shared(environments)
        shared.realm = realm.map { pool.shared($0) }
        shared.alternativeRealms = pool.shared(alternativeRealms)
        return shared
    }

    /// The place of `realm` in the order of preference, lowest first.
    func rank(ofRealm realm: String) -> Int {
        guard let preferred = self.realm, preferred != realm else { return 0 }
        return (alternativeRealms.firstIndex(of: realm) ?? alternativeRealms.count) + 1
    }

    /// The records to look at. What they cannot express is in ``accepts(_:)``.
    func filter(clientID: String) -> RecordFilter {
        RecordFilter(
            .accessToken,
            homeAccountID: homeAccountID,
            clientID: clientID,
            environments: environments,
            realms: realm.map { [$0] + alternativeRealms },
            scopes: .containing(wantedScopes)
        )
    }

    /// Whether scheme, key and mark fit. Tokens that answer a claims request fit no query (decision T4).
    func accepts(_ token: AccessTokenRecord) -> Bool {
        token.tokenType.normalizedKey == tokenType
            && (keyID.map { $0 == token.keyID } ?? (tokenType != "bearer" || token.keyID == nil))
            && token.extendedKey == extendedKey
            && token.claimsKey.isEmpty
    }
}

/// An access token from the cache, with what a result needs beside it.
package struct AccessTokenHit: Sendable {
    /// What the token is good for at the time of the lookup (protocol 5.1, cases A to D).
    package enum State: Sendable, Hashable {
        /// Case A: serve it.
        case usable
        /// Case B: renew it; serve it if the service is unavailable.
        case refreshDue
        /// Case C: expired, but it may bridge an outage if the app opted in.
        case extended
        /// Case D: delete it and redeem a refresh token.
        case expired
    }

    package let token: AccessTokenRecord
    /// What belongs to the token, shared by all tokens of the account in its realm.
    let companions: TokenCompanions
    package var state: State
}

extension AccessTokenHit {
    /// The id token of the token's realm. May be missing (rule L1).
    package var idToken: Secret? { companions.idToken }
    /// The user's name in the account record of the token's realm, else the home tenant's, else any. May be missing
    /// (rule L1).
    package var username: String? { companions.username }
    /// The user's id in that record.
    package var localAccountID: String? { companions.localAccountID }
    /// `client_info` in that record.
    package var clientInfo: String? { companions.clientInfo }
}

/// What is needed of the records that stand beside an access token. An object, because many tokens have the same ones.
final class TokenCompanions: KeyedObject {
    let key: Key
    let idToken: Secret?
    let username: String?
    let localAccountID: String?
    let clientInfo: String?

    init(_ key: Key, _ idTokens: [IDTokenRecord], _ accounts: [AccountRecord]) {
        self.key = key
        let idToken =
            idTokens.first { $0.realm == key.realm && $0.environment == key.environment }
            ?? idTokens.first { $0.realm == key.realm }
        let account =
            accounts.first { $0.realm == key.realm } ?? accounts.first { $0.isHomeTenant } ?? accounts.first
        self.idToken = idToken?.secret
        username = account?.username
        localAccountID = account?.localAccountID
        clientInfo = account?.clientInfo
    }

    /// Whose they are.
    struct Key: Sendable, Hashable {
        let homeAccountID: String
        let environments: [String]
        /// Realm and environment of the token.
        let realm: String
        let environment: String
    }
}

extension AccessTokenQuery {
    /// Under what the companions of a token that was found are remembered.
    func companions(of token: AccessTokenRecord) -> TokenCompanions.Key {
        TokenCompanions.Key(
            homeAccountID: homeAccountID,
            environments: environments,
            realm: token.realm,
            environment: token.environment
        )
    }
}
