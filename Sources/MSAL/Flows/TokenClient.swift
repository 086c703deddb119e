// Licensed under the MIT License. See LICENSE.

package import MSALCore

/// Acquires and caches the tokens of one client: its settings, its memory, and one flow per grant.
///
/// It is an object because copying all its members would cost as much as looking up an account.
package final class TokenClient: Sendable {
    package let configuration: ClientConfiguration
    package let platform: Platform
    package let authorities: AuthorityResolver
    package let cache: TokenCache
    package let refreshes: SingleFlight<RefreshKey, TokenResult, AuthError>
    package let memory: ClientMemory
    private let brokerAccounts: BrokerAccountMemory
    /// The browser session this client may open.
    private let session: CurrentSession
    private let throttle: Throttle
    package let telemetry: ServerTelemetry

    /// - Parameters:
    ///   - configuration: What the app has set.
    ///   - platform: The machine: network, browser, clock, randomness.
    ///   - store: The store of the tokens.
    ///   - session: The process's one browser session; tests that run side by side give each client its own.
    ///   - service: The memory of the service's metadata; a new one, unless clients share it.
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
        refreshes = SingleFlight(cancellation: .canceledCall)
        memory = ClientMemory(store: store, time: platform.time, buffer: configuration.tokenExpirationBuffer)
        brokerAccounts = BrokerAccountMemory()
        cache = TokenCache(store: store, clientID: configuration.app.clientID)
    }

    /// Makes the same client with other settings.
    private init(_ client: TokenClient, configuration: ClientConfiguration) {
        self.configuration = configuration
        platform = client.platform
        authorities = client.authorities
        cache = client.cache
        refreshes = client.refreshes
        memory = client.memory
        brokerAccounts = client.brokerAccounts
        session = client.session
        throttle = client.throttle
        telemetry = client.telemetry
    }

    /// The same client with the settings that an app may change at any time; nearly always this one.
    func with(validatesAuthority: Bool, allowsBroker: Bool) -> TokenClient {
        if configuration.authorityRules.isValidationEnabled == validatesAuthority,
            configuration.broker.isAllowed == allowsBroker
        {
            return self
        }
        var changed = configuration
        changed.authorityRules.isValidationEnabled = validatesAuthority
        changed.broker.isAllowed = allowsBroker
        return TokenClient(self, configuration: changed)
    }
}

/// The flows. Each is given the ports that it declares, with the settings in force.
extension TokenClient {
    package var interactive: InteractiveFlow {
        InteractiveFlow(
            app: configuration.app,
            authorityRules: configuration.authorityRules,
            browser: configuration.browser,
            authorities: authorities,
            store: store,
            redeemer: redeemer,
            proofs: proofs,
            session: session,
            agent: platform.agent,
            random: platform.random,
            broker: BrokerSignIn(
                app: configuration.app,
                isAuthorityValidated: configuration.authorityRules.isValidationEnabled,
                access: broker,
                tokens: brokerTokens,
                time: platform.time
            ),
            deviceCode: deviceCode
        )
    }

    package var silent: SilentFlow {
        let tokens = StoredTokens(
            cache: cache,
            memory: memory,
            authorities: authorities,
            time: platform.time,
            buffer: configuration.tokenExpirationBuffer,
            multipleCloudsSupported: configuration.app.multipleCloudsSupported
        )
        return SilentFlow(
            clientID: configuration.app.clientID,
            authorityRules: configuration.authorityRules,
            extendedLifetimeEnabled: configuration.extendedLifetimeEnabled,
            refreshObserver: configuration.refreshObserver,
            store: store,
            tokens: tokens,
            refresh: RefreshFlow(
                clientID: configuration.app.clientID,
                redirectURI: configuration.browser.redirectURI,
                authorityRules: configuration.authorityRules,
                tokens: tokens,
                redeemer: redeemer,
                refreshes: refreshes,
                throttle: throttle
            ),
            broker: BrokerRenewal(
                app: configuration.app,
                access: broker,
                tokens: brokerTokens,
                memory: memory,
                refreshes: refreshes
            ),
            proofs: proofs
        )
    }

    package var deviceCode: DeviceCodeFlow {
        DeviceCodeFlow(
            app: configuration.app,
            authorityRules: configuration.authorityRules,
            authorities: authorities,
            redeemer: redeemer,
            proofs: proofs,
            session: session,
            time: platform.time
        )
    }

    package var accounts: AccountsFlow {
        AccountsFlow(
            authority: configuration.authorityRules.configured,
            authorities: authorities,
            store: store,
            memory: memory,
            access: broker
        )
    }

    package var signOut: SignOutFlow {
        SignOutFlow(
            clientID: configuration.app.clientID,
            authorityRules: configuration.authorityRules,
            browser: configuration.browser,
            authorities: authorities,
            store: store,
            memory: memory,
            access: broker,
            session: session,
            agent: platform.agent,
            random: platform.random
        )
    }

    package var broker: BrokerAccess {
        BrokerAccess(
            clientID: configuration.app.clientID,
            authorityRules: configuration.authorityRules,
            use: configuration.broker,
            broker: platform.broker,
            authorities: authorities,
            known: brokerAccounts
        )
    }

    /// The last steps of the flows that ask the token endpoint.
    var redeemer: Redeemer {
        Redeemer(
            app: configuration.app,
            endpoint: TokenEndpoint(transport: platform.transport, headers: configuration.headers, time: platform.time),
            verifiesIDTokenSignature: configuration.verifiesIDTokenSignature,
            authorities: authorities,
            store: store,
            throttle: throttle,
            telemetry: telemetry
        )
    }

    private var store: ClientStore { ClientStore(cache: cache, mayAskToUnlock: configuration.mayAskToUnlock) }

    private var proofs: RequestSigner {
        RequestSigner(keys: platform.proofKeys, time: platform.time, random: platform.random)
    }

    private var brokerTokens: BrokerTokens {
        BrokerTokens(
            app: configuration.app,
            access: broker,
            store: store,
            memory: memory,
            throttle: throttle,
            time: platform.time
        )
    }
}
