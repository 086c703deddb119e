// Licensed under the MIT License. See LICENSE.

/// An `EmulatorDirectory.Application` whose redirect URIs have been parsed.
struct AppRegistration: Sendable, Equatable {
    let clientID: String
    let displayName: String
    let redirectURIs: [RedirectURI]
    /// The redirect URIs of single-page applications, whose refresh tokens live for 24 hours.
    let singlePageRedirectURIs: [RedirectURI]
    /// Whether it shares refresh tokens with the other applications of its family (`foci` 1).
    let isInFamily: Bool
    /// What native authentication asks of customers; `nil` where it is switched off.
    let native: NativePolicy?
    /// The APIs for which an administrator of an External ID tenant has consented for everybody, by audience.
    let consentedAudiences: [String]

    /// Whether the redirect URI of a request is registered.
    func allows(_ uri: RedirectURI) -> Bool {
        redirectURIs.contains { $0.matches(uri) } || isSinglePage(uri)
    }

    /// Whether the redirect URI belongs to a single-page application.
    func isSinglePage(_ uri: RedirectURI) -> Bool {
        singlePageRedirectURIs.contains { $0.matches(uri) }
    }
}
