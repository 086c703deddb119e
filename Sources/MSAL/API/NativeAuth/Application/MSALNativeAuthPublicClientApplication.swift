// Licensed under the MIT License. See LICENSE.

import MSALBase

/// Signs customers of an External ID tenant up and in with forms of the app's own: the entry to native authentication.
///
/// Each flow has two faces. `signIn(parameters:)` and its like are asynchronous and return the next step as an enum;
/// `signIn(parameters:delegate:)` and its like return at once and call a delegate, always on the main actor, exactly
/// once for each call. A program without a main loop uses the asynchronous face.
///
/// The class inherits all calls of `MSALPublicClientApplication`. If a user must go on in the browser, call
/// `acquireToken(with:)`. The tokens of native sign-ins and of the browser are in the same store.
///
/// ```swift
/// let configuration = try MSALNativeAuthPublicClientApplicationConfig(
///     clientId: clientID,
///     tenantSubdomain: "contoso",
///     challengeTypes: [.OOB]
/// )
/// let application = try MSALNativeAuthPublicClientApplication(nativeAuthConfiguration: configuration)
/// let parameters = MSALNativeAuthSignInParameters(username: "megan@contoso.example")
/// switch try await application.signIn(parameters: parameters) {
/// case .codeRequired(let code): print("Enter the code that was sent to \(code.delivery.sentTo).")
/// case .completed(let user): print("Hello, \(user.account.username ?? "you").")
/// default: print("This app has no form for the next step.")
/// }
/// ```
public final class MSALNativeAuthPublicClientApplication: MSALPublicClientApplication, @unchecked Sendable {
    // `Sendable` is unchecked as in the superclass. This class adds only a constant of a Sendable type.
    let native: NativeAuthClient

    /// An application with the machine's network, browser, clock and token store.
    ///
    /// - Throws: As `MSALPublicClientApplication.init(configuration:)`, and `NSError` with ``MSALError/internal`` and
    ///   the detail -42000 if the authority is no ``MSALCIAMAuthority``: correct the configuration.
    public convenience init(nativeAuthConfiguration config: MSALNativeAuthPublicClientApplicationConfig) throws {
        let machine = try throwingNSError { () throws(AuthError) in try SystemMachine(for: config) }
        try self.init(
            nativeAuthConfiguration: config,
            platform: machine.platform,
            store: machine.store,
            session: .shared,
            service: machine.service
        )
    }

    /// An application with the network, browser, clock and store that the caller passes; see
    /// `MSALPublicClientApplication`.
    package init(
        nativeAuthConfiguration config: MSALNativeAuthPublicClientApplicationConfig,
        platform: Platform,
        store: any TokenStore,
        session: CurrentSession,
        service: ServiceMemory = ServiceMemory(),
        registeredSchemes: Set<String>? = nil
    ) throws {
        guard config.authority is MSALCIAMAuthority else {
            throw AuthError(
                .invalidParameter,
                message: "Native authentication needs an MSALCIAMAuthority; \(config.authority.url) is of another kind."
            ).nsError
        }
        let tokens = try Self.tokenClient(
            config,
            platform: platform,
            store: store,
            session: session,
            service: service,
            registeredSchemes: registeredSchemes
        )
        let hasRedirectURI = config.redirectUri != nil || platform.redirectURI != nil
        native = NativeAuthClient(
            tokens: tokens,
            configuration: NativeAuthConfiguration(config, hasRedirectURI: hasRedirectURI)
        )
        super.init(configuration: config, tokens: tokens)
        if !hasRedirectURI {
            Log.warning(
                "Native authentication has no redirect URI; users whom the service sends to the browser cannot go "
                    + "there."
            )
        }
    }

    /// An application with the settings of another configuration. Settings of nested app authentication are ignored.
    ///
    /// - Throws: As ``init(nativeAuthConfiguration:)``.
    @available(*, deprecated, message: "Use init(nativeAuthConfiguration:).")
    public convenience init(
        configuration config: MSALPublicClientApplicationConfig,
        challengeTypes: MSALNativeAuthChallengeTypes
    ) throws {
        let native = MSALNativeAuthPublicClientApplicationConfig(
            clientId: config.clientId,
            authority: config.authority,
            challengeTypes: challengeTypes
        )
        config.copySettings(to: native)
        native.redirectUri = config.redirectUri
        try self.init(nativeAuthConfiguration: native)
    }

    /// An application of the tenant `https://<tenantSubdomain>.ciamlogin.com`.
    ///
    /// - Throws: As ``init(nativeAuthConfiguration:)``, and with the detail -42000 for text that cannot be a subdomain.
    @available(*, deprecated, message: "Use init(nativeAuthConfiguration:).")
    public convenience init(
        clientId: String,
        tenantSubdomain: String,
        challengeTypes: MSALNativeAuthChallengeTypes,
        redirectUri: String? = nil
    ) throws {
        let config = try MSALNativeAuthPublicClientApplicationConfig(
            clientId: clientId,
            tenantSubdomain: tenantSubdomain,
            challengeTypes: challengeTypes
        )
        config.redirectUri = redirectUri
        try self.init(nativeAuthConfiguration: config)
    }
}
