// Licensed under the MIT License. See LICENSE.

/// The settings of an application that signs users in with forms of its own.
///
/// The application copies them: later changes have no effect on it. A redirect URI is needed only for users whom the
/// service sends to the browser; the usual one is `http://localhost`. Without a redirect URI those users cannot sign
/// in, and the log gets a warning. Not safe to use from two threads at once.
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
    /// The steps after the first factor for which the app has forms; empty by default. If a step is not in it, the
    /// service sends users who need the step, a second factor or the registration of a method, to the browser.
    public var capabilities: MSALNativeAuthCapabilities = []

    /// Adds headers to each request; `nil` by default.
    public var requestInterceptor: (any MSALNativeAuthRequestInterceptor)?

    package let challengeTypes: MSALNativeAuthChallengeTypes

    /// Settings with an authority. It must be an `MSALCIAMAuthority`: with any other, the application's initialiser
    /// fails.
    ///
    /// - Parameters:
    ///   - clientId: The application id of the registration.
    ///   - authority: The External ID tenant, with its path: `https://contoso.ciamlogin.com/<tenant>` or the same under
    ///     a custom domain.
    ///   - challengeTypes: The kinds of challenge for which the app has forms.
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

    /// Settings with the authority `https://<tenantSubdomain>.ciamlogin.com`.
    ///
    /// - Throws: `NSError` with ``MSALError/internal`` and the detail -42000 if the subdomain is not one label of a
    ///   host name. Take it from the tenant's overview page.
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

    /// A copy that can be changed without changing this one; the interceptor is the same object.
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
