// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore
import SealedStore

/// Signs users in through the identity broker.
struct BrokerSignIn: Sendable {
    let app: ClientConfiguration.App
    let isAuthorityValidated: Bool
    let access: BrokerAccess
    let tokens: BrokerTokens
    let time: any TimeSource

    /// Signs a user in through the broker: without the user where the device's sign-in is enough, else with the broker's
    /// window.
    ///
    /// `prompt`: The prompt that replaces the request's own: a user who signed out is asked for the password.
    ///
    /// - Throws: The broker's error. After `.broker(.notAvailable)` the next way may be tried; `.mismatchedUser` and
    ///   `.broker` for responses that fail a check, with nothing remembered; `.declinedScopes` with a usable result.
    /// - SeeAlso: docs/reference/Broker.md#sign-in.
    func result(
        _ request: InteractiveRequest,
        authority: Authority,
        prompt: RequestedPrompt
    ) async throws(AuthError) -> TokenResult {
        let account = try await account(for: request, authority: authority, prompt: prompt)
        if prompt == .promptIfNecessary, request.extraScopesToConsent.isEmpty, let account {
            do {
                return try await resultWithoutUser(request, authority: authority, account: account)
            } catch {
                guard case .interactionRequired = error.kind else { throw error }
                Log.info("The identity broker wants to see the user: \(error.message)")
            }
        }
        guard !Task.isCancelled else { throw .canceledCall }
        return try await windowResult(request, authority: authority, prompt: prompt, account: account)
    }

    private func resultWithoutUser(
        _ request: InteractiveRequest,
        authority: Authority,
        account: BrokerAccount
    ) async throws(AuthError) -> TokenResult {
        var question = BrokerQuestion(token: request.token, requestAuthority: authority, authority: authority)
        question.account = account
        question.homeAccountID = account.homeAccountID
        question.isSignIn = true
        let wish = question.request(of: app)
        do {
            let token = try await access.asked { () async throws(BrokerFailure) in
                try await access.broker.insistent.tokenSilently(wish)
            }
            return try await remembered(try await tokens.finish(token, for: question), for: request)
        } catch {
            throw error.beforeWindow
        }
    }

    /// The result, which silent requests of the same scopes for its account find in memory.
    func remembered(
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
                by: access.broker.insistent
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
    func only(where fits: (BrokerAccount) -> Bool) -> BrokerAccount? {
        let found = filter(fits)
        return found.count == 1 ? found.first : nil
    }
}

extension AuthError {
    /// This error of a broker that has shown nothing to the user yet. If it hangs, the next way may be tried, because no
    /// window of it stays open.
    fileprivate var beforeWindow: AuthError {
        guard case .broker(.notResponding) = kind else { return self }
        var copy = self
        copy.allowsNextWay = true
        return copy
    }
}
