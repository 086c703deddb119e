// Licensed under the MIT License. See LICENSE.

import MSALCore
import MSALSupport
import SealedStore

/// A choice of accounts. All given members must fit, without regard to case.
package struct AccountFilter: Sendable {
    package var homeAccountID: String?
    package var username: String?
    /// The user's id in any of its tenants.
    package var tenantProfileID: String?
    /// Whether only accounts are meant for which this client can get tokens.
    package var onlySignedIn = true

    package init(
        homeAccountID: String? = nil,
        username: String? = nil,
        tenantProfileID: String? = nil,
        onlySignedIn: Bool = true
    ) {
        self.homeAccountID = homeAccountID
        self.username = username
        self.tenantProfileID = tenantProfileID
        self.onlySignedIn = onlySignedIn
    }
}

extension TokenClient {
    /// The accounts in the store that fit `filter`, by user name.
    ///
    /// - Throws: `.store` if the store cannot be read.
    /// - SeeAlso: docs/reference/Protocol.md#accounts.
    package func accounts(_ filter: AccountFilter = AccountFilter()) throws(AuthError) -> [AccountSnapshot] {
        let cached = try stored { () throws(StoreError) in
            try cache.accounts(environments: nil, onlySignedIn: filter.onlySignedIn)
        }
        return cached.map(snapshot).filter { filter.accepts($0) }
            .sorted { ($0.username, $0.homeAccountID) < ($1.username, $1.homeAccountID) }
    }

    /// The accounts that fit, read away from the caller's actor (docs/reference/Store.md#main-thread); see
    /// ``accounts(_:)``.
    @concurrent package func readAccounts(_ filter: AccountFilter) async throws(AuthError) -> [AccountSnapshot] {
        try await prepareStore(for: .reading)
        return try accounts(filter)
    }

    /// The current and the previous account, read away from the caller's actor; see ``currentAccount()``.
    @concurrent package func readCurrentAccount() async throws(AuthError) -> (AccountSnapshot?, PrincipalAccount?) {
        try await prepareStore(for: .reading)
        return try currentAccount()
    }

    /// The one account signed in, and the one that was before.
    ///
    /// - Throws: `.ambiguousAccount` if several are signed in: let the user choose one of ``accounts(_:)``.
    /// - SeeAlso: docs/reference/Protocol.md#current-account.
    package func currentAccount() throws(AuthError) -> (current: AccountSnapshot?, previous: PrincipalAccount?) {
        let all = try accounts()
        guard all.count <= 1 else {
            throw AuthError(.ambiguousAccount, message: "\(all.count) accounts are signed in; choose one of them.")
        }
        let remembered = try stored { () throws(StoreError) in try cache.principalAccount() }
        let current = all.first
        if current?.homeAccountID != remembered?.homeAccountID {
            do {
                try cache.setPrincipalAccount(
                    current.map {
                        PrincipalAccount(
                            homeAccountID: $0.homeAccountID,
                            username: $0.username,
                            environment: $0.environment
                        )
                    }
                )
            } catch {
                Log.warning("The current account could not be remembered: \(error.message)")
            }
        }
        return (current, remembered?.homeAccountID == current?.homeAccountID ? nil : remembered)
    }

    private func snapshot(_ cached: CachedAccount) -> AccountSnapshot {
        let homeTenant = cached.homeAccountID.split(separator: ".").last.map(String.init)
        let profiles = cached.records.map { record in
            TenantProfileSnapshot(
                identifier: record.localAccountID,
                tenantID: record.realm,
                environment: record.environment,
                isHome: record.realm.lowercased() == homeTenant?.lowercased(),
                claims: cached.idTokens[record.realm].flatMap { memory.claims(of: $0.secret) }
            )
        }
        return AccountSnapshot(
            homeAccountID: cached.homeAccountID,
            username: cached.username ?? "",
            environment: cached.environment,
            claims: cached.isFamilyOnly ? nil : profiles.first { $0.isHome }?.claims,
            tenantProfiles: profiles,
            clientInfo: cached.clientInfo
        )
    }
}

extension AccountFilter {
    func accepts(_ account: AccountSnapshot) -> Bool {
        func isWanted(_ wanted: String?, amongst values: [String?]) -> Bool {
            guard let wanted else { return true }
            return values.contains { $0?.caseInsensitiveCompare(wanted) == .orderedSame }
        }
        return isWanted(homeAccountID, amongst: [account.homeAccountID])
            && isWanted(username, amongst: [account.username])
            && isWanted(tenantProfileID, amongst: account.tenantProfiles.map(\.identifier))
    }
}
