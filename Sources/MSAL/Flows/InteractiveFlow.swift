// Licensed under the MIT License. See LICENSE.

import MSALBase
package import MSALCore
import SealedStore

/// Signs users in with the best sign-in mode of the machine.
package struct InteractiveFlow: Sendable {
    let app: ClientConfiguration.App
    let authorityRules: ClientConfiguration.AuthorityRules
    let browser: ClientConfiguration.Browser
    let authorities: AuthorityResolver
    let store: ClientStore
    let redeemer: Redeemer
    let proofs: RequestSigner
    let session: CurrentSession
    let agent: any AuthorizationAgent
    let random: @Sendable (_ count: Int) -> [UInt8]
    let broker: BrokerSignIn
    let deviceCode: DeviceCodeFlow

    /// Signs a user in with the best sign-in mode of the machine: through its identity broker, or through the browser,
    /// and redeems the code.
    ///
    /// - Throws: `.canceled` if the user, the app or the time limit ended it; `.sessionAlreadyRunning`;
    ///   `.authorizationRefused` and `.tokenRefused` with the service's message; `.invalidState` and `.invalidResponse`
    ///   for responses that fail a check, with nothing stored; `.mismatchedUser` and `.broker` from the broker;
    ///   `.declinedScopes` with a usable result.
    /// - SeeAlso: RFC 6749 §4.1, RFC 7636, RFC 8252; docs/reference/Protocol.md#authorization-request.
    package func acquire(_ request: InteractiveRequest) async throws(AuthError) -> TokenResult {
        do {
            return try await proofs.proven(request.token) { token throws(AuthError) in
                var request = request
                request.token = token
                let prepared = request
                let authority = try check(prepared)
                // The whole sign-in is the session, so that it can be canceled at any time, and no other session starts
                // between two of its modes.
                return try await session.run { () async throws(AuthError) in
                    try await signIn(prepared, authority: authority)
                }
            }
        } catch {
            throw error.correlated(request.token.correlationID)
        }
    }

    /// Checks a request as far as possible before the user or the service is asked.
    ///
    /// - Throws: `.invalidParameter`; correct the request.
    /// - Returns: The authority of the request.
    @discardableResult
    package func check(_ request: InteractiveRequest) throws(AuthError) -> Authority {
        let authority = try authorityRules.check(request.token, clientID: app.clientID)
        try request.extraScopesToConsent.checkNumber()
        try checkClaims(request)
        return authority
    }

    /// Signs in with the first mode that works here.
    private func signIn(_ request: InteractiveRequest, authority: Authority) async throws(AuthError) -> TokenResult {
        var plan = await modes(for: request, authority: authority)
        try checkCancellation()
        Log.info(plan.explanation)
        var failures: [String] = []
        var modes = plan.possible[...]
        while let mode = modes.popFirst() {
            try checkCancellation()
            do throws(AuthError) {
                switch mode {
                case .broker:
                    return try await broker.signIn(request, authority: authority, prompt: try await prompt(request))
                case .browser, .appRedirect, .paste:
                    return try await signInWithBrowser(request, authority: authority, by: mode, in: plan)
                case .deviceCode:
                    var device = DeviceCodeRequest(token: request.token) { event in request.onDeviceCode?(event) }
                    device.timeout = browser.timeout
                    return try await deviceCode.signIn(device)
                }
            } catch {
                let isRefusedCode = mode == .deviceCode && error.refusesDeviceCode && plan.possible.contains(.paste)
                if isRefusedCode {
                    // The user left the pasted address for the code.
                    plan = plan.without(.deviceCode)
                    modes = plan.possible.drop { $0 != .paste }
                    request.onDeviceCode?(.refused(error))
                }
                guard error.allowsNextMode || isRefusedCode, let next = modes.first else {
                    throw error.naming(failures)
                }
                Log.warning("Sign-in mode \(mode.rawValue) failed: \(error.message) Trying \(next.rawValue).")
                failures.append("\(mode.rawValue): \(error.message)")
            }
        }
        throw AuthError(.unexpected, message: plan.remedy)
    }

    private func checkCancellation() throws(AuthError) {
        guard !Task.isCancelled else { throw AuthError(.canceledByProgram) }
    }

    /// Signs in through a browser, of this machine or of another one, and redeems the code.
    private func signInWithBrowser(
        _ request: InteractiveRequest,
        authority: Authority,
        by mode: SignInMode,
        in plan: SignInPlan
    ) async throws(AuthError) -> TokenResult {
        // The service: where to sign in, and what it supports.
        let resolved = try await resolve(authority, for: request)

        // The authorization request.
        let pkce = PKCE(random: random)
        var authorization = authorization(for: request, authority: authority, pkce: pkce)
        // A form leaves no code in the address bar, so there would be nothing to paste.
        authorization.responseMode = mode == .paste ? .query : responseMode(of: request, at: resolved)
        let prompt = try await prompt(request)
        authorization.prompt = prompt == .promptIfNecessary ? nil : prompt.rawValue
        let endpoint = resolved.authorizationEndpoint
        let visit = try visit(for: request, by: mode, in: plan, authorization: authorization, endpoint: endpoint)
        try browser.checkPage(of: visit)

        // The browser, and the redirect that comes back.
        let returned = try await authorize(visit)
        request.onRedirect?()
        let response: RedirectResponse
        do throws(RedirectResponse.Failure) {
            response = try RedirectResponse({ returned.parameters[$0] }, expecting: authorization.state) { iss in
                resolved.configuration.acceptsResponseIssuer(iss, authority: resolved.authority)
                    || isUsersCloud(
                        issuer: iss,
                        host: returned.parameters["cloud_instance_host_name"],
                        instead: authority
                    )
            }
        } catch {
            throw AuthError(error)
        }

        // The redemption of the code, in the user's cloud.
        let signedIn = try await inUsersCloud(resolved, host: response.cloudHost, for: request)
        var redemption = RedemptionContext(
            request: request.token,
            requestAuthority: authority,
            authority: signedIn.authority,
            resolved: signedIn,
            idTokenCheck: .full(nonce: authorization.nonce),
            account: request.account,
            source: .browser
        )
        redemption.loginHint = request.loginHint
        redemption.visitor = response.clientInfo
        do {
            return try await redeemer.redeem(
                AuthorizationCodeGrant(code: response.code, redirectURI: returned.redirectURI, verifier: pkce.verifier),
                for: redemption
            )
        } catch {
            throw error.namingProtectedAccount(request.account?.homeAccountID)
        }
    }

    private func resolve(
        _ authority: Authority,
        for request: InteractiveRequest
    ) async throws(AuthError) -> ResolvedAuthority {
        try await authorities.resolve(authority, by: authorityRules, correlationID: request.token.correlationID)
    }

    private func authorize(_ visit: AuthorizationVisit) async throws(AuthError) -> AuthorizationReturn {
        do throws(AgentError) {
            return try await agent.authorize(visit)
        } catch {
            throw AuthError(error)
        }
    }

    private func authorization(
        for request: InteractiveRequest,
        authority: Authority,
        pkce: PKCE
    ) -> AuthorizationRequest {
        var authorization = AuthorizationRequest(
            clientID: app.clientID,
            authority: authority,
            // docs/reference/Protocol.md#state
            state: Base64URL.encode(random(16)),
            nonce: Base64URL.encode(random(32)),
            pkce: pkce,
            correlationID: request.token.correlationID
        )
        authorization.scopes = request.token.scopes
        authorization.scopesToConsent = request.extraScopesToConsent
        authorization.loginHint = request.account?.username ?? request.loginHint
        authorization.homeAccountID = request.account?.homeAccountID
        authorization.domainHint = request.domainHint
        authorization.prefersQRCode = request.prefersQRPIN
        authorization.ownParameters = [app.extraQueryParameters, request.token.extraQueryParameters]
        let claims = ClaimsRequest.merged(capabilities: app.capabilities, claims: request.token.claims)
        authorization.claims = claims?.text
        authorization.acceptsOtherClouds = app.multipleCloudsSupported
        return authorization
    }

    private func visit(
        for request: InteractiveRequest,
        by mode: SignInMode,
        in plan: SignInPlan,
        authorization: AuthorizationRequest,
        endpoint: URL
    ) throws(AuthError) -> AuthorizationVisit {
        let next = plan.mode(after: mode)
        var visit = try browser.visit(expecting: authorization.state, in: request.window) { redirectURI in
            authorization.url(at: endpoint, redirectURI: redirectURI)
        }
        visit.responseMode = authorization.responseMode
        visit.isFollowedByAnotherMode = next != nil
        visit.isAttended = plan.waitsForManualOpen
        if mode == .paste, let ask = request.onPaste { visit.paste = PasteRequest(nextMode: next, ask: ask) }
        return visit
    }

    private func checkClaims(_ request: InteractiveRequest) throws(AuthError) {
        let name = Parameter.claims.rawValue
        let isExtra =
            app.extraQueryParameters[name] != nil
            || request.token.extraQueryParameters[name] != nil
        if isExtra, request.token.claims?.object?.isEmpty == false {
            throw AuthError(
                .invalidParameter,
                message: "Claims are specified twice: as a claims request and as a query parameter."
            )
        }
    }

    /// A user who signed out of this app is asked for the password again (docs/reference/Protocol.md#prompt). So is
    /// every user while the store cannot be read, because a locked keyring must not prevent a sign-in.
    private func prompt(_ request: InteractiveRequest) async throws(AuthError) -> RequestedPrompt {
        guard request.prompt != .consent, let homeAccountID = request.account?.homeAccountID else {
            return request.prompt
        }
        do {
            return try await store.isSignedOut(homeAccountID) ? .login : request.prompt
        } catch {
            guard case .store = error.kind else { throw error }
            Log.warning("Whether the user signed out of this app cannot be read: \(error.message)")
            return .login
        }
    }

    /// `form_post` keeps the code out of the browser's history; it needs a receiver and a service that can do it
    /// (docs/reference/RedirectURIs.md#response-mode).
    private func responseMode(of request: InteractiveRequest, at resolved: ResolvedAuthority) -> ResponseMode {
        let name = Parameter.responseMode.rawValue
        let wanted = request.token.extraQueryParameters[name] ?? app.extraQueryParameters[name]
        if wanted == ResponseMode.query.rawValue { return .query }
        guard browser.redirectURI.isLoopback,
            resolved.configuration.responseModes.contains(ResponseMode.formPost.rawValue)
        else { return .query }
        return .formPost
    }

    /// The authority of the user's own cloud, if the redirect named one that is known
    /// (docs/reference/Protocol.md#other-clouds).
    private func inUsersCloud(
        _ resolved: ResolvedAuthority,
        host: String?,
        for request: InteractiveRequest
    ) async throws(AuthError) -> ResolvedAuthority {
        guard let moved = usersAuthority(host: host, instead: resolved.authority) else { return resolved }
        return try await resolve(moved, for: request)
    }

    /// Whether a redirect names another cloud, with an issuer that belongs to that cloud.
    private func isUsersCloud(issuer iss: String?, host: String?, instead authority: Authority) -> Bool {
        guard let iss, let moved = usersAuthority(host: host, instead: authority) else { return false }
        return issuerIsAccepted(iss, for: moved, aliases: [])
    }

    /// The authority of the user's cloud; `nil` if the host is in the authority's own cloud, or if it may not be asked.
    /// The app must expect users of other clouds. No other host is asked if instance discovery is off.
    private func usersAuthority(host: String?, instead authority: Authority) -> Authority? {
        guard let host, !host.isEmpty, app.multipleCloudsSupported, authorityRules.isInstanceDiscoveryEnabled
        else { return nil }
        let moved = authority.applyingCloudHost(host, discoveredNetworks: authorities.discoveredNetworks)
        return moved == authority ? nil : moved
    }
}

// MARK: - Sign-in modes

extension InteractiveFlow {
    /// The sign-in modes that would be tried for a request on this machine, with the reasons. Nothing is started.
    package func modes(for request: InteractiveRequest) async throws(AuthError) -> SignInPlan {
        await modes(for: request, authority: try authorityRules.authority(of: request.token))
    }

    func modes(for request: InteractiveRequest, authority: Authority) async -> SignInPlan {
        var modeRequest = SignInModeRequest(redirect: browser.redirectURI.modeRedirect)
        modeRequest.showsAddress = request.window.onOpen != nil
        modeRequest.opensNoBrowser = browser.command == []
        modeRequest.canPaste = request.onPaste != nil
        modeRequest.showsDeviceCode = request.onDeviceCode != nil
        modeRequest.hasUserFlows = [.b2c, .ciam].contains(authority.kind)
        modeRequest.forced = request.modes
        modeRequest.brokerRefusal = broker.access.refusal(for: request, authority: authority)
        var machine = await agent.signInEnvironment(browserCommand: browser.command)
        if modeRequest.brokerRefusal == nil, modeRequest.forced?.contains(.broker) ?? true {
            machine.broker = await broker.access.broker.ignoringHangs.availability()
        }
        return SignInModeSelector().plan(for: modeRequest, on: machine)
    }
}

extension RedirectURI {
    fileprivate var modeRedirect: SignInModeRequest.Redirect {
        switch kind {
        case .loopback: .loopback
        // An app that has its redirect URI accepted unseen may name any page of the web.
        case .scheme where text.lowercased().hasPrefix("http:") || text.lowercased().hasPrefix("https:"): .web
        case .scheme: .scheme(text.prefix { $0 != ":" } + "")
        case .https: .web
        }
    }
}

extension SignInPlan {
    /// The message if no sign-in mode works.
    var remedy: String {
        "\(explanation) Name a browser with browserCommand or the variable BROWSER, set DISPLAY or "
            + "WAYLAND_DISPLAY, or let the app offer another mode: onOpen, onPaste, or onDeviceCode. Without a terminal, and in "
            + "an automatic build, onOpen counts only for a mode that the app names in modes."
    }
}

extension AuthError {
    /// Whether the service does not accept sign-ins by a code, for example because of a policy. Then neither the user
    /// declined nor did the code expire. Numbers of errors are not looked at (docs/reference/Decisions.md#numbers).
    var refusesDeviceCode: Bool {
        switch kind {
        case .tokenRefused(let refusal): refusal.isNamed("invalid_grant") || refusal.isNamed("interaction_required")
        case .protectionPolicyRequired: true
        case .invalidParameter, .unexpected, .invalidRedirectURI, .redirectSchemeNotRegistered, .interactionRequired,
            .authorizationRefused, .declinedScopes, .canceled, .sessionAlreadyRunning, .invalidState, .invalidResponse,
            .authorityValidationFailed, .http, .transport, .ambiguousAccount, .accountRequired, .deviceNotRegistered,
            .mismatchedUser, .broker, .store:
            false
        }
    }

    /// The error, extended by the modes that failed before.
    func naming(_ failures: [String]) -> AuthError {
        guard !failures.isEmpty else { return self }
        var copy = self
        copy.message += " Other sign-in modes failed before: \(failures.joined(separator: " "))"
        return copy
    }
}

/// Redeems an authorization code (RFC 6749 §4.1.3, RFC 7636 §4.5).
struct AuthorizationCodeGrant: TokenGrant {
    let code: Secret
    /// The redirect URI of the authorization request, to the letter, port included.
    let redirectURI: String
    let verifier: Secret

    let grantType = "authorization_code"
    /// A code can be used once (RFC 6749 §4.1.2). If the response was lost, the service has already redeemed the
    /// code and would refuse a second request.
    let repetition = HTTPMessage.Repetition.unlessSent

    var parameters: FormBody {
        var form = FormBody()
        form.set(.code, to: code.exposed)
        form.set(.redirectURI, to: redirectURI)
        form.set(.codeVerifier, to: verifier.exposed)
        return form
    }
}
