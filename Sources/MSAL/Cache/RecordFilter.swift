// Licensed under the MIT License. See LICENSE.

/// Selects records by their key parts. A part that is `nil` does not restrict the selection.
package struct RecordFilter: Sendable, Hashable {
    /// Compares an access token's scopes with given ones. Both are in lowercase.
    package enum Scopes: Sendable, Hashable {
        /// The token has each of the given scopes.
        case containing(Set<String>)
        /// The token has at least one of the given scopes.
        case sharing(Set<String>)
    }

    let kind: RecordKind
    let homeAccountID: String?
    let clientID: String?
    let environments: [String]?
    let realms: [String]?
    /// Compared exactly.
    let familyID: String?
    /// The user name of an account record; other records have none.
    let username: String?
    private(set) var scopes: Scopes?
    /// The number of records that is sufficient. A store may return more. It returns fewer only if there are fewer, or
    /// if some of the first ones cannot be read.
    private(set) var most: Int?

    package init(
        _ kind: RecordKind,
        homeAccountID: String? = nil,
        clientID: String? = nil,
        environments: [String]? = nil,
        realms: [String]? = nil,
        familyID: String? = nil,
        username: String? = nil
    ) {
        self.kind = kind
        self.homeAccountID = homeAccountID?.normalizedKey
        self.clientID = clientID?.normalizedKey
        self.environments = environments?.map(\.normalizedKey)
        self.realms = realms?.map(\.normalizedKey)
        self.familyID = familyID
        self.username = username?.normalizedKey
    }

    /// This filter, restricted to access tokens with certain scopes.
    package func with(_ scopes: Scopes) -> RecordFilter {
        var copy = self
        copy.scopes = scopes
        return copy
    }

    /// This filter, limited to this number of records.
    package func first(_ count: Int) -> RecordFilter {
        var copy = self
        copy.most = count
        return copy
    }

    /// Whether `record` matches the filter.
    func matches(_ record: CacheRecord) -> Bool {
        // Most records are of another kind, and their keys need not be computed.
        guard record.kind == kind else { return false }
        let keys = record.keys
        return (homeAccountID == nil || homeAccountID == keys.homeAccountID)
            && (clientID == nil || clientID == keys.clientID)
            && (environments?.contains(keys.environment ?? "") ?? true)
            && (realms?.contains(keys.realm ?? "") ?? true)
            && (familyID == nil || familyID == keys.familyID)
            && matchesUsername(record)
            && matchesScopes(record)
    }

    private func matchesUsername(_ record: CacheRecord) -> Bool {
        guard let username else { return true }
        guard case .account(let account) = record else { return false }
        return account.username?.normalizedKey == username
    }

    private func matchesScopes(_ record: CacheRecord) -> Bool {
        guard let scopes else { return true }
        guard case .accessToken(let token) = record else { return false }
        switch scopes {
        case .containing(let wanted): return wanted.isSubset(of: token.target.scopeKeys)
        case .sharing(let wanted): return !wanted.isDisjoint(with: token.target.scopeKeys)
        }
    }
}
