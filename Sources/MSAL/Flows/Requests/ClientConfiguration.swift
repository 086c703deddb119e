// Licensed under the MIT License. See LICENSE.

package import MSALCore

/// The settings of one client, copied from the app's configuration when the application object was made.
package struct ClientConfiguration: Sendable {
    package var clientID: String
    package var authority: Authority
    package var redirectURI: RedirectURI
    package var knownAuthorities: [Authority] = []
    package var isInstanceDiscoveryEnabled = true
    package var isAuthorityValidationEnabled = true
    package var verifiesIDTokenSignature = true
    /// Return an expired token in its extended life while the service is down.
    package var extendedLifetimeEnabled = false
    /// A token with less life left than this is renewed. Five minutes by default.
    package var tokenExpirationBuffer: Duration = .seconds(300)
    package var capabilities: [String] = []
    package var multipleCloudsSupported = false
    /// Added to the authorization and the token request.
    package var extraQueryParameters: [String: String] = [:]
    /// How long the browser may take; five minutes by default.
    package var interactionTimeout: Duration = .seconds(300)
    /// The app's own command for a browser, if it has one. An empty one opens no browser.
    package var browserCommand: [String]?
    /// The address of this machine on which the listener waits, besides those that only this machine reaches.
    package var listenAddress: ListenAddress?
    /// Whether the user may be asked to unlock the place where the store's key is.
    package var mayAskToUnlock = false
    /// Whether the app allows the identity broker of this machine. The process decides it anew for each call.
    package var allowsBroker = true
    /// Whether every redirect URI is accepted, which turns the broker off.
    package var acceptsAnyRedirectURI = false
    package var headers = ClientHeaders()
    /// The emulator to which all requests go in the place of the service, whatever authority they name.
    package var emulator: EmulatorAddress?

    package init(clientID: String, authority: Authority, redirectURI: RedirectURI) {
        self.clientID = clientID
        self.authority = authority
        self.redirectURI = redirectURI
    }

    package var authorityPolicy: AuthorityPolicy {
        AuthorityPolicy(
            isValidationEnabled: isAuthorityValidationEnabled,
            isInstanceDiscoveryEnabled: isInstanceDiscoveryEnabled,
            developerKnown: knownAuthorities
        )
    }
}

extension ClientConfiguration {
    /// Checks what the app may not ask for (docs/reference/Protocol.md#parameter-checks).
    ///
    /// - Returns: The authority of the request.
    /// - Throws: `.invalidParameter`; correct the request.
    @discardableResult
    func check(_ request: TokenRequest) throws(AuthError) -> Authority {
        let authority = try authority(of: request)
        try checkNumber(of: request.scopes)
        let reserved = request.scopes.values.filter(ScopeSet.openID.values.contains)
        guard reserved.isEmpty else {
            let names = reserved.joined(separator: ", ")
            throw AuthError(
                .invalidParameter,
                message: "The library asks for \(names) itself; leave it out of the scopes."
            )
        }
        if authority.kind != .b2c, request.scopes.values.contains(clientID) {
            throw AuthError(.invalidParameter, message: "Only B2C takes the client id as a scope.")
        }
        return authority
    }

    /// - Throws: `.invalidParameter`; ask for fewer.
    func checkNumber(of scopes: ScopeSet) throws(AuthError) {
        guard scopes.values.count > ScopeSet.most else { return }
        throw AuthError(
            .invalidParameter,
            message:
                "\(scopes.values.count) scopes are asked for at once; \(ScopeSet.most) is the limit. Leave some out."
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

    /// The authority that replaces the app's authority in requests: the same, but at the emulator.
    package func moved(_ authority: Authority) -> Authority {
        emulator?.replacing(authority) ?? authority
    }

    /// The authority of a request: its own, else the configured one; both must be of one kind.
    ///
    /// - Throws: `.invalidParameter` if they are not.
    func authority(of request: TokenRequest) throws(AuthError) -> Authority {
        do {
            return try authority.overridden(by: request.authority.map(moved))
        } catch {
            throw AuthError(error)
        }
    }
}
