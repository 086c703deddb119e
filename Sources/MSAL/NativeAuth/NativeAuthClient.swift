// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore
import SealedStore

/// Signs users up and in without a browser (Entra External ID, native authentication).
///
/// There is one method for each transition of a flow. It accepts a state and the user's input, and returns the next
/// step. Between calls, the client keeps nothing except the tokens in the store. Canceling the calling task ends the
/// request, which the failure indicates (``NativeAuthFailure/isCanceled``).
struct NativeAuthClient: Sendable {
    /// The client whose store receives the tokens.
    let tokens: TokenClient
    var configuration: NativeAuthConfiguration

    /// Signs in the user who has just signed up or reset the password
    /// (docs/reference/NativeAuthentication.md#after-flow).
    ///
    /// - Throws: `.general` without a request if the flow left no token: use the regular sign-in. `.browserRequired`:
    ///   continue in the browser.
    func signIn(
        _ request: NativeAuth.SignInAfterFlowRequest,
        after flow: NativeAuth.FinishedFlow
    ) async throws(NativeAuthFailure) -> NativeAuth.CredentialStep {
        guard let token = flow.token else {
            throw NativeAuthFailure(
                .general,
                message: NativeAuthFailure.Text.signInNotAvailable,
                correlationID: flow.correlationID
            )
        }
        let continuation = NativeAuth.Continuation(
            token: token,
            correlationID: flow.correlationID,
            username: flow.username,
            scopes: request.scopes,
            claims: request.claims
        )
        var conversation = Conversation(self, correlationID: flow.correlationID)
        do throws(WireError) {
            return try await conversation.redeem(.finishedFlow(username: flow.username), for: continuation)
        } catch {
            throw error.signInStartFailure
        }
    }

    /// Requests a code through the chosen method, for the first time or again
    /// (docs/reference/NativeAuthentication.md#second-factor).
    ///
    /// - Throws: `.authMethodBlocked`: offer another method, with the remaining state.
    func requestChallenge(
        _ method: NativeAuth.AuthMethod,
        in state: some NativeAuth.MFAState
    ) async throws(NativeAuthFailure) -> NativeAuth.CodeSent<NativeAuth.MFAChallenge> {
        var conversation = Conversation(self, correlationID: state.continuation.correlationID)
        do throws(WireError) {
            let (token, delivery) = try await conversation.sendSignInCode(state.continuation.token, method: method.id)
            return NativeAuth.CodeSent(state: state.next(token, in: conversation), delivery: delivery)
        } catch {
            if error.isUnexplained { throw error.failure() }
            let remaining = state.retry(in: conversation)
            guard error.isBlocked else { throw error.failure(keeping: remaining) }
            throw error.failure(.authMethodBlocked, keeping: remaining)
                .prefixed(NativeAuthFailure.Text.authMethodBlocked)
        }
    }

    /// Continues a sign-in with the second factor's code, usually to its end.
    ///
    /// - Throws: `.invalidChallenge`: ask again, with the remaining state.
    func submitChallenge(
        _ code: Secret,
        in state: NativeAuth.MFAChallenge
    ) async throws(NativeAuthFailure) -> NativeAuth.CredentialStep {
        var conversation = try conversation(in: state, input: code, refusal: .invalidChallenge)
        do throws(WireError) {
            return try await conversation.redeem(.secondFactorCode(code), for: state.continuation)
        } catch {
            throw error.codeFailure(state)
        }
    }

    /// The signed-in user, read from the store only; `nil` if there is no such user or no ID token, or if the store
    /// cannot be read (docs/reference/NativeAuthentication.md#account).
    func userAccount() -> NativeAuth.UserAccount? {
        let environments = tokens.authorities.environments(for: tokens.configuration.authorityRules.configured).lookup
        let cached: [CachedAccount]
        do {
            cached = try tokens.cache.accounts(environments: environments, onlySignedIn: true)
        } catch {
            Log.warning("The signed-in account could not be read: \(error.message)")
            return nil
        }
        // Accounts of the family's other clients may precede the app's own.
        guard let account = cached.first(where: { !$0.isFamilyOnly }),
            let record = account.records.first, let idToken = account.idTokens[record.realm],
            IDTokenClaims(compact: idToken.secret.exposed) != nil
        else { return nil }
        return NativeAuth.UserAccount(
            account: AccountSnapshot(
                homeAccountID: account.homeAccountID,
                username: account.username ?? "",
                environment: account.environment,
                idToken: idToken.secret,
                clientInfo: account.clientInfo
            ),
            idToken: idToken.secret
        )
    }

    /// Removes the account and its tokens from this client, without contacting the service
    /// (docs/reference/NativeAuthentication.md#sign-out).
    func signOut(_ account: AccountReference) {
        do {
            try tokens.signOut.remove(account)
        } catch {
            Log.error("The account could not be removed: \(error.message)")
        }
    }

    /// Returns a token for the signed-in user, from the store or by redeeming the refresh token
    /// (docs/reference/NativeAuthentication.md#access-token).
    ///
    /// - Throws: Always `.general`, with the text and codes of the innermost error.
    func accessToken(
        _ request: NativeAuth.AccessTokenRequest
    ) async throws(NativeAuthFailure) -> NativeAuth.AccessToken {
        var token = TokenRequest(scopes: ScopeSet(request.scopes), correlationID: request.correlationID)
        token.claims = request.claims
        token.keepsOneAccount = true
        let silent = SilentRequest(token: token, account: request.account, forceRefresh: request.forceRefresh)
        do throws(AuthError) {
            let result = try await tokens.silent.acquire(silent)
            let refreshToken = request.wantsRefreshToken ? refreshToken(of: request.account) : nil
            return NativeAuth.AccessToken(result: result, refreshToken: refreshToken)
        } catch {
            throw failure(error, correlationID: request.correlationID)
        }
    }

    /// The stored refresh token; also `nil` if the store cannot be read, which must not cost the access token.
    private func refreshToken(of account: AccountReference) -> Secret? {
        guard let homeAccountID = account.homeAccountID else { return nil }
        let environments = tokens.authorities.environments(for: tokens.configuration.authorityRules.configured).lookup
        do {
            return try tokens.cache.refreshTokens(homeAccountID: homeAccountID, environments: environments).app?.secret
        } catch {
            Log.warning("The refresh token could not be read and is missing from the result: \(error.message)")
            return nil
        }
    }

    /// The failure, with the text and the codes of the innermost error.
    private func failure(_ error: AuthError, correlationID: UUID) -> NativeAuthFailure {
        var innermost = error
        while let underlying = innermost.underlying { innermost = underlying }
        let failure = NativeAuthFailure(
            .general,
            message: innermost.message,
            correlationID: correlationID,
            underlying: error
        )
        guard let oauth = innermost.oauth else { return failure }
        var refused = failure
        refused.codes = oauth.codes
        refused.serverError = oauth.status.map { NativeAuth.ServerError(oauth, status: $0) }
        if oauth.codes.contains(50076) { return refused.prefixed(NativeAuthFailure.Text.mfaRequired) }
        if oauth.codes.contains(50142) { return refused.prefixed(NativeAuthFailure.Text.passwordChangeRequired) }
        return refused
    }

    /// Sends a form to an endpoint, and retries once after a transient failure of the service or the network.
    ///
    /// Native authentication has its own retries: each attempt asks the app for its headers, and `Retry-After` is
    /// ignored (docs/reference/NativeAuthentication.md#interceptor and #attempts).
    ///
    /// - Throws: `TransportError` if there was no response; `.canceled` if the calling task was canceled.
    func exchange(
        _ form: FormBody,
        with endpoint: NativeAuthEndpoint,
        correlationID: UUID
    ) async throws(TransportError) -> HTTPResponse {
        let pause: Duration
        do throws(TransportError) {
            let response = try await attempt(form, with: endpoint, correlationID: correlationID)
            guard (500...599).contains(response.status) else { return response }
            pause = .milliseconds(500)
        } catch {
            guard error.isTransient else { throw error }
            pause = error.kind == .offline ? .seconds(2) : .milliseconds(500)
        }
        do {
            try await tokens.platform.time.sleep(for: pause)
        } catch {
            throw TransportError(.canceled, message: "The request was canceled while it waited to be retried.")
        }
        return try await attempt(form, with: endpoint, correlationID: correlationID)
    }

    private func attempt(
        _ form: FormBody,
        with endpoint: NativeAuthEndpoint,
        correlationID: UUID
    ) async throws(TransportError) -> HTTPResponse {
        let authority = tokens.configuration.authorityRules.configured
        let url = endpoint.url(below: authority, dataCenter: configuration.sliceDataCenter)
        var message = HTTPMessage(method: "POST", to: try HTTPAddress(built: url), body: form.data)
        message.headers["Content-Type"] = "application/x-www-form-urlencoded"
        let last = tokens.telemetry.last()
        let request = endpoint.telemetry
        message.headers["x-client-current-telemetry"] = ServerTelemetry.current(
            call: request.api,
            operation: request.operation
        )
        message.headers["x-client-last-telemetry"] = last.text
        message.repetition = .never
        let response = try await send(message, correlationID: correlationID)
        if response.status == 200 { tokens.telemetry.forget(last) }
        return response
    }

    /// Sends a message once, with the common headers and those of the app.
    ///
    /// - Throws: `TransportError` if there was no response; `.canceled` if the calling task was canceled.
    func send(_ message: HTTPMessage, correlationID: UUID) async throws(TransportError) -> HTTPResponse {
        var message = message
        message.headers.merge(tokens.configuration.headers.headers(correlationID: correlationID)) { own, _ in own }
        for (name, value) in await configuration.interceptor?(message.url) ?? [:]
        where NativeAuthConfiguration.isAllowed(header: name) {
            message.headers[name] = value
        }
        guard !Task.isCancelled else {
            throw TransportError(.canceled, message: "The request was canceled before it was sent.")
        }
        return try await tokens.platform.transport.send(message)
    }

    /// Continues in the browser if the service requires that (docs/reference/NativeAuthentication.md#browser).
    ///
    /// As after a native sign-in, the account replaces the previous account. The redirect arrives at the configured
    /// URI. An app opts in to the browser by configuring one.
    ///
    /// - Throws: The errors of an interactive sign-in; `.invalidRedirectURI` if the app configured no redirect URI.
    func signInWithBrowser(_ request: InteractiveRequest) async throws(AuthError) -> TokenResult {
        guard configuration.hasRedirectURI else {
            let error = AuthError(
                .invalidRedirectURI,
                message:
                    "The service requires the browser, but no redirect URI is configured to return from it."
            )
            throw error.correlated(request.token.correlationID)
        }
        var request = request
        request.token.keepsOneAccount = true
        return try await tokens.interactive.acquire(request)
    }
}

extension NativeAuth.ServerError {
    /// The token endpoint's error for a refresh token.
    fileprivate init(_ error: OAuthError, status: Int) {
        self.status = status
        self.error = error.error
        suberror = error.suberror
        description = error.description
        codes = error.codes
        traceID = error.traceID
        timestamp = error.timestamp
        correlationID = error.correlationID?.uuidString
    }
}

/// The capabilities of an app with native authentication, and the settings for its requests.
struct NativeAuthConfiguration: Sendable {
    /// Returns additional headers for a request to a URL.
    typealias Interceptor = @Sendable (URL) async -> [String: String]?

    var challengeTypes: NativeAuth.ChallengeTypes
    var capabilities: NativeAuth.Capabilities = []
    /// The data center, sent as `dc` in every URL.
    var sliceDataCenter: String?
    /// Whether a redirect URI is configured. The browser cannot return the user without one.
    var hasRedirectURI = false
    /// The app's interceptor, which is called before every attempt; see ``NativeAuthConfiguration/isAllowed(header:)``.
    var interceptor: Interceptor?

    /// Whether an app may set `header`. It must begin with `x-` and not be reserved
    /// (docs/reference/NativeAuthentication.md#interceptor).
    static func isAllowed(header: String) -> Bool {
        let name = header.lowercased()
        let reserved = ["x-ms-", "x-client-", "x-broker-", "x-app-"]
        return name.hasPrefix("x-") && !reserved.contains(where: name.hasPrefix)
    }
}
