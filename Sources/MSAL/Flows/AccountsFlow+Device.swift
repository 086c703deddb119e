// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore
import SealedStore

/// The accounts of the store together with those of the device (docs/reference/Broker.md#accounts).
extension AccountsFlow {
    /// The accounts that fit `filter`, by user name: those of the store and those of the broker. Accounts of the broker
    /// that this client signed out are left out where only signed-in ones are wanted.
    ///
    /// - Throws: `.store` if the store cannot be read; what the broker reports.
    package func ofDevice(_ filter: AccountFilter) async throws(AuthError) -> [AccountSnapshot] {
        guard let listed = try await accountsOfDevice() else { return try await read(filter) }
        return try await accounts(filter, with: listed)
    }

    /// The account that is signed in now, in this client or on the device, and the account before it.
    ///
    /// - Throws: `.ambiguousAccount` if several are signed in: let the user choose; `.store` if the store cannot be read;
    ///   what the broker reports.
    package func currentOfDevice() async throws(AuthError) -> (AccountSnapshot?, PrincipalAccount?) {
        guard let listed = try await accountsOfDevice() else { return try await readCurrent() }
        return try await currentAccount(with: listed)
    }

    /// The accounts of the broker; `nil` if no broker may be used or is available.
    private func accountsOfDevice() async throws(AuthError) -> [BrokerAccount]? {
        guard await access.isAvailable(for: authority) else { return nil }
        do throws(BrokerFailure) {
            return try await access.listedAccounts(for: authority, correlationID: Log.correlationID ?? .random())
        } catch {
            guard error.kind.leavesToOthers else { throw AuthError(error) }
            Log.info("The identity broker was not asked for its accounts: \(error.message)")
            return nil
        }
    }

    @concurrent private func accounts(
        _ filter: AccountFilter,
        with listed: [BrokerAccount]
    ) async throws(AuthError) -> [AccountSnapshot] {
        try await store.prepare(for: .reading)
        let own = try all(filter)
        let gone = own.filter { $0.isBrokers && listed.account($0.homeAccountID) == nil }
        gone.forEach(forgetRemoved)
        return try union(own.filter { !gone.contains($0) }, with: listed, onlySignedIn: filter.onlySignedIn)
            .filter { filter.accepts($0) }
            .byName
    }

    @concurrent private func currentAccount(
        with listed: [BrokerAccount]
    ) async throws(AuthError) -> (AccountSnapshot?, PrincipalAccount?) {
        try await store.prepare(for: .reading)
        // The names are read here, because the next call may forget them.
        let (_, remembered) = try store.run { _ throws(StoreError) in try signedInAccounts() }
        let all = try await accounts(AccountFilter(), with: listed)
        guard all.count <= 1 else { throw Self.severalAccounts }
        return changed(to: all.first, from: remembered)
    }

    /// The accounts of the store, followed by those of the broker that are not among them.
    private func union(
        _ own: [AccountSnapshot],
        with listed: [BrokerAccount],
        onlySignedIn: Bool
    ) throws(AuthError) -> [AccountSnapshot] {
        var all = own.map { account in
            var account = account
            account.isBrokers = listed.account(account.homeAccountID) != nil
            return account
        }
        let environment = authorities.environments(for: authority).cache
        for account in listed {
            let snapshot = account.snapshot(environment: environment)
            guard !all.contains(where: { $0.homeAccountID == snapshot.homeAccountID }) else { continue }
            if onlySignedIn {
                let metadata = try store.run { (cache) throws(StoreError) in
                    try cache.metadata(homeAccountID: snapshot.homeAccountID)
                }
                if metadata?.signInState == .signedOut { continue }
            }
            all.append(snapshot)
        }
        return all
    }

    /// Forgets an account that the broker had and has no more: another app signed it out of the device, or the device left
    /// its tenant. It is not noted as signed out of this app, so that it is back when the device has it again.
    private func forgetRemoved(_ account: AccountSnapshot) {
        memory.forget(homeAccountID: account.homeAccountID)
        access.known.forget(homeAccountID: account.homeAccountID)
        do {
            try store.cache.forgetSignIn(homeAccountID: account.homeAccountID)
        } catch {
            Log.warning("An account that is no longer on the device could not be removed: \(error.message)")
        }
    }
}
