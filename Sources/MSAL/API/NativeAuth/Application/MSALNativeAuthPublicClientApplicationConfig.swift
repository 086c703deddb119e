// Licensed under the MIT License. See LICENSE.

/// The settings of an application that signs users in with its own forms.
///
/// The application copies them: later changes have no effect. A redirect URI is only needed for users whom the service
/// sends to the browser; the usual one is `http://localhost`. Without one, those users cannot sign in, and a warning is
/// logged. Not thread-safe.
///
/// ```swift
/// let configuration = try MSALNativeAuthPublicClientApplicationConfig(
///     clientId: clientID,
///     tenantSubdomain: "contoso",
///     challengeTypes: [.OOB, .password]
/// )
/// configuration.capabilities = [.mfaRequired, .registrationRequired]
/// let application = try MSALNativeAuthPublicClientApplication(nativeAuthConfiguration: configuration)
/// ```
public final class MSALNativeAuthPublicClientApplicationConfig: MSALPublicClientApplicationConfig {
    /// The steps after the first factor for which the app has forms; empty by default. If a step is missing, the
    /// service sends users who need it to the browser: a second factor, or the registration of a method.
    public var capabilities: MSALNativeAuthCapabilities = []

    /// Adds headers to each request; `nil` by default.
    public var requestInterceptor: (any MSALNativeAuthRequestInterceptor)?

    package let challengeTypes: MSALNativeAuthChallengeTypes

    /// Creates settings with an authority. It must be an `MSALCIAMAuthority`; otherwise, the application's initializer
    /// fails.
    ///
    /// - Parameters:
    ///   - clientId: The application ID of the registration.
    ///   - authority: The External ID tenant, with its path: `https://contoso.ciamlogin.com/<tenant>` or the same path
    ///     on a custom domain.
    ///   - challengeTypes: The challenges for which the app has forms.
    public init(clientId: String, authority: MSALAuthority, challengeTypes: MSALNativeAuthChallengeTypes) {
        self.challengeTypes = challengeTypes
        super.init(
            clientId: clientId,
            redirectUri: nil,
            authority: authority,
            nestedAuthBrokerClientId: nil,
            nestedAuthBrokerRedirectUri: nil
        )
    }

    /// Creates settings with the authority `https://<tenantSubdomain>.ciamlogin.com`.
    ///
    /// - Throws: `NSError` with ``MSALError/internal`` and the detail -42000 if the subdomain is not a single label of
    ///   a host name. Copy it from the tenant's overview page.
    public convenience init(
        clientId: String,
        tenantSubdomain: String,
        challengeTypes: MSALNativeAuthChallengeTypes
    ) throws {
        let isLabel = tenantSubdomain.wholeMatch(of: #/[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?/#) != nil
        guard isLabel, let url = URL(string: "https://\(tenantSubdomain).ciamlogin.com") else {
            throw AuthError(
                .invalidParameter,
                message: "“\(tenantSubdomain)” is not a subdomain; pass contoso for contoso.ciamlogin.com."
            ).nsError
        }
        self.init(clientId: clientId, authority: try MSALCIAMAuthority(url: url), challengeTypes: challengeTypes)
    }

    /// Returns an independent copy; the interceptor is the same object.
    public override func copy(with zone: NSZone? = nil) -> Any {
        let copy = MSALNativeAuthPublicClientApplicationConfig(
            clientId: clientId,
            authority: authority,
            challengeTypes: challengeTypes
        )
        copy.redirectUri = redirectUri
        copy.nestedAuthBrokerClientId = nestedAuthBrokerClientId
        copy.nestedAuthBrokerRedirectUri = nestedAuthBrokerRedirectUri
        copy.capabilities = capabilities
        copy.requestInterceptor = requestInterceptor
        copySettings(to: copy)
        return copy
    }
}
