// Licensed under the MIT License. See LICENSE.

package import MSALCore
import SealedStore

/// Obtains and keeps tokens for one client. Each flow is a method in a folder of its own.
package struct TokenClient: Sendable {
    package var configuration: ClientConfiguration
    package let platform: Platform
    package let authorities: AuthorityResolver
    package let cache: TokenCache
    package let refreshes = SingleFlight<RefreshKey, TokenResult, AuthError>(cancellation: .canceledCall)
    package let memory = ClientMemory()
    let brokerAccounts = BrokerAccountMemory()
    /// The browser session this client may open.
    package let session: CurrentSession
    let throttle: Throttle
    package let telemetry: ServerTelemetry

    /// `platform`: The machine: network, browser, clock, randomness.
    /// `store`: Where tokens live.
    /// `session`: The process's one browser session; tests that run side by side give each client its own.
    /// `service`: What is known of the service; nothing yet, unless clients share it.
    package init(
        configuration: ClientConfiguration,
        platform: Platform,
        store: any TokenStore,
        session: CurrentSession,
        service: ServiceMemory = ServiceMemory()
    ) {
        self.configuration = configuration
        self.platform = platform
        self.session = session
        authorities = service.authorities(through: platform, for: configuration.headers)
        throttle = service.throttle
        telemetry = service.telemetry
        cache = TokenCache(store: store, clientID: configuration.clientID)
    }

    /// Checks what the app may not ask for (docs/reference/Protocol.md#parameter-checks).
    ///
    /// - Throws: `.invalidParameter`; correct the scopes.
    func checkScopes(_ scopes: ScopeSet, for authority: Authority) throws(AuthError) {
        try checkNumber(of: scopes)
        let reserved = scopes.values.filter(ScopeSet.openID.values.contains)
        guard reserved.isEmpty else {
            let names = reserved.joined(separator: ", ")
            throw AuthError(
                .invalidParameter,
                message: "The library asks for \(names) itself; leave it out of the scopes."
            )
        }
        if authority.kind != .b2c, scopes.values.contains(configuration.clientID) {
            throw AuthError(.invalidParameter, message: "Only B2C takes the client id as a scope.")
        }
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
            _ = try HTTPAddress(built: visit.url(configuration.redirectURI.text))
        } catch {
            throw AuthError(.invalidParameter, message: "The page cannot be opened. \(error.message)")
        }
    }

    /// The authority of a request: its own, else the configured one; both must be of one kind.
    ///
    /// - Throws: `.invalidParameter` if they are not.
    func requestAuthority(_ override: Authority?) throws(AuthError) -> Authority {
        do {
            return try configuration.authority.overridden(by: override)
        } catch {
            throw AuthError(error)
        }
    }

    /// Runs a call of the store and turns its failure into the client's error.
    func stored<Value>(_ body: () throws(StoreError) -> Value) throws(AuthError) -> Value {
        do {
            return try body()
        } catch {
            throw AuthError(error)
        }
    }

    /// Resolves an authority and turns its failure into the client's error.
    func resolve(_ authority: Authority, correlationID: UUID) async throws(AuthError) -> ResolvedAuthority {
        do {
            return try await authorities.resolve(
                authority,
                policy: configuration.authorityPolicy,
                correlationID: correlationID
            )
        } catch {
            throw AuthError(error)
        }
    }
}
