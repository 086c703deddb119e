// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

// Parameter objects can change while a call runs. This file reads them once, when the call begins.

extension MSALPublicClientApplicationConfig {
    /// Creates the core's settings from these values.
    ///
    /// `applicationID` is the app's name, `registeredSchemes` the schemes in its desktop entry. `replacement` is a
    /// redirect URI to use instead of the app's; `nil` keeps the app's. `emulator` replaces the service, if there is
    /// one.
    ///
    /// - Throws: `.invalidParameter` for a client ID that is blank or has control characters, and for a `listenAddress`
    ///   that is not an IP address; `.redirectSchemeNotRegistered`, `.invalidRedirectURI`, and `.unexpected` for
    ///   redirect URIs; `.unexpected` for a hub app.
    func snapshot(
        applicationID: String?,
        registeredSchemes: @autoclosure () -> Set<String>,
        replacement: String? = nil,
        emulator: EmulatorAddress? = nil
    ) throws(AuthError) -> ClientConfiguration {
        guard !clientId.allSatisfy(\.isWhitespace) else {
            throw AuthError(.invalidParameter, message: "The client ID is blank; take it from the app registration.")
        }
        guard !clientId.hasControlCharacters else {
            throw AuthError(
                .invalidParameter,
                message: "The client ID has control characters; take it from the app registration."
            )
        }
        guard nestedAuthBrokerClientId.isEmpty else {
            throw AuthError(
                .unexpected,
                message: "Nested app authentication needs a broker for hub apps, and Linux has none."
            )
        }
        let name = RedirectURI.variable
        if let replacement {
            Log.warning("\(name) replaces the redirect URI \(redirectUri ?? "of the app") with \(replacement).")
        }
        let redirectURI: RedirectURI
        do {
            redirectURI = try RedirectURI.verify(
                replacement ?? redirectUri,
                applicationID: applicationID,
                registeredSchemes: registeredSchemes(),
                authority: authority.core,
                bypass: bypassRedirectURIValidation
            )
        } catch {
            throw AuthError(
                error,
                remedy: replacement == nil ? "\(name) in the environment replaces it." : "It comes from \(name)."
            )
        }
        if let emulator { Log.warning(emulator.warning) }
        let authority = emulator?.replacing(authority.core) ?? authority.core
        var configuration = ClientConfiguration(clientID: clientId, authority: authority, redirectURI: redirectURI)
        configuration.authorityRules.emulator = emulator
        configuration.authorityRules.known = knownAuthorities.map(\.core)
        configuration.authorityRules.isInstanceDiscoveryEnabled = instanceDiscoveryEnabled
        configuration.verifiesIDTokenSignature = verifiesIDTokenSignature
        configuration.extendedLifetimeEnabled = extendedLifetimeEnabled
        configuration.tokenExpirationBuffer = .clamped(seconds: tokenExpirationBuffer)
        configuration.app.capabilities = clientApplicationCapabilities ?? []
        configuration.app.multipleCloudsSupported = multipleCloudsSupported
        configuration.app.extraQueryParameters = sliceConfig?.queryParameters ?? [:]
        configuration.browser.timeout = interactionTimeout
        configuration.browser.command = opensBrowser ? browserCommand.flatMap { $0.isEmpty ? nil : $0 } : []
        configuration.browser.listenAddress = try listenAddress.map(Self.checkedListenAddress)
        configuration.mayAskToUnlock = cacheConfig.allowsUnlockPrompt
        configuration.broker.acceptsAnyRedirectURI = bypassRedirectURIValidation
        configuration.headers = ClientHeaders(applicationName: applicationID, applicationVersion: applicationVersion)
        if let onBackgroundRefresh {
            configuration.refreshObserver = { outcome in
                onBackgroundRefresh(outcome.map { MSALResult($0) }.mapError { $0.nsError })
            }
        }
        return configuration
    }
}

extension MSALPublicClientApplicationConfig {
    private static func checkedListenAddress(_ text: String) throws(AuthError) -> ListenAddress {
        guard let address = ListenAddress(text) else {
            throw AuthError(
                .invalidParameter,
                message: "listenAddress is not an IP address: \(text). Use one of this machine's addresses, or 0.0.0.0."
            )
        }
        return address
    }
}

extension AuthError {
    /// A rejected redirect URI. `remedy` states where else it can be changed.
    init(_ error: RedirectURIError, remedy: String) {
        let message = "\(error.message) \(remedy)"
        switch error.kind {
        case .fragment: self.init(.unexpected, message: message)
        case .notRegistered: self.init(.redirectSchemeNotRegistered, message: message)
        case .invalid: self.init(.invalidRedirectURI, message: message)
        }
    }
}

extension MSALTokenParameters {
    /// Reads the parameters with the ID that the request will have, which their errors also contain.
    fileprivate func read<Request>(
        _ correlationID: UUID? = nil,
        body: (UUID) throws(AuthError) -> Request
    ) throws(AuthError) -> Request {
        let id = correlationID ?? correlationId ?? .random()
        do {
            return try body(id)
        } catch {
            throw error.correlated(id)
        }
    }

    /// The common part of all token requests.
    ///
    /// - Throws: `.unexpected` for an app's own scheme; `.invalidParameter` for claims that JSON cannot represent.
    fileprivate func tokenRequest(_ id: UUID) throws(AuthError) -> TokenRequest {
        var request = TokenRequest(scopes: ScopeSet(scopes), correlationID: id)
        switch authenticationScheme {
        case nil, is MSALAuthenticationSchemeBearer: break
        case let scheme as MSALAuthenticationSchemePop:
            request.proof = scheme.request
            request.proofKey = scheme.externalKeyPair?.key
        default:
            throw AuthError(
                .unexpected,
                message: "Tokens are either bearer or proof-of-possession tokens; use one of the two."
            )
        }
        request.authority = authority?.core
        request.extraQueryParameters = extraQueryParameters ?? [:]
        if let claimsRequest {
            guard let claims = try? claimsRequest.json() else {  // The request checked its values when they were set.
                throw AuthError(.invalidParameter, message: "The claims request has a value that JSON cannot express.")
            }
            request.claims = claims == .object([:]) ? nil : claims
        }
        return request
    }
}

extension MSALSilentTokenParameters {
    /// The request as the core reads it; see ``snapshot(_:)``, which keeps it.
    func parsed(_ correlationID: UUID) throws(AuthError) -> SilentRequest {
        try read(correlationID) { id throws(AuthError) in
            SilentRequest(
                token: try tokenRequest(id),
                account: account?.snapshot.reference,
                forceRefresh: forceRefresh,
                mayUseOwnRefreshToken: allowUsingLocalCachedRtWhenSsoExtFailed
            )
        }
    }
}

extension MSALInteractiveTokenParameters {
    /// Creates the core's request from these values.
    ///
    /// - Throws: The errors of the base; `.unexpected` for an app's own web view.
    func snapshot() throws(AuthError) -> InteractiveRequest {
        try read { id throws(AuthError) in
            let window = try webviewParameters.window()
            var request = InteractiveRequest(token: try tokenRequest(id))
            request.account = account?.snapshot.reference
            request.prompt = promptType.prompt
            request.loginHint = loginHint
            request.domainHint = domainHint
            request.extraScopesToConsent = ScopeSet(extraScopesToConsent ?? [])
            request.prefersQRPIN = preferredAuthMethod == .QRPIN
            request.window = window
            request.onRedirect = webviewParameters.onRedirect
            request.onBroker = webviewParameters.brokerCall
            request.onBrokerResponse = MSALWebviewParameters.postBrokerResponse
            if let ask = webviewParameters.onPaste {
                request.onPaste = { prompt in await ask(MSALPastePrompt(prompt)).core }
            }
            if let show = onDeviceCode { request.onDeviceCode = { show(MSALDeviceCodeState($0)) } }
            request.modes = try requestedModes()
            return request
        }
    }

    private func requestedModes() throws(AuthError) -> [SignInMode]? {
        guard let modes else { return nil }
        guard !modes.isEmpty else {
            throw AuthError(
                .invalidParameter,
                message: "modes names no sign-in mode. Leave it out, or name those that may be used."
            )
        }
        var names: [SignInMode] = []
        for mode in modes {
            guard let name = mode.name else {
                let known = MSALSignInMode.all.map(\.rawValue).joined(separator: ", ")
                throw AuthError(
                    .invalidParameter,
                    message: "\(mode.rawValue) is not a sign-in mode. Use one of: \(known)."
                )
            }
            if !names.contains(name) { names.append(name) }
        }
        return names
    }
}

extension MSALDeviceCodeTokenParameters {
    /// Creates the core's request from these values.
    func snapshot() throws(AuthError) -> DeviceCodeRequest {
        try read { id throws(AuthError) in
            let show = onState
            var request = DeviceCodeRequest(token: try tokenRequest(id)) { show?(MSALDeviceCodeState($0)) }
            request.timeout = timeout
            return request
        }
    }
}

extension MSALWebviewParameters {
    /// Creates the core's options for the browser window.
    ///
    /// - Throws: `.unexpected` for an app's own web view.
    func window() throws(AuthError) -> BrowserWindow {
        guard customWebview == nil else {
            throw AuthError(
                .unexpected,
                message: "A custom web view cannot be used on Linux; leave it out for the browser."
            )
        }
        var window = usualWindow
        window.isPrivate = prefersEphemeralWebBrowserSession
        window.onUsualWindow = onUsualWindow
        return window
    }

    /// The options for a page that always opens in a regular window.
    fileprivate var usualWindow: BrowserWindow {
        BrowserWindow(parent: parentWindow, onOpen: onOpen, onLaunch: onLaunch, pageTexts: landingPage.texts)
    }
}

extension MSALPromptType {
    fileprivate var prompt: RequestedPrompt {
        switch self {
        case .selectAccount: .selectAccount
        case .login: .login
        case .consent: .consent
        case .create: .create
        case .promptIfNecessary: .promptIfNecessary
        }
    }
}

extension MSALSignoutParameters {
    /// Creates the core's request from these values.
    ///
    /// - Throws: `.invalidParameter` without an account, and for the browser without web view parameters.
    func snapshot(_ account: MSALAccount?) throws(AuthError) -> SignOutRequest {
        guard let account else { throw AuthError(.invalidParameter, message: "There is no account to sign out.") }
        guard hasWebviewParameters || !signoutFromBrowser else {
            throw AuthError(.invalidParameter, message: "Signing out in the browser needs web view parameters.")
        }
        var request = SignOutRequest(account: account.snapshot.reference)
        request.signsOutFromBrowser = signoutFromBrowser
        request.wipesAccount = wipeAccount
        request.wipesEverything = wipeCacheForAllAccounts
        request.extraQueryParameters = extraQueryParameters ?? [:]
        request.window = webviewParameters.usualWindow
        request.logoutHint = account.snapshot.logoutHint
        request.onOutcome = { [onSignOutOutcome, unconfirmed] outcome in
            onSignOutOutcome?(MSALSignoutOutcome(outcome))
            switch outcome {
            case .closed, .timedOut: unconfirmed?()
            case .ended, .notOffered: break
            }
        }
        return request
    }
}

extension MSALAccountEnumerationParameters {
    /// Creates the core's filter from these values.
    var filter: AccountFilter {
        AccountFilter(
            homeAccountID: identifier,
            username: username,
            tenantProfileID: tenantProfileIdentifier,
            onlySignedIn: returnOnlySignedInAccounts
        )
    }
}
