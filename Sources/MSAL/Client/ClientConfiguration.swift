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
