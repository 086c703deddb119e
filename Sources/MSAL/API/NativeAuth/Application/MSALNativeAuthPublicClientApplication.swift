// Licensed under the MIT License. See LICENSE.

import MSALBase

/// Signs customers of an External ID tenant up and in with the app's own forms: the entry point of native
/// authentication.
///
/// Each flow has two APIs. `signIn(parameters:)` and similar methods are asynchronous and return the next step as an
/// enum; `signIn(parameters:delegate:)` and similar methods return immediately and call a delegate, always on the main
/// actor, exactly once for each call. A program without a main loop must use the asynchronous API.
///
/// The class inherits all methods of `MSALPublicClientApplication`. If a user must continue in the browser, call
/// `acquireToken(with:)`. The tokens of native and browser sign-ins are in the same store.
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
    // `Sendable` is unchecked as in the superclass. This class only adds a constant of a Sendable type.
    let native: NativeAuthClient

    /// Creates an application with the machine's network, browser, clock, and token store.
    ///
    /// - Throws: The errors of `MSALPublicClientApplication.init(configuration:)`, and `NSError` with
    ///   ``MSALError/internal`` and the detail -42000 if the authority is not an ``MSALCIAMAuthority``: correct the
    ///   configuration.
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

    /// Creates an application with the given network, browser, clock, and store; see `MSALPublicClientApplication`.
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
                message: "Native authentication needs an MSALCIAMAuthority; \(config.authority.url) is not one."
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
                "Native authentication has no redirect URI; users that the service sends to the browser cannot sign in."
            )
        }
    }

    /// Creates an application with the settings of another configuration. Settings of nested app authentication are
    /// ignored.
    ///
    /// - Throws: The same errors as ``init(nativeAuthConfiguration:)``.
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

    /// Creates an application for the tenant `https://<tenantSubdomain>.ciamlogin.com`.
    ///
    /// - Throws: The errors of ``init(nativeAuthConfiguration:)``, and the detail -42000 for text that cannot be a
    ///   subdomain.
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

    /// The signed-in user, read from the store.
    ///
    /// The call sends no request. `correlationId` only marks its log lines.
    ///
    /// - Returns: `nil` if this client has no account or no ID token for it, or if the store cannot be read.
    public func getNativeAuthUserAccount(correlationId: UUID? = nil) -> MSALNativeAuthUserAccountResult? {
        Log.lines(of: correlationId ?? Log.correlationID ?? .random()) {
            native.userAccount().map { MSALNativeAuthUserAccountResult($0, application: self) }
        }
    }
}
