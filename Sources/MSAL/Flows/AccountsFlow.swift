// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore
import SealedStore

/// A choice of accounts. All given members must fit, without regard to case.
package struct AccountFilter: Sendable {
    package var homeAccountID: String?
    package var username: String?
    /// The user's ID in any of its tenants.
    package var tenantProfileID: String?
    /// Whether only accounts are meant for which this client can get tokens.
    package var onlySignedIn = true
}

/// Lists accounts: those of the store, and those of the device.
package struct AccountsFlow: Sendable {
    let authority: Authority
    let authorities: AuthorityResolver
    let store: ClientStore
    let memory: ClientMemory
    let access: BrokerAccess

    /// Changes with every commit to the store; `nil` if it cannot be read.
    var changeCounter: Int64? { try? store.cache.store.changeCounter() }

    /// The accounts in the store that fit `filter`, by user name.
    ///
    /// One account is found by an index, whether it is asked for by its identifier or by its name: no other account's
    /// records are read.
    ///
    /// - Throws: `.store` if the store cannot be read.
    /// - SeeAlso: docs/reference/Protocol.md#accounts.
    package func all(_ filter: AccountFilter = AccountFilter()) throws(AuthError) -> [AccountSnapshot] {
        do throws(StoreError) {
            guard let candidates = try indexedAccounts(filter) else {
                let all = try allAccounts(onlySignedIn: filter.onlySignedIn)
                return filter.choosesAll ? all : all.filter { filter.accepts($0) }
            }
            let found = candidates.filter { filter.accepts($0) }
            return found.count > 1 ? found.byName : found
        } catch {
            throw AuthError(error)
        }
    }

    /// The accounts that an index has under the identifier or the name; `nil` if it may not have all.
    private func indexedAccounts(_ filter: AccountFilter) throws(StoreError) -> [AccountSnapshot]? {
        if let homeAccountID = filter.homeAccountID, homeAccountID.utf8.allSatisfy({ $0 < 0x80 }) {
            let found = try account(homeAccountID.normalizedKey, onlySignedIn: filter.onlySignedIn)
            return found.map { [$0] } ?? []
        }
        // Without case, texts beyond ASCII may be equal in more ways than one.
        guard let username = filter.username, username.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let name = username.normalizedKey
        let onlySignedIn = filter.onlySignedIn
        let counter = try store.cache.store.changeCounter()
        if let known = memory.homeAccountIDs(named: name, at: counter) {
            var found: [AccountSnapshot] = []
            for homeAccountID in known {
                if let account = try account(homeAccountID, onlySignedIn: onlySignedIn) { found.append(account) }
            }
            return found
        }
        // One transaction finds the name and reads its accounts.
        let (homeAccountIDs, readings) = try store.cache.store.read {
            (store) throws(StoreError) -> ([String], [Reading]) in
            let found = try store.homeAccountIDs(username: name, environments: nil).filter { !$0.isEmpty }
            let readings = try found.map { (homeAccountID) throws(StoreError) in
                try reading(of: homeAccountID, onlySignedIn: onlySignedIn, at: counter, in: store)
            }
            return (found, readings)
        }
        memory.remember(homeAccountIDs, named: name, at: counter)
        return readings.compactMap { snapshot(of: $0, onlySignedIn: onlySignedIn, at: counter) }
    }

    /// One account, out of memory if its records are the same as before.
    ///
    /// `homeAccountID`: Normalized.
    private func account(_ homeAccountID: String, onlySignedIn: Bool) throws(StoreError) -> AccountSnapshot? {
        guard !homeAccountID.isEmpty else { return nil }
        let counter = try store.cache.store.changeCounter()
        if onlySignedIn, let remembered = memory.account(homeAccountID), let snapshot = remembered.snapshot,
            remembered.known.isCurrent(at: counter)
        {
            return snapshot
        }
        let reading = try store.cache.store.read { (store) throws(StoreError) -> Reading in
            try self.reading(of: homeAccountID, onlySignedIn: onlySignedIn, at: counter, in: store)
        }
        return snapshot(of: reading, onlySignedIn: onlySignedIn, at: counter)
    }

    /// What a transaction found for an account.
    private enum Reading {
        /// The records are those from which the account in memory was made.
        case same(RememberedAccount)
        case read(CachedAccount?, AccountVersion)
    }

    private func reading(
        of homeAccountID: String,
        onlySignedIn: Bool,
        at counter: Int64,
        in store: any TokenStoreReading
    ) throws(StoreError) -> Reading {
        let remembered = onlySignedIn ? memory.account(homeAccountID) : nil
        let known = remembered?.snapshot == nil ? nil : remembered
        if let known, known.known.isCurrent(at: counter) { return .same(known) }
        let version = try AccountVersion(of: homeAccountID, in: store)
        if let known, known.known.version == version { return .same(known) }
        let clientID = self.store.cache.clientID
        return .read(try store.account(homeAccountID, clientID: clientID, onlySignedIn: onlySignedIn), version)
    }

    /// The account that a transaction read. It is remembered.
    ///
    /// `counter`: The store's change counter before the transaction.
    private func snapshot(of reading: Reading, onlySignedIn: Bool, at counter: Int64) -> AccountSnapshot? {
        switch reading {
        case .same(let remembered):
            remembered.known.confirm(at: counter)
            return remembered.snapshot
        case .read(let account, let version):
            let snapshot = account.map(AccountSnapshot.init)
            if onlySignedIn, let snapshot { memory.remember(snapshot, version: version, at: counter) }
            return snapshot
        }
    }

    /// All accounts, by user name.
    private func allAccounts(onlySignedIn: Bool) throws(StoreError) -> [AccountSnapshot] {
        let clientID = store.cache.clientID
        let counter = try store.cache.store.changeCounter()
        if onlySignedIn, let known = memory.accounts(at: counter) { return known }
        let cached = try store.cache.store.read { (store) throws(StoreError) -> [CachedAccount] in
            try store.accounts(clientID: clientID, environments: nil, onlySignedIn: onlySignedIn)
        }
        let all = cached.map(AccountSnapshot.init).byName
        if onlySignedIn { memory.remember(all, at: counter) }
        return all
    }

    /// The accounts that fit, read away from the caller's actor (docs/reference/Store.md#main-thread); see
    /// ``all(_:)``.
    @concurrent package func read(_ filter: AccountFilter) async throws(AuthError) -> [AccountSnapshot] {
        try await store.prepare(for: .reading)
        return try all(filter)
    }

    /// The current and the previous account, read away from the caller's actor; see ``current()``.
    @concurrent package func readCurrent() async throws(AuthError) -> (AccountSnapshot?, PrincipalAccount?) {
        try await store.prepare(for: .reading)
        return try current()
    }

    /// The account that is signed in, and the account before it.
    ///
    /// - Throws: `.ambiguousAccount` if several are signed in: let the user choose one of ``all(_:)``.
    /// - SeeAlso: docs/reference/Protocol.md#current-account.
    package func current() throws(AuthError) -> (current: AccountSnapshot?, previous: PrincipalAccount?) {
        let (some, remembered) = try store.run { _ throws(StoreError) in try signedInAccounts() }
        guard some.count <= 1 else { throw Self.severalAccounts }
        return changed(to: some.first, from: remembered)
    }

    static var severalAccounts: AuthError {
        AuthError(.ambiguousAccount, message: "More than one account is signed in; choose one of them.")
    }

    /// Remembers the current account. Returns it, and the earlier one if that is another account.
    func changed(
        to current: AccountSnapshot?,
        from remembered: PrincipalAccount?
    ) -> (current: AccountSnapshot?, previous: PrincipalAccount?) {
        if current?.homeAccountID != remembered?.homeAccountID {
            do {
                try store.cache.setPrincipalAccount(
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

    /// Two of the accounts that are signed in, or all, if they are fewer; and the one that was current last.
    func signedInAccounts() throws(StoreError) -> ([AccountSnapshot], PrincipalAccount?) {
        let clientID = store.cache.clientID
        let counter = try store.cache.store.changeCounter()
        if let known = memory.signedIn(at: counter) { return (known.some, known.principal) }
        let (cached, principal) = try store.cache.store.read {
            (store) throws(StoreError) -> ([CachedAccount], PrincipalAccount?) in
            (try store.twoSignedInAccounts(clientID: clientID), try store.principalAccount(clientID: clientID))
        }
        let some = cached.map(AccountSnapshot.init)
        memory.remember(SignedInAccounts(some: some, principal: principal), at: counter)
        return (some, principal)
    }
}

extension AccountSnapshot {
    fileprivate init(_ cached: CachedAccount) {
        let homeTenant = cached.homeAccountID.parts(at: UInt8(ascii: ".")).last.map(String.init)
        let profiles = cached.records.map { record in
            TenantProfileSnapshot(
                identifier: record.localAccountID,
                tenantID: record.realm,
                environment: record.environment,
                isHome: record.realm == homeTenant,
                idToken: cached.idTokens[record.realm]?.secret
            )
        }
        self.init(
            homeAccountID: cached.homeAccountID,
            username: cached.username ?? "",
            environment: cached.environment,
            idToken: cached.isFamilyOnly ? nil : profiles.first { $0.isHome }?.idToken,
            tenantProfiles: profiles,
            clientInfo: cached.clientInfo,
            isBrokers: cached.isBrokers
        )
    }
}

extension [AccountSnapshot] {
    /// Sorted by user name.
    var byName: [AccountSnapshot] { sorted { ($0.username, $0.homeAccountID) < ($1.username, $1.homeAccountID) } }
}

extension AccountFilter {
    /// Whether every account fits.
    fileprivate var choosesAll: Bool { homeAccountID == nil && username == nil && tenantProfileID == nil }

    func accepts(_ account: AccountSnapshot) -> Bool {
        func isWanted(_ wanted: String?, amongst values: [String?]) -> Bool {
            guard let wanted else { return true }
            // Nearly always they are the same text, and Foundation's comparison takes longer than all the rest.
            return values.contains { $0 == wanted || $0?.caseInsensitiveCompare(wanted) == .orderedSame }
        }
        return isWanted(homeAccountID, amongst: [account.homeAccountID])
            && isWanted(username, amongst: [account.username])
            && isWanted(tenantProfileID, amongst: account.tenantProfiles.map(\.identifier))
    }
}
