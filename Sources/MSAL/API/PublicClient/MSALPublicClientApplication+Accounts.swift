// Licensed under the MIT License. See LICENSE.

import Dispatch

extension MSALPublicClientApplication {
    /// The matching accounts in the store, and those of the app's own stores.
    func found(_ parameters: MSALAccountEnumerationParameters) throws(AuthError) -> [MSALAccount] {
        note(parameters)
        return all(try client().accounts.all(parameters.filter), for: parameters)
    }

    /// The matching account.
    ///
    /// - Throws: `.accountRequired` if there is none.
    func single(_ parameters: MSALAccountEnumerationParameters) throws(AuthError) -> MSALAccount {
        guard let account = try found(parameters).first else {
            throw AuthError(.accountRequired, message: "No account of this client matches.")
        }
        LogWriter.shared.write(
            .info,
            message: "The account is \(trackable: account.identifier), \(username: account.username)"
        )
        return account
    }

    /// The one account with this user name.
    ///
    /// - Throws: `.invalidParameter` for a blank name, `.accountRequired` if there is none.
    func single(named username: String) throws(AuthError) -> MSALAccount {
        guard !username.allSatisfy(\.isWhitespace) else {
            throw AuthError(.invalidParameter, message: "The user name is blank.")
        }
        return try single(MSALAccountEnumerationParameters(identifier: nil, username: username))
    }

    /// The accounts found in the store, and those of the app's own stores.
    private func all(_ stored: [AccountSnapshot], for parameters: MSALAccountEnumerationParameters) -> [MSALAccount] {
        let own = stored.map { MSALAccount($0, hasProfiles: true) }
        let all = externalAccounts.added(to: own, for: parameters)
        LogWriter.shared.write(.info, message: "Accounts found: \(count: all.count)")
        return all
    }

    /// Logs the query.
    private func note(_ parameters: MSALAccountEnumerationParameters) {
        LogWriter.shared.write(
            .info,
            message: """
                Looking for accounts: identifier \(trackable: parameters.identifier), \
                tenant profile \(trackable: parameters.tenantProfileIdentifier), \
                user name \(username: parameters.username), \
                \(parameters.returnOnlySignedInAccounts ? "signed in" : "signed in or out")
                """
        )
    }

    /// The implementation of ``accountsFromDevice(for:)``.
    func deviceAccounts(for parameters: MSALAccountEnumerationParameters) async throws -> [MSALAccount] {
        // The parameters are read when the call begins. The app's own stores receive the object itself.
        let filter = parameters.filter
        return try await correlated { () async throws(AuthError) in
            note(parameters)
            return all(try await client().accounts.ofDevice(filter), for: parameters)
        }
    }

    /// The same, but passes the result to a completion block.
    func deviceAccounts(for parameters: MSALAccountEnumerationParameters, to block: @escaping Completion<[MSALAccount]>)
    {
        let (filter, carried) = (parameters.filter, UncheckedSendable(parameters))
        deliverQuery(to: block, on: parameters.completionBlockQueue) { () throws(AuthError) in
            try found(parameters)
        } withBroker: {
            try await correlated { () async throws(AuthError) in
                self.note(carried.value)
                return self.all(try await self.client().accounts.ofDevice(filter), for: carried.value)
            }
        }
    }

    /// Passes the result of an account or device query to a completion block. If the broker of this machine has to be
    /// called, the result arrives later; otherwise immediately.
    func deliverQuery<Value: Sendable>(
        to block: @escaping Completion<Value>,
        on queue: DispatchQueue?,
        withoutBroker: () throws(AuthError) -> Value,
        withBroker: @escaping @Sendable () async throws -> Value
    ) {
        let target = target(queue)
        let client = try? client()  // The query itself reports the reason.
        guard let client, client.broker.isAsked else {
            return deliverImmediately(to: block, on: target) { try correlated(call: withoutBroker) }
        }
        deliver(to: block, on: target, withBroker)
    }

    /// The implementation of ``currentAccount(with:)``.
    func currentAccounts() async throws -> (MSALAccount?, MSALAccount?) {
        try await correlated { () async throws(AuthError) in
            objects(try await client().accounts.currentOfDevice())
        }
    }

    /// The same, but passes the result to a completion block.
    func currentAccounts(
        with parameters: MSALParameters?,
        to completionBlock: @escaping @Sendable (MSALAccount?, MSALAccount?, (any Error)?) -> Void
    ) {
        let block: Completion<(MSALAccount?, MSALAccount?)> = { accounts, error in
            completionBlock(accounts?.0, accounts?.1, error)
        }
        deliverQuery(to: block, on: parameters?.completionBlockQueue) { () throws(AuthError) in
            objects(try client().accounts.current())
        } withBroker: {
            try await self.currentAccounts()
        }
    }

    /// The current and the previous account as public objects.
    private func objects(_ found: (AccountSnapshot?, PrincipalAccount?)) -> (MSALAccount?, MSALAccount?) {
        let (current, previous) = found
        LogWriter.shared.write(
            .info,
            message:
                "The current account is \(username: current?.username), the one before \(username: previous?.username)"
        )
        let former = previous.map {
            AccountSnapshot(
                homeAccountID: $0.homeAccountID ?? "",
                username: $0.username ?? "",
                environment: $0.environment ?? ""
            )
        }
        return (current.map { MSALAccount($0, hasProfiles: true) }, former.map { MSALAccount($0, hasProfiles: false) })
    }

    /// The implementation of ``remove(_:)-(MSALAccount)``.
    func removeTokens(of account: MSALAccount) throws {
        try correlated { () throws(AuthError) in
            try client().signOut.remove(account.snapshot.reference)
            externalAccounts.remove(account, wipeAccount: false)
        }
    }
}
