// Licensed under the MIT License. See LICENSE.

import SealedStore

/// A user in the cache: all records with one home account ID.
package struct CachedAccount: Sendable, Hashable {
    let homeAccountID: String
    /// The user name in the home tenant if it is known, otherwise the first user name in the records.
    let username: String?
    let environment: String
    /// The records of the account, one for each tenant, with the home tenant's first.
    let records: [AccountRecord]
    /// This client's ID tokens by realm. Empty if the account is known only through the family.
    let idTokens: [String: IDTokenRecord]
    /// Whether this client can use the account only through a family refresh token. In that case, the account's claims
    /// belong to other clients and are not shown (docs/reference/Protocol.md#accounts).
    let isFamilyOnly: Bool
    /// Whether the machine's identity broker has the account's tokens: this client signed the account in, but has no ID
    /// token of it. Every sign-in without a broker leaves an ID token.
    let isBrokers: Bool

    /// `client_info` as received, from any record that has it. It is the same in all tenants.
    var clientInfo: String? { records.lazy.compactMap(\.clientInfo).first }
}

extension TokenCache {
    /// The accounts that this client may show (docs/reference/Protocol.md#accounts), sorted by home account ID.
    ///
    /// `environments`: The hosts to include; `nil` for all hosts. `onlySignedIn`: Whether to omit accounts that the
    /// client signed out, and accounts for which it cannot get tokens.
    func accounts(environments: [String]?, onlySignedIn: Bool) throws(StoreError) -> [CachedAccount] {
        let accounts = try store.read { (store) throws(StoreError) -> [CachedAccount] in
            try store.accounts(clientID: clientID, environments: environments, onlySignedIn: onlySignedIn)
        }
        return accounts.sorted { $0.homeAccountID < $1.homeAccountID }
    }
}

extension TokenStoreReading {
    /// The accounts that a client may show; see ``TokenCache/accounts(environments:onlySignedIn:)``.
    func accounts(clientID: String, environments: [String]?, onlySignedIn: Bool) throws(StoreError) -> [CachedAccount] {
        let records = try accountRecords(RecordFilter(.account, environments: environments))
        guard !records.isEmpty else { return [] }
        let groups = Dictionary(grouping: records, by: \.homeAccountID)
        let usable = try UsableAccounts(
            self,
            clientID: clientID,
            accounts: Array(groups.keys),
            states: try accountMetadata(clientID: clientID).mapValues(\.signInState)
        )
        // All ID tokens are read in one pass. A query for each account would cost more than reading some unnecessary
        // tokens.
        let tokens = Dictionary(
            grouping: try idTokens(RecordFilter(.idToken, clientID: clientID, environments: environments)),
            by: \.homeAccountID
        )
        return groups.compactMap { homeAccountID, records in
            if onlySignedIn && !usable.isShown(homeAccountID) { return nil }
            return CachedAccount(
                records,
                idTokens: tokens[homeAccountID] ?? [],
                isFamilyOnly: !usable.isOwn(homeAccountID),
                isSignedIn: usable.isSignedIn(homeAccountID)
            )
        }
    }

    /// The account with this identifier; `nil` if the client may not show it. Reads only its own records.
    func account(_ homeAccountID: String, clientID: String, onlySignedIn: Bool) throws(StoreError) -> CachedAccount? {
        let records = try accountRecords(RecordFilter(.account, homeAccountID: homeAccountID))
        guard let homeAccountID = records.first?.homeAccountID else { return nil }
        let state = try accountMetadata(clientID: clientID, homeAccountID: homeAccountID)?.signInState
        let usable = try UsableAccounts(
            self,
            clientID: clientID,
            accounts: [homeAccountID],
            states: [homeAccountID: state ?? .unknown]
        )
        if onlySignedIn && !usable.isShown(homeAccountID) { return nil }
        let idTokens = try idTokens(RecordFilter(.idToken, homeAccountID: homeAccountID, clientID: clientID))
        return CachedAccount(
            records,
            idTokens: idTokens,
            isFamilyOnly: !usable.isOwn(homeAccountID),
            isSignedIn: usable.isSignedIn(homeAccountID)
        )
    }

    /// Two of the signed-in accounts, or all if there are fewer. In most cases, reads only the records of those two.
    func twoSignedInAccounts(clientID: String) throws(StoreError) -> [CachedAccount] {
        var found: [CachedAccount] = []
        func take(_ homeAccountID: String) throws(StoreError) {
            guard found.count < 2, !found.contains(where: { $0.homeAccountID == homeAccountID }) else { return }
            if let account = try account(homeAccountID, clientID: clientID, onlySignedIn: true) {
                found.append(account)
            }
        }
        // The accounts that are recorded as signed in come first.
        let noted = try records(RecordFilter(.accountMetadata, clientID: clientID).first(8))
        for case .accountMetadata(let metadata) in noted {
            guard let homeAccountID = metadata.homeAccountID,
                metadata.accounts[homeAccountID]?.signInState == .signedIn
            else { continue }
            try take(homeAccountID)
        }
        if found.count == 2 { return found }
        // The other accounts come next because an import does not record a sign-in.
        let first = try accountRecords(RecordFilter(.account).first(8))
        for record in first { try take(record.homeAccountID) }
        if found.count == 2 { return found }
        // If there are fewer records than requested, these are all, unless some of the first records could not be read.
        if first.count < 8, try accountRecords(RecordFilter(.account).first(64)).count == first.count { return found }
        let all = try accounts(clientID: clientID, environments: nil, onlySignedIn: true)
        return Array(all.prefix(2))
    }
}

extension CachedAccount {
    /// `records` must not be empty, and all must have the same home account ID.
    fileprivate init(_ records: [AccountRecord], idTokens: [IDTokenRecord], isFamilyOnly: Bool, isSignedIn: Bool) {
        var sorted = records
        if records.count > 1 {
            sorted.sort {
                guard $0.isHomeTenant == $1.isHomeTenant else { return $0.isHomeTenant }
                return ($0.realm, $0.environment) < ($1.realm, $1.environment)
            }
        }
        homeAccountID = sorted.first?.homeAccountID ?? ""
        username = sorted.lazy.compactMap(\.username).first { !$0.isEmpty }
        environment = sorted.first?.environment ?? ""
        // Records of alias environments become one profile for each tenant. If there are several, the first record is
        // used.
        var realms: Set<String> = []
        if sorted.count > 1 { sorted = sorted.filter { realms.insert($0.realm).inserted } }
        self.records = sorted
        let own = isFamilyOnly ? [] : idTokens
        self.idTokens = Dictionary(own.map { ($0.realm, $0) }, uniquingKeysWith: { first, _ in first })
        self.isFamilyOnly = isFamilyOnly
        isBrokers = isSignedIn && idTokens.isEmpty
    }
}

/// The accounts for which a client can get tokens without user interaction.
private struct UsableAccounts {
    private let states: [String: SignInState]
    private var withOwnToken: Set<String> = []
    private var withFamilyToken: Set<String> = []

    /// `states`: The client's states of these accounts. For an account without the state "signed in", the refresh
    /// tokens decide.
    init(
        _ store: any TokenStoreReading,
        clientID: String,
        accounts: [String],
        states: [String: SignInState]
    ) throws(StoreError) {
        self.states = states
        let open = accounts.filter { states[$0] != .signedIn }
        guard !open.isEmpty else { return }
        withOwnToken = try store.accounts(open, withRefreshTokenOf: .client(clientID))
        let others = open.filter { !withOwnToken.contains($0) }
        if !others.isEmpty, let familyID = try store.family(of: clientID, environments: nil) {
            withFamilyToken = try store.accounts(others, withRefreshTokenOf: .family(familyID))
        }
    }

    func isShown(_ homeAccountID: String) -> Bool {
        switch states[homeAccountID] ?? .unknown {
        case .signedOut: false
        case .signedIn: true
        case .unknown: withOwnToken.contains(homeAccountID) || withFamilyToken.contains(homeAccountID)
        }
    }

    /// Whether the client has recorded that the account is signed in.
    func isSignedIn(_ homeAccountID: String) -> Bool { states[homeAccountID] == .signedIn }

    /// Whether the client itself signed the account in.
    func isOwn(_ homeAccountID: String) -> Bool {
        withOwnToken.contains(homeAccountID) || states[homeAccountID] == .signedIn
    }
}
