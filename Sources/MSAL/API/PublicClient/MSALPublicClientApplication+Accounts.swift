// Licensed under the MIT License. See LICENSE.

extension MSALPublicClientApplication {
    /// All accounts that this client can get tokens for, in no particular order; empty if there are none.
    ///
    /// - Throws: `NSError` with ``MSALError/internal`` and the detail -42008 if the store cannot be read.
    public func allAccounts() throws -> [MSALAccount] {
        try accounts(for: MSALAccountEnumerationParameters())
    }

    /// The accounts that match.
    ///
    /// - Throws: As ``allAccounts()``.
    public func accounts(for parameters: MSALAccountEnumerationParameters) throws -> [MSALAccount] {
        try correlated { () throws(AuthError) in try found(parameters) }
    }

    /// The account with this home account id.
    ///
    /// - Throws: `NSError` with ``MSALError/internal``: -42106 if there is none, -42008 if the store cannot be read.
    public func account(forIdentifier identifier: String) throws -> MSALAccount {
        try correlated { () throws(AuthError) in
            try single(MSALAccountEnumerationParameters(identifier: identifier))
        }
    }

    /// The account with this user name, ignoring case.
    ///
    /// - Throws: `NSError` with ``MSALError/internal``: -42000 for a blank name, -42106 if there is none, -42008 if the
    ///   store cannot be read.
    public func account(forUsername username: String) throws -> MSALAccount {
        try correlated { () throws(AuthError) in
            guard !username.allSatisfy(\.isWhitespace) else {
                throw AuthError(.invalidParameter, message: "The user name is blank.")
            }
            return try single(MSALAccountEnumerationParameters(identifier: nil, username: username))
        }
    }

    private func single(_ parameters: MSALAccountEnumerationParameters) throws(AuthError) -> MSALAccount {
        guard let account = try found(parameters).first else {
            throw AuthError(.accountRequired, message: "No account of this client matches.")
        }
        LogWriter.shared.write(
            .info,
            message: "The account is \(trackable: account.identifier), \(username: account.username)"
        )
        return account
    }

    private func found(_ parameters: MSALAccountEnumerationParameters) throws(AuthError) -> [MSALAccount] {
        note(parameters)
        return all(try client().accounts(parameters.filter), for: parameters)
    }

    /// The accounts of the store that were found, with those of the app's own stores.
    private func all(
        _ stored: [AccountSnapshot],
        for parameters: MSALAccountEnumerationParameters
    ) -> [MSALAccount] {
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

    /// The accounts that match, with those of the identity broker of this machine.
    ///
    /// Accounts of the broker that this client signed out are left out, unless the parameters want them too. An account that
    /// came from the broker and that the device has no more is forgotten.
    ///
    /// - Throws: As ``allAccounts()``; also ``MSALError/internal`` with -42700 if the broker does not respond, then try
    ///   again or show ``allAccounts()``; with -42705, -42711 or -42007 if it fails, whose description says why.
    public func accountsFromDevice(for parameters: MSALAccountEnumerationParameters) async throws -> [MSALAccount] {
        // The parameters are read when the call begins. The app's own stores get the object itself.
        let filter = parameters.filter
        return try await correlated { () async throws(AuthError) in
            note(parameters)
            return all(try await client().deviceAccounts(filter), for: parameters)
        }
    }

    /// The accounts that match; see ``accountsFromDevice(for:)``.
    ///
    /// Without a queue the block is called before this method returns, and the user is never asked to unlock the keyring. If
    /// there is an identity broker to be asked, the block is called later, straight from the task.
    @preconcurrency
    public func accountsFromDevice(
        for parameters: MSALAccountEnumerationParameters,
        completionBlock: @escaping @Sendable ([MSALAccount]?, (any Error)?) -> Void
    ) {
        let target = target(parameters.completionBlockQueue)
        guard asksBroker else {
            return deliverAtOnce(to: completionBlock, on: target) { try accounts(for: parameters) }
        }
        let (filter, carried) = (parameters.filter, Carried(parameters))
        deliver(to: completionBlock, on: target) {
            try await correlated { () async throws(AuthError) in
                self.note(carried.value)
                return self.all(try await self.client().deviceAccounts(filter), for: carried.value)
            }
        }
    }

    /// Whether a query of accounts or of the device asks the broker of this machine, so that it cannot be answered at once.
    var asksBroker: Bool {
        guard let client = try? client() else { return false }  // The call itself reports the fault.
        return client.asksBrokerAtOnce
    }

    /// The one account that is signed in, and the one that was when this was last asked, if it is another.
    ///
    /// The account may be one of the identity broker of this machine: on a shared device it is the user whom some app signed
    /// in. If another app signed that user out, there is no current account, and the former one is the previous. Either may
    /// be `nil`. Nothing in `parameters` changes the result.
    ///
    /// - Throws: `NSError` with ``MSALError/internal``: -42102 if several accounts are signed in, then let the user
    ///   choose one of ``accountsFromDevice(for:)``; -42008 if the store cannot be read; with the details of
    ///   ``accountsFromDevice(for:)`` if the broker fails.
    public func currentAccount(with parameters: MSALParameters?) async throws -> (MSALAccount?, MSALAccount?) {
        try await correlated { () async throws(AuthError) in
            objects(try await client().currentDeviceAccount())
        }
    }

    /// The current and the previous account; see ``currentAccount(with:)``.
    ///
    /// The block is called as that of ``accountsFromDevice(for:completionBlock:)``.
    @preconcurrency
    public func getCurrentAccount(
        with parameters: MSALParameters?,
        completionBlock: @escaping @Sendable (MSALAccount?, MSALAccount?, (any Error)?) -> Void
    ) {
        let block: Completion<(MSALAccount?, MSALAccount?)> = { accounts, error in
            completionBlock(accounts?.0, accounts?.1, error)
        }
        let target = target(parameters?.completionBlockQueue)
        guard asksBroker else {
            return deliverAtOnce(to: block, on: target) {
                try correlated { () throws(AuthError) in objects(try client().currentAccount()) }
            }
        }
        deliver(to: block, on: target) { try await self.currentAccount(with: nil) }
    }

    /// The current and the previous account as apps see them.
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
        return (
            current.map { MSALAccount($0, hasProfiles: true) },
            former.map { MSALAccount($0, hasProfiles: false) }
        )
    }

    /// Removes this client's tokens of an account. Other clients of the store keep theirs; `nil` does nothing.
    ///
    /// Nothing is sent, and the identity broker of this machine keeps the account; see
    /// ``signout(with:signoutParameters:)``. This client gets no token for it until the user signs in again. APIs accept an access token that the app has already until it expires.
    ///
    /// - Throws: `NSError` with ``MSALError/internal`` and the detail -42008 if the store cannot be written: nothing
    ///   was removed, try again.
    public func remove(_ account: MSALAccount?) throws {
        guard let account else { return }
        try correlated { () throws(AuthError) in
            try client().remove(account.snapshot.reference)
            externalAccounts.remove(account, wipeAccount: false)
        }
    }
}

/// Runs a core call and throws its failure as an error of the public API.
func throwingNSError<Value>(_ body: () throws(AuthError) -> Value) throws -> Value {
    do {
        return try body()
    } catch {
        throw error.nsError
    }
}
