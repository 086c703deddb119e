// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore
import Synchronization

/// Signs users in through the identity broker.
struct BrokerSignIn: Sendable {
    let app: ClientConfiguration.App
    let isAuthorityValidated: Bool
    let access: BrokerAccess
    let tokens: BrokerTokens
    let time: any TimeSource

    /// Signs a user in through the broker: silently if the device's sign-in is sufficient, otherwise with the broker's
    /// window.
    ///
    /// `prompt`: The prompt that replaces the request's own: a user who signed out is asked for the password.
    ///
    /// - Throws: The broker's error. After `.broker(.notAvailable)` the next sign-in mode may be tried;
    ///   `.mismatchedUser` and `.broker` for responses that fail a check, with nothing remembered; `.declinedScopes`
    ///   with a usable result.
    /// - SeeAlso: docs/reference/Broker.md#sign-in.
    func signIn(
        _ request: InteractiveRequest,
        authority: Authority,
        prompt: RequestedPrompt
    ) async throws(AuthError) -> TokenResult {
        let account = try await account(for: request, authority: authority, prompt: prompt)
        if prompt == .promptIfNecessary, request.extraScopesToConsent.isEmpty, let account {
            do {
                return try await signInSilently(request, authority: authority, account: account)
            } catch {
                guard case .interactionRequired = error.kind else { throw error }
                Log.info("The identity broker requires the user: \(error.message)")
            }
        }
        guard !Task.isCancelled else { throw .canceledCall }
        return try await signInWithWindow(request, authority: authority, prompt: prompt, account: account)
    }

    private func signInSilently(
        _ request: InteractiveRequest,
        authority: Authority,
        account: BrokerAccount
    ) async throws(AuthError) -> TokenResult {
        var question = BrokerExchange(token: request.token, requestAuthority: authority, authority: authority)
        question.account = account
        question.homeAccountID = account.homeAccountID
        question.isSignIn = true
        let tokenRequest = question.request(of: app)
        do {
            let token = try await access.asked { () async throws(BrokerFailure) in
                try await access.broker.ignoringHangs.tokenSilently(tokenRequest)
            }
            return try await remembered(try await tokens.finish(token, for: question), for: request)
        } catch {
            throw error.beforeWindow
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
            isAuthorityValidated: isAuthorityValidated
        )
        await tokens.remember(grant, for: identity)
        return grant.result
    }

    /// The broker's account for a request: the account that the app names, or the only account. A user who may choose
    /// is asked.
    ///
    /// - Returns: `nil` if there is none, or if the user signed it out of this app and the app names none.
    private func account(
        for request: InteractiveRequest,
        authority: Authority,
        prompt: RequestedPrompt
    ) async throws(AuthError) -> BrokerAccount? {
        guard prompt != .selectAccount, prompt == .promptIfNecessary || request.isNamed else { return nil }
        let listed: [BrokerAccount]
        do throws(BrokerFailure) {
            listed = try await access.listedAccounts(
                for: authority,
                correlationID: request.token.correlationID,
                by: access.broker.ignoringHangs
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
    private func isSignedOut(_ homeAccountID: String) async -> Bool {
        do throws(AuthError) {
            return try await tokens.store.isSignedOut(homeAccountID)
        } catch {
            Log.warning("Whether the user signed out of this app cannot be read: \(error.message)")
            return true
        }
    }
}

extension [BrokerAccount] {
    /// The account that fits, if just one does.
    fileprivate func only(where fits: (BrokerAccount) -> Bool) -> BrokerAccount? {
        let found = filter(fits)
        return found.count == 1 ? found.first : nil
    }
}

extension AuthError {
    /// This error of a broker that has shown nothing to the user yet. If it hangs, the next sign-in mode may be tried,
    /// because no window of it stays open.
    fileprivate var beforeWindow: AuthError {
        guard case .broker(.notResponding) = kind else { return self }
        var copy = self
        copy.allowsNextMode = true
        return copy
    }
}

/// The part of a sign-in in which the broker may ask the user (docs/reference/Broker.md#window).
extension BrokerSignIn {
    /// Signs a user in with the broker's window.
    private func signInWithWindow(
        _ request: InteractiveRequest,
        authority: Authority,
        prompt: RequestedPrompt,
        account: BrokerAccount?
    ) async throws(AuthError) -> TokenResult {
        var question = BrokerExchange(token: request.token, requestAuthority: authority, authority: authority)
        (question.asksUser, question.isSignIn) = (true, true)
        // The broker gets an account only if the app named it. The device's own account may be another one.
        if prompt != .selectAccount, request.account?.isNamed == true {
            question.account = account
            question.homeAccountID = request.account?.homeAccountID.flatMap { $0.isEmpty ? nil : $0 }
        }
        var tokenRequest = question.request(of: app)
        tokenRequest.parentWindow = request.window.parent
        tokenRequest.scopes = request.token.scopes.union(request.extraScopesToConsent).values
        tokenRequest.prompt = BrokerPrompt(prompt)
        if prompt != .selectAccount { tokenRequest.loginHint = request.account?.username ?? request.loginHint }
        if let domain = request.domainHint { tokenRequest.extraQueryParameters[Parameter.domainHint.rawValue] = domain }
        if request.prefersQRPIN { tokenRequest.extraQueryParameters[Parameter.preferredCredential.rawValue] = "18" }

        let token: BrokerToken
        do throws(BrokerFailure) {
            token = try await tokenInWindow(tokenRequest, for: request)
        } catch {
            guard error.kind == .accountNeeded, prompt != .selectAccount, question.account == nil,
                let account = await onlyAccount(for: request, authority: authority)
            else { throw AuthError(inWindow: error) }
            (question.account, question.homeAccountID) = (account, account.homeAccountID)
            tokenRequest.account = account
            do throws(BrokerFailure) {
                token = try await tokenInWindow(tokenRequest, for: request)
            } catch {
                throw AuthError(inWindow: error)
            }
        }
        return try await remembered(try await tokens.finish(token, for: question), for: request)
    }

    /// The time within which a broker refuses a call for which it opens no window.
    private static let refusalTime = Duration.milliseconds(500)

    /// Asks the broker, which may open its window. The app is told of that once the broker has taken the call: it has not
    /// refused it at once.
    private func tokenInWindow(
        _ tokenRequest: BrokerTokenRequest,
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
        let outcome = await time.noticing(after: Self.refusalTime, tell) {
            await Result { () async throws(BrokerFailure) in
                try await access.broker.ignoringHangs.tokenInteractively(tokenRequest)
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
            let listed = try await access.listedAccounts(
                for: authority,
                correlationID: request.token.correlationID,
                by: access.broker.ignoringHangs
            )
            return listed.only(where: request.isNamed ? request.names : { _ in true })
        } catch {
            return nil  // The refusal before this one is the failure.
        }
    }
}

extension BrokerPrompt {
    /// The broker's name for a page; `nil` where it has none.
    fileprivate init?(_ prompt: RequestedPrompt) {
        switch prompt {
        case .login: self = .login
        case .consent: self = .consent
        case .selectAccount, .create, .promptIfNecessary: return nil
        }
    }
}

extension Result<BrokerToken, BrokerFailure> {
    /// The name of the outcome.
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
        allowsNextMode = failure.kind.leavesSignInToOthers
    }
}
