// Licensed under the MIT License. See LICENSE.

/// An application the platform knows. All of them are public clients.
struct AppRegistration: Sendable, Equatable {
    let clientID: String
    let displayName: String
    let redirectURIs: [RedirectURI]
    /// Redirects of single-page applications, whose refresh tokens live for 24 hours.
    let singlePageRedirectURIs: [RedirectURI]
    /// Whether it shares refresh tokens with the other apps of its family (`foci` 1).
    let isInFamily: Bool
    /// What native sign-in asks of customers; `nil` where it is switched off.
    let native: NativePolicy?
    /// The APIs for which an administrator of the External ID tenant has consented on everybody's behalf, by audience.
    let consentedAudiences: [String]

    init(
        clientID: String,
        displayName: String,
        redirectURIs: [String],
        singlePageRedirectURIs: [String] = [],
        isInFamily: Bool = false,
        native: NativePolicy? = nil,
        consentedAudiences: [String] = []
    ) {
        self.clientID = clientID
        self.displayName = displayName
        self.redirectURIs = redirectURIs.compactMap(RedirectURI.init)
        self.singlePageRedirectURIs = singlePageRedirectURIs.compactMap(RedirectURI.init)
        self.isInFamily = isInFamily
        self.native = native
        self.consentedAudiences = consentedAudiences
    }

    /// Whether the redirect URI of a request is registered.
    func allows(_ uri: RedirectURI) -> Bool {
        redirectURIs.contains { $0.matches(uri) } || isSinglePage(uri)
    }

    /// Whether the redirect URI belongs to a single-page application.
    func isSinglePage(_ uri: RedirectURI) -> Bool {
        singlePageRedirectURIs.contains { $0.matches(uri) }
    }
}
