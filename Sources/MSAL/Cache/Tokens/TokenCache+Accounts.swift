// Licensed under the MIT License. See LICENSE.

package import SealedStore

/// A person in the cache: all records of one home account id.
package struct CachedAccount: Sendable, Hashable {
    package let homeAccountID: String
    /// The home tenant's user name if known, else the first one in the records.
    package let username: String?
    package let environment: String
    /// One per tenant, the home tenant first.
    package let records: [AccountRecord]
    /// This client's id tokens by realm. Empty if the account is known only through the family.
    package let idTokens: [String: IDTokenRecord]
    /// Whether only a family refresh token lets this client use the account. Its claims belong to other clients then
    /// and are not shown (docs/reference/Protocol.md#accounts).
    package let isFamilyOnly: Bool

    /// `client_info` as received, from any record that has it. It is the same in all tenants.
    package var clientInfo: String? { records.lazy.compactMap(\.clientInfo).first }
}

extension TokenCache {
    /// The accounts this client may show (docs/reference/Protocol.md#accounts), sorted by home account id.
    ///
    /// `environments`: Hosts to look at; `nil` for all.
    /// `onlySignedIn`: Leaves out accounts that the client signed out, and those for which it cannot get tokens.
    package func accounts(
        environments: [String]?,
        onlySignedIn: Bool
    ) throws(StoreError) -> [CachedAccount] {
        let clientID = clientID
        return try store.read { (store) throws(StoreError) -> [CachedAccount] in
            let records = try store.accountRecords(RecordFilter(.account, environments: environments))
            guard !records.isEmpty else { return [] }
            let usable = try UsableAccounts(store, clientID: clientID)
            // One pass over the id tokens: a query for each account costs more than reading a few too many.
            let tokens = Dictionary(
                grouping: try store.idTokens(
                    RecordFilter(.idToken, clientID: clientID, environments: environments)
                ),
                by: \.homeAccountID
            )
            let groups = Dictionary(grouping: records, by: \.homeAccountID)
            var accounts: [CachedAccount] = []
            for (homeAccountID, records) in groups.sorted(by: { $0.key < $1.key }) {
                if onlySignedIn && !usable.isShown(homeAccountID) { continue }
                let isFamilyOnly = !usable.isOwn(homeAccountID)
                accounts.append(
                    CachedAccount(records, idTokens: tokens[homeAccountID] ?? [], isFamilyOnly: isFamilyOnly)
                )
            }
            return accounts
        }
    }
}

extension CachedAccount {
    /// `records` holds at least one record; all have one home account id.
    fileprivate init(_ records: [AccountRecord], idTokens: [IDTokenRecord], isFamilyOnly: Bool) {
        let sorted = records.sorted {
            guard $0.isHomeTenant == $1.isHomeTenant else { return $0.isHomeTenant }
            return ($0.realm, $0.environment) < ($1.realm, $1.environment)
        }
        homeAccountID = sorted.first?.homeAccountID ?? ""
        username = sorted.lazy.compactMap(\.username).first { !$0.isEmpty }
        environment = sorted.first?.environment ?? ""
        // Records of alias environments become one profile for each tenant. The first record wins.
        var realms: Set<String> = []
        self.records = sorted.filter { realms.insert($0.realm).inserted }
        let own = isFamilyOnly ? [] : idTokens
        self.idTokens = Dictionary(own.map { ($0.realm, $0) }, uniquingKeysWith: { first, _ in first })
        self.isFamilyOnly = isFamilyOnly
    }
}

/// The accounts for which a client can get tokens without asking the user.
private struct UsableAccounts {
    private var states: [String: SignInState] = [:]
    private var withOwnToken: Set<String> = []
    private var withFamilyToken: Set<String> = []

    init(_ store: any TokenStoreReading, clientID: String) throws(StoreError) {
        states = try store.accountMetadata(clientID: clientID).mapValues(\.signInState)
        let own = try store.refreshTokens(RecordFilter(.refreshToken, clientID: clientID))
        withOwnToken = Set(own.filter { $0.familyID == nil }.map(\.homeAccountID))
        if let familyID = try store.family(of: clientID, environments: nil) {
            let family = try store.refreshTokens(RecordFilter(.refreshToken, familyID: familyID))
            withFamilyToken = Set(family.map(\.homeAccountID))
        }
    }

    func isShown(_ homeAccountID: String) -> Bool {
        switch states[homeAccountID] ?? .unknown {
        case .signedOut: false
        case .signedIn: true
        case .unknown: withOwnToken.contains(homeAccountID) || withFamilyToken.contains(homeAccountID)
        }
    }

    /// Whether the client signed the account in itself.
    func isOwn(_ homeAccountID: String) -> Bool {
        withOwnToken.contains(homeAccountID) || states[homeAccountID] == .signedIn
    }
}
