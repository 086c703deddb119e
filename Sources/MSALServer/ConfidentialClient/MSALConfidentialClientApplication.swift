// Licensed under the MIT License. See LICENSE.

package import Foundation
package import MSALBase
package import MSALCore

/// A service, daemon, or web application that authenticates with its own credential.
///
/// Create one object and keep it for the lifetime of the process, because it caches the tokens. With a new object for
/// each request, each token is requested from the service.
///
/// ```swift
/// let application = try MSALConfidentialClientApplication(
///     configuration: MSALConfidentialClientConfiguration(
///         clientId: clientID,
///         authority: .tenant("contoso.onmicrosoft.com"),
///         credential: .secret(secret)
///     )
/// )
/// let result = try await application.acquireTokenForClient(scopes: ["https://graph.microsoft.com/.default"])
/// print("Use the token until \(result.expiresOn).")
/// ```
public final class MSALConfidentialClientApplication: Sendable, ServerRedactedReflection {
    /// The settings at the time the object was created.
    public let configuration: MSALConfidentialClientConfiguration

    package let authority: Authority
    package let environment: ServerEnvironment
    package let authentication: any ClientAuthentication
    package let tokens: AccessTokenSource
    package let partition: AccessTokenCache.Partition
    /// The cloud, as caches name it.
    let cacheHost: String
    /// The tenant of the authority in the memory; `nil` if it names many.
    let ownRealm: String?

    /// Creates an application with these settings. No request is sent.
    ///
    /// - Throws: `.configuration` if the client ID or the authority is malformed, or if `MSAL_EMULATOR` is set but not
    ///   allowed; `.invalidCredential` or `.invalidCertificate` if the credential cannot be used. Correct the settings;
    ///   the message says which.
    public convenience init(configuration: MSALConfidentialClientConfiguration) throws(MSALTokenError) {
        try self.init(configuration: configuration, environment: .system(configuration.options))
    }

    package init(
        configuration: MSALConfidentialClientConfiguration,
        environment: ServerEnvironment
    ) throws(MSALTokenError) {
        guard !configuration.clientId.allSatisfy(\.isWhitespace) else {
            throw MSALTokenError(.configuration, message: "The client ID is blank. Give the ID of the registration.")
        }
        var environment = environment.applying(configuration.options)
        environment.instruments = environment.instruments.reporting(configuration.cache)
        environment.instruments.announceFailures(
            in: TokenFlow.allCases.filter { $0 != .managedIdentity },
            hasStore: configuration.cache.shared != nil
        )
        self.configuration = configuration
        self.environment = environment
        authority = try environment.authority(configuration.authority, allowsEmulator: configuration.allowsEmulator)
        authentication = try environment.logged { () throws(MSALTokenError) in
            try configuration.credential.open(environment)
        }
        ownRealm = ClientCredentialsRequest.tenant(of: authority)
        let cacheHost = KnownClouds.metadata(for: authority.environment)?.cacheHost ?? authority.environment
        self.cacheHost = cacheHost
        tokens = AccessTokenSource(
            cache: configuration.cache.appTokens,
            environment: environment,
            policy: .init(keepsPauses: true, allowsExtendedLifetime: configuration.allowsExtendedLifetime),
            shared: configuration.cache.shared(.application).map {
                SharedApplicationTokens(store: $0, environment: cacheHost, clientID: configuration.clientId)
            },
            observer: configuration.options.refreshObserver
        )
        partition = tokens.cache.partition(environment: cacheHost, clientID: configuration.clientId)
    }

    /// Acquires a token for the application itself, without a user (RFC 6749 §4.4).
    ///
    /// A cached token is returned without suspension, and without leaving the caller's actor.
    ///
    /// - Parameters:
    ///   - scopes: One scope, `<resource>/.default`.
    ///   - options: Other options of the call.
    /// - Returns: The token and its source.
    /// - Throws: `.invalidScopes` or `.tenantRequired` before any request is sent; `.invalidClient` or another error
    ///   that the service returned; `.network` or `.serviceUnavailable`, after which the call can be retried. For a
    ///   certificate-bound token, also `.certificateRequired` and `.notSupportedInCloud`, before any request is sent.
    nonisolated(nonsending) public func acquireTokenForClient(
        scopes: [String],
        options: MSALTokenOptions = MSALTokenOptions()
    ) async throws(MSALTokenError) -> MSALTokenResult {
        let scope = try ClientCredentialsRequest.scope(of: scopes)
        let realm = try ClientCredentialsRequest.tenant(options.tenant, orElse: ownRealm, of: authority)
        let key = AccessTokenKey(
            partition: partition,
            realm: realm,
            target: scope,
            keyID: options.isBoundToCertificate ? try authentication.bindingKeyID() : nil,
            components: CacheKeyComponents.hash(of: options.keyComponents)
        )
        let now = environment.time.wholeSeconds
        switch tokens.lookup(key, options: options, at: now) {
        case .hit(let token):
            let isRefreshDue = token.isRefreshDue(at: now)
            environment.instruments.countHit(.clientCredentials, isRefreshDue: isRefreshDue)
            if isRefreshDue {
                tokens.refresh(behind: token, for: key) { [self] () throws(MSALTokenError) in
                    try await requestToken(scope, realm: realm, options: options)
                }
            }
            return MSALTokenResult(token, source: .cache)
        case .miss(let reason):
            return try await environment.observed(.clientCredentials) { [self] () throws(MSALTokenError) in
                try await tokens.fetch(key, because: reason, options: options) { [self] () throws(MSALTokenError) in
                    try await requestToken(scope, realm: realm, options: options)
                }
            }
        }
    }

    /// Gets a token from the service: the form, the proof of the client, the endpoint, and the checks of the response.
    @concurrent private func requestToken(
        _ scope: String,
        realm: String,
        options: MSALTokenOptions
    ) async throws(MSALTokenError) -> CachedAccessToken {
        try await environment.logged(as: options.correlationID) { [self] () throws(MSALTokenError) in
            let correlationID = options.correlationID ?? .random()
            var form = FormBody()
            try options.addComponents(to: &form)
            form.set(.grantType, to: "client_credentials")
            form.set(.clientID, to: configuration.clientId)
            form.set(.scope, to: scope)
            form.set(.claims, to: try options.claims(with: configuration.capabilities))
            let (response, thumbprint) = try await exchange(
                form,
                tenant: realm,
                flow: .clientCredentials,
                options: options,
                correlationID: correlationID
            )
            return try CachedAccessToken(
                response,
                binding: options.isBoundToCertificate
                    ? CachedAccessToken.Binding(type: "mtls_pop", keyID: thumbprint) : CachedAccessToken.Binding(),
                scopes: [scope],
                tenant: realm,
                correlationID: correlationID,
                jitter: environment.jitter
            )
        }
    }

    /// The certificate that currently authenticates the application; `nil` for other credentials.
    ///
    /// To call an API that accepts certificate-bound tokens, use mutual TLS with this certificate if its thumbprint
    /// equals the token's ``MSALTokenResult/bindingThumbprint``. A certificate from a file can change over time.
    public var clientCertificate: MSALClientCertificate? { authentication.certificate }

    /// Acquires a token with a user's name and password (RFC 6749 §4.3).
    ///
    /// This flow exists for programs that migrate from other libraries. It fails for users with a second factor, users
    /// of a federated domain, and personal accounts. Neither the password nor the token is cached: each call sends a
    /// request to the service.
    ///
    /// - Parameters:
    ///   - scopes: The scopes of one resource.
    ///   - username: The sign-in name.
    ///   - password: The password.
    ///   - options: Other options of the call.
    /// - Returns: The access token.
    /// - Throws: `.interactionRequired` if the user has to do more, which this flow cannot offer: sign the user in with
    ///   the browser; or another error that the service returned.
    @available(*, deprecated, message: "Sign users in with the browser: authorizationRequest(_:)")
    public func acquireTokenByUsernamePassword(
        scopes: [String],
        username: String,
        password: String,
        options: MSALTokenOptions = MSALTokenOptions()
    ) async throws(MSALTokenError) -> MSALTokenResult {
        try await token(scopes: scopes, username: username, password: Secret(password), options: options)
    }

    /// The work of the method that is deprecated.
    @concurrent package func token(
        scopes: [String],
        username: String,
        password: Secret,
        options: MSALTokenOptions = MSALTokenOptions()
    ) async throws(MSALTokenError) -> MSALTokenResult {
        try await environment.observed(.password) { [self] () throws(MSALTokenError) in
            let token = try await environment.limited(to: options.timeout) { [self] () throws(MSALTokenError) in
                try await environment.logged(as: options.correlationID) { () throws(MSALTokenError) in
                    try await redeem(scopes: scopes, username: username, password: password, options: options)
                }
            }
            return MSALTokenResult(token, source: .service, reason: .noCachedToken)
        }
    }

    private func redeem(
        scopes: [String],
        username: String,
        password: Secret,
        options: MSALTokenOptions
    ) async throws(MSALTokenError) -> CachedAccessToken {
        let correlationID = options.correlationID ?? .random()
        let asked = ScopeSet(scopes)
        var form = try userForm("password", scopes: asked, options: options)
        form.set("username", to: username)
        form.set("password", to: password.exposed)
        let response = try await redeem(form, tenant: options.tenant, options: options, correlationID: correlationID)
        return try CachedAccessToken(
            response,
            scopes: asked.values,
            tenant: options.tenant ?? authority.tenant,
            correlationID: correlationID,
            jitter: environment.jitter
        )
    }

    /// The authority with its metadata, which are fetched once in a process.
    package func resolved(_ authority: Authority, correlationID: UUID) async throws(MSALTokenError) -> ResolvedAuthority
    {
        // The developer vouches for the authority that the program names. So the service is not asked whether it is
        // known.
        let policy = AuthorityPolicy(isInstanceDiscoveryEnabled: false, developerKnown: [self.authority])
        return try await environment.logged(as: correlationID) { [environment] () throws(MSALTokenError) in
            do throws(AuthorityError) {
                return try await environment.authorities.resolve(
                    authority,
                    policy: policy,
                    correlationID: correlationID
                )
            } catch {
                throw MSALTokenError(error, correlationID: correlationID)
            }
        }
    }

    /// Waits for background work: proactive token refreshes, and writes to the shared store.
    ///
    /// Call it before the process exits, when no more requests come in. The object remains usable.
    ///
    /// - Parameter limit: The maximum time to wait. Unfinished work continues until the process exits.
    /// - Returns: Whether all work has finished.
    @discardableResult
    public func shutDown(within limit: Duration) async -> Bool {
        await environment.background.finish(within: limit, time: environment.time)
    }
}

extension MSALConfidentialClientApplication: MSALTokenCredential {
    /// Acquires a token for the application as a member of a credential chain.
    nonisolated(nonsending) public func token(
        for request: MSALTokenRequest
    ) async throws(MSALTokenError) -> MSALTokenResult {
        try await acquireTokenForClient(scopes: request.scopes, options: request.options)
    }
}
