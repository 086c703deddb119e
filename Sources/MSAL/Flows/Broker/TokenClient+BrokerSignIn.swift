// Licensed under the MIT License. See LICENSE.

import MSALCore
import MSALSupport
import SealedStore
import Synchronization

extension TokenClient {
    /// Signs a user in through the broker: without the user where the device's sign-in is enough, else with the broker's
    /// window.
    ///
    /// `prompt`: What the user is asked, whatever the request says: a user who signed out is asked for the password.
    ///
    /// - Throws: What the broker reports, of which `.broker(.notAvailable)` allows the next way; `.mismatchedUser` and
    ///   `.broker` for responses that fail a check, with nothing remembered; `.declinedScopes` with a usable result.
    /// - SeeAlso: docs/reference/Broker.md#sign-in.
    func brokerResult(
        _ request: InteractiveRequest,
        authority: Authority,
        prompt: Prompt
    ) async throws(AuthError) -> TokenResult {
        let account = try await account(for: request, authority: authority, prompt: prompt)
        if prompt == .promptIfNecessary, request.extraScopesToConsent.isEmpty, let account {
            do {
                return try await brokerResultWithoutUser(request, authority: authority, account: account)
            } catch {
                guard case .interactionRequired = error.kind else { throw error }
                Log.info("The identity broker wants to see the user: \(error.message)")
            }
        }
        try Self.checkCancellation()
        return try await brokerWindowResult(request, authority: authority, prompt: prompt, account: account)
    }

    private static func checkCancellation() throws(AuthError) {
        guard !Task.isCancelled else { throw .canceledCall }
    }

    private func brokerResultWithoutUser(
        _ request: InteractiveRequest,
        authority: Authority,
        account: BrokerAccount
    ) async throws(AuthError) -> TokenResult {
        var question = BrokerQuestion(token: request.token, requestAuthority: authority, authority: authority)
        question.account = account
        question.homeAccountID = account.homeAccountID
        question.isSignIn = true
        let wish = question.request(configuration)
        do {
            let token = try await asked { () async throws(BrokerFailure) in
                try await platform.broker.insistent.tokenSilently(wish)
            }
            return try await remembered(try await finish(token, for: question), for: request)
        } catch {
            throw error.beforeWindow
        }
    }

    private func brokerWindowResult(
        _ request: InteractiveRequest,
        authority: Authority,
        prompt: Prompt,
        account: BrokerAccount?
    ) async throws(AuthError) -> TokenResult {
        var question = BrokerQuestion(token: request.token, requestAuthority: authority, authority: authority)
        (question.asksUser, question.isSignIn) = (true, true)
        // The account that the device happens to have is not one that the app asked for.
        if prompt != .selectAccount, request.account?.isNamed == true {
            question.account = account
            question.homeAccountID = request.account?.homeAccountID.flatMap { $0.isEmpty ? nil : $0 }
        }
        var wish = question.request(configuration)
        wish.parentWindow = request.parentWindow
        wish.scopes = request.token.scopes.union(request.extraScopesToConsent).values
        wish.prompt = prompt.ofBroker
        if prompt != .selectAccount { wish.loginHint = request.account?.username ?? request.loginHint }
        if let domain = request.domainHint { wish.extraQueryParameters[Parameter.domainHint.rawValue] = domain }
        if request.prefersQRPIN { wish.extraQueryParameters[Parameter.preferredCredential.rawValue] = "18" }

        let token: BrokerToken
        do throws(BrokerFailure) {
            token = try await tokenInWindow(wish, for: request)
        } catch {
            guard error.kind == .accountNeeded, question.account == nil,
                let account = await onlyAccount(for: request, authority: authority)
            else { throw AuthError(inWindow: error) }
            (question.account, question.homeAccountID) = (account, account.homeAccountID)
            wish.account = account
            do throws(BrokerFailure) {
                token = try await tokenInWindow(wish, for: request)
            } catch {
                throw AuthError(inWindow: error)
            }
        }
        return try await remembered(try await finish(token, for: question), for: request)
    }

    /// The time within which a broker refuses a call for which it opens no window.
    private static let refusalTime = Duration.milliseconds(500)

    /// Asks the broker, which may open its window. The app is told of that once the broker has taken the call: it has not
    /// refused it at once.
    private func tokenInWindow(
        _ wish: BrokerTokenRequest,
        for request: InteractiveRequest
    ) async throws(BrokerFailure) -> BrokerToken {
        let isTold = Mutex(false)
        let tell: @Sendable () -> Void = {
            let isNew = isTold.withLock { isTold in
                defer { isTold = true }
                return !isTold
            }
            if isNew { request.onBroker?() }
        }
        let outcome = await platform.time.noticing(after: Self.refusalTime, tell) {
            await Result { () async throws(BrokerFailure) in
                try await platform.broker.insistent.tokenInteractively(wish)
            }
        }
        switch outcome {
        case .success: tell()
        case .failure(let failure): if !failure.kind.leavesSignInToOthers { tell() }
        }
        if isTold.withLock({ $0 }) { request.onBrokerResponse?(outcome.word) }
        return try outcome.get()
    }

    /// The account that the request names, or the only one that the broker has: Himmelblau asks the user for that one alone.
    private func onlyAccount(for request: InteractiveRequest, authority: Authority) async -> BrokerAccount? {
        do throws(BrokerFailure) {
            let listed = try await listedAccounts(
                for: authority,
                correlationID: request.token.correlationID,
                by: platform.broker.insistent
            )
            return listed.only(where: request.isNamed ? request.names : { _ in true })
        } catch {
            return nil  // The refusal before this one is the failure.
        }
    }

    /// The result, which silent requests of the same scopes for its account find in memory.
    private func remembered(
        _ grant: BrokerGrant,
        for request: InteractiveRequest
    ) async throws(AuthError) -> TokenResult {
        let identity = RequestIdentity(
            account: grant.result.account.reference,
            authority: request.token.authority,
            scopes: request.token.scopes,
            claims: request.token.claims,
            keyID: request.token.keyID,
            isAuthorityValidated: configuration.isAuthorityValidationEnabled
        )
        await remember(grant, for: identity)
        return grant.result
    }

    /// The broker's account for a request: the one that the app names, or the only one. A user who may choose is asked.
    ///
    /// - Returns: `nil` if there is none, or if the user signed it out of this app and the app names none.
    private func account(
        for request: InteractiveRequest,
        authority: Authority,
        prompt: Prompt
    ) async throws(AuthError) -> BrokerAccount? {
        guard prompt != .selectAccount, prompt == .promptIfNecessary || request.isNamed else { return nil }
        let listed: [BrokerAccount]
        do throws(BrokerFailure) {
            listed = try await listedAccounts(
                for: authority,
                correlationID: request.token.correlationID,
                by: platform.broker.insistent
            )
        } catch {
            switch error.kind {
            // The window may still know what to do.
            case .unsupported, .accountNeeded, .interactionRequired, .unknownAccount, .unexplained: return nil
            case .absent, .unreachable, .passedOver, .canceledByUser, .canceled, .noNetwork, .temporary,
                .invalidRequest,
                .misconfigured, .untrustedAuthority, .otherUser, .deviceNotRegistered, .removalRequired, .unexpected,
                .unreadable:
                throw AuthError(error).beforeWindow
            }
        }
        if request.isNamed { return listed.only(where: request.names) }
        guard let account = listed.only(where: { _ in true }), await !isSignedOut(account.homeAccountID) else {
            return nil
        }
        return account
    }

    /// Whether the user signed the account out of this app. A store that cannot be read says so, as for the browser.
    @concurrent private func isSignedOut(_ homeAccountID: String) async -> Bool {
        do throws(AuthError) {
            try await prepareStore(for: .reading)
            let metadata = try stored { () throws(StoreError) in try cache.metadata(homeAccountID: homeAccountID) }
            return metadata?.signInState == .signedOut
        } catch {
            Log.warning("Whether the user signed out of this app cannot be read: \(error.message)")
            return true
        }
    }
}

extension AccountReference {
    fileprivate var isNamed: Bool { homeAccountID?.isEmpty == false || username?.isEmpty == false }
}

extension InteractiveRequest {
    /// Whether the app names somebody, by an account or by a hint.
    fileprivate var isNamed: Bool { account?.isNamed == true || loginHint?.isEmpty == false }

    /// Whether the app means this account: by its identifier if it names one, else by its user name.
    fileprivate func names(_ account: BrokerAccount) -> Bool {
        if let id = self.account?.homeAccountID, !id.isEmpty {
            return id.caseInsensitiveCompare(account.homeAccountID) == .orderedSame
        }
        return (self.account?.username ?? loginHint)?.caseInsensitiveCompare(account.username) == .orderedSame
    }
}

extension [BrokerAccount] {
    /// The account that fits, if just one does.
    fileprivate func only(where fits: (BrokerAccount) -> Bool) -> BrokerAccount? {
        let found = filter(fits)
        return found.count == 1 ? found.first : nil
    }
}

extension Prompt {
    fileprivate var ofBroker: BrokerTokenRequest.Prompt? {
        switch self {
        case .login: .login
        case .consent: .consent
        case .selectAccount, .create, .promptIfNecessary: nil
        }
    }
}

extension Result<BrokerToken, BrokerFailure> {
    /// It runs an asynchronous call.
    fileprivate init(_ call: () async throws(BrokerFailure) -> BrokerToken) async {
        do throws(BrokerFailure) {
            self = .success(try await call())
        } catch {
            self = .failure(error)
        }
    }

    /// The outcome in a word.
    fileprivate var word: String {
        switch self {
        case .success: "success"
        case .failure(let failure): "\(failure.kind)"
        }
    }
}

extension AuthError {
    /// The error of a call in which the broker could have asked the user.
    fileprivate init(inWindow failure: BrokerFailure) {
        self.init(failure)
        allowsNextWay = failure.kind.leavesSignInToOthers
    }

    /// This error of a broker that has shown nothing to the user yet. If it hangs, the next way may be tried, because no
    /// window of it stays open.
    fileprivate var beforeWindow: AuthError {
        guard case .broker(.notResponding) = kind else { return self }
        var copy = self
        copy.allowsNextWay = true
        return copy
    }
}
