// Licensed under the MIT License. See LICENSE.

package import MSALCore

/// The settings of one client, copied from the app's configuration when the application object was made. Each flow is
/// given the parts that it needs.
package struct ClientConfiguration: Sendable {
    /// The app, as its requests name it.
    package struct App: Sendable {
        package var clientID: String
        package var capabilities: [String] = []
        package var multipleCloudsSupported = false
        /// Parameters that are added to the authorization request and to the token request.
        package var extraQueryParameters: [String: String] = [:]
    }

    /// The authorities that requests may name.
    package struct AuthorityRules: Sendable {
        /// The authority of the requests that name none.
        package var configured: Authority
        package var known: [Authority] = []
        package var isInstanceDiscoveryEnabled = true
        var isValidationEnabled = true
        /// The emulator to which all requests go instead of the service, whatever authority they name.
        var emulator: EmulatorAddress?

        package var policy: AuthorityPolicy {
            AuthorityPolicy(
                isValidationEnabled: isValidationEnabled,
                isInstanceDiscoveryEnabled: isInstanceDiscoveryEnabled,
                developerKnown: known
            )
        }
    }

    /// The visits of the browser.
    package struct Browser: Sendable {
        package var redirectURI: RedirectURI
        /// The time that the browser may take; five minutes by default.
        var timeout: Duration = .seconds(300)
        /// The app's own command for a browser, if it has one. An empty one opens no browser.
        var command: [String]?
        /// The address of this machine on which the listener waits, besides those that only this machine reaches.
        var listenAddress: ListenAddress?
    }

    /// Whether the identity broker of this machine may be used.
    package struct Broker: Sendable {
        /// Whether the app allows it. The process decides again for each call.
        package var isAllowed = true
        /// Whether every redirect URI is accepted, which turns the broker off.
        package var acceptsAnyRedirectURI = false
    }

    package var app: App
    package var authorityRules: AuthorityRules
    package var browser: Browser
    package var broker = Broker()
    package var verifiesIDTokenSignature = true
    /// Whether an expired token in its extended life is returned while the service is down.
    package var extendedLifetimeEnabled = false
    /// A token with less life left than this is renewed. Five minutes by default.
    package var tokenExpirationBuffer: Duration = .seconds(300)
    /// Whether the user may be asked to unlock the place where the store's key is.
    var mayAskToUnlock = false
    var headers = ClientHeaders()
    /// Receives the outcome of a renewal before the token's expiry.
    var refreshObserver: (@Sendable (Result<TokenResult, AuthError>) -> Void)?

    package init(clientID: String, authority: Authority, redirectURI: RedirectURI) {
        app = App(clientID: clientID)
        authorityRules = AuthorityRules(configured: authority)
        browser = Browser(redirectURI: redirectURI)
    }
}

extension ClientConfiguration.AuthorityRules {
    /// Rejects requests that the app may not make (docs/reference/Protocol.md#parameter-checks).
    ///
    /// - Returns: The authority of the request.
    /// - Throws: `.invalidParameter`; correct the request.
    @discardableResult
    func check(_ request: TokenRequest, clientID: String) throws(AuthError) -> Authority {
        let authority = try authority(of: request)
        try request.scopes.checkNumber()
        let reserved = request.scopes.values.filter(ScopeSet.openID.values.contains)
        guard reserved.isEmpty else {
            let names = reserved.joined(separator: ", ")
            throw AuthError(
                .invalidParameter,
                message: "The library requests \(names) itself; remove it from the scopes."
            )
        }
        if authority.kind != .b2c, request.scopes.values.contains(clientID) {
            throw AuthError(.invalidParameter, message: "Only B2C accepts the client ID as a scope.")
        }
        return authority
    }

    /// The authority that replaces the app's authority in requests: the same, but at the emulator.
    func moved(_ authority: Authority) -> Authority { emulator?.replacing(authority) ?? authority }

    /// The authority of a request: its own, else the configured one; both must be of one kind.
    ///
    /// - Throws: `.invalidParameter` if they are not.
    func authority(of request: TokenRequest) throws(AuthError) -> Authority {
        do {
            return try configured.overridden(by: request.authority.map(moved))
        } catch {
            throw AuthError(error)
        }
    }
}

extension ClientConfiguration.Browser {
    /// A visit that ends at the app's redirect URI.
    ///
    /// - Throws: `.invalidRedirectURI` for text that is not a URL, which only a bypassed check lets through.
    func visit(
        expecting state: String,
        in window: BrowserWindow,
        url: @escaping @Sendable (_ redirectURI: String) -> URL
    ) throws(AuthError) -> AuthorizationVisit {
        AuthorizationVisit(
            redirect: try redirectURI.visit(),
            expectedState: state,
            window: window,
            timeout: timeout,
            browserCommand: command,
            listenAddress: listenAddress,
            url: url
        )
    }

    /// Checks the address that a visit opens. The parameters of the app may make it longer than any server takes.
    ///
    /// - Throws: `.invalidParameter`; shorten what is passed.
    func checkPage(of visit: AuthorizationVisit) throws(AuthError) {
        do throws(TransportError) {
            _ = try HTTPAddress(built: visit.url(redirectURI.text))
        } catch {
            throw AuthError(.invalidParameter, message: "The page cannot be opened. \(error.message)")
        }
    }
}

extension ScopeSet {
    /// - Throws: `.invalidParameter`; ask for fewer.
    func checkNumber() throws(AuthError) {
        guard values.count > ScopeSet.most else { return }
        throw AuthError(
            .invalidParameter,
            message:
                "The request has \(values.count) scopes; the limit is \(ScopeSet.most). Remove some."
        )
    }
}
