// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore
import Synchronization

/// The part of a sign-in in which the broker may ask the user (docs/reference/Broker.md#window).
extension BrokerSignIn {
    /// Signs a user in with the broker's window.
    func windowResult(
        _ request: InteractiveRequest,
        authority: Authority,
        prompt: RequestedPrompt,
        account: BrokerAccount?
    ) async throws(AuthError) -> TokenResult {
        var question = BrokerQuestion(token: request.token, requestAuthority: authority, authority: authority)
        (question.asksUser, question.isSignIn) = (true, true)
        // The broker gets an account only if the app named it. The device's own account may be another one.
        if prompt != .selectAccount, request.account?.isNamed == true {
            question.account = account
            question.homeAccountID = request.account?.homeAccountID.flatMap { $0.isEmpty ? nil : $0 }
        }
        var wish = question.request(of: app)
        wish.parentWindow = request.window.parent
        wish.scopes = request.token.scopes.union(request.extraScopesToConsent).values
        wish.prompt = BrokerPrompt(prompt)
        if prompt != .selectAccount { wish.loginHint = request.account?.username ?? request.loginHint }
        if let domain = request.domainHint { wish.extraQueryParameters[Parameter.domainHint.rawValue] = domain }
        if request.prefersQRPIN { wish.extraQueryParameters[Parameter.preferredCredential.rawValue] = "18" }

        let token: BrokerToken
        do throws(BrokerFailure) {
            token = try await tokenInWindow(wish, for: request)
        } catch {
            guard error.kind == .accountNeeded, prompt != .selectAccount, question.account == nil,
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
        return try await remembered(try await tokens.finish(token, for: question), for: request)
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
        let outcome = await time.noticing(after: Self.refusalTime, tell) {
            await Result { () async throws(BrokerFailure) in
                try await access.broker.insistent.tokenInteractively(wish)
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
                by: access.broker.insistent
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
}
