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

/// The challenges for which an app has forms.
///
/// They are announced to the service; `redirect` is always added. A user who needs another challenge is sent to the
/// browser.
public struct MSALNativeAuthChallengeTypes: OptionSet, Sendable {
    /// 1 for ``OOB``, 2 for ``password``, or their sum.
    public let rawValue: Int

    /// Creates types from their numbers; unknown bits are ignored.
    public init(rawValue: Int) { self.rawValue = rawValue }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// A one-time code, sent by email or SMS.
    public static let OOB = MSALNativeAuthChallengeTypes(rawValue: 1)

    /// A password.
    public static let password = MSALNativeAuthChallengeTypes(rawValue: 2)
}

/// The additional sign-in steps for which an app has forms.
///
/// Without a capability, the service sends users who need that step to the browser.
public struct MSALNativeAuthCapabilities: OptionSet, Sendable {
    /// 1 for ``mfaRequired``, 2 for ``registrationRequired``, or their sum.
    public let rawValue: Int

    /// Creates capabilities from their numbers; unknown bits are ignored.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The app supports second factors.
    public static let mfaRequired = MSALNativeAuthCapabilities(rawValue: 1)

    /// The app lets users register a strong authentication method.
    public static let registrationRequired = MSALNativeAuthCapabilities(rawValue: 2)
}

/// Receives the headers to add to a request, or `nil` for none. Only the first call has an effect.
public typealias MSALNativeAuthRequestInterceptorAddHeaderCompletionBlock = ([String: String]?) -> Void

/// Adds headers to the requests of native authentication.
public protocol MSALNativeAuthRequestInterceptor: NSObjectProtocol {
    /// Called before every attempt of a request, including retries, on any thread; two requests may call it
    /// concurrently.
    ///
    /// Not called for requests of `getAccessToken`.
    ///
    /// - Parameters:
    ///   - requestUrl: The complete URL of the request.
    ///   - completionBlock: Call it once, from any thread; the request waits for it until it is canceled. Only headers
    ///     whose name begins with `x-`, but not with `x-ms-`, `x-client-`, `x-broker-`, or `x-app-`, are used; others
    ///     are silently dropped. A block that is released without being called counts as `nil`.
    func addAdditionalHeaderFields(
        _ requestUrl: URL?,
        completionBlock: @escaping MSALNativeAuthRequestInterceptorAddHeaderCompletionBlock
    )
}
