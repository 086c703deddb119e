// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// The components of a running emulator.
///
/// This is the composition root: `init` creates all stateful components, and `routes` and `controlled` pass them on. No
/// other code sees all of them.
struct EmulatorComponents: Sendable {
    let configuration: EmulatorConfiguration
    let directory: ServedDirectory
    let store: EmulatorStore
    /// Changes the directory at runtime.
    let editor: ServedDirectoryEditor
    let snapshots: StateSnapshots
    /// Whether the data folder contains a changed directory, which differs from the initial one.
    let keepsOwnDirectory: Bool
    let clock = EmulatorClock()
    let keys: SigningKeys
    let identity: ServerIdentity
    let certificate: PresentedCertificate
    let pages: Pages
    let proxies: TrustedProxies
    let publicURL: String?
    let ports = BoundPorts()
    let journal = Journal()
    let faults = FaultQueue()
    let flows = SignInFlows()
    let planned = PlannedSignIns()
    let devices = DeviceSignIns()
    let windows = BrokerWindows()
    let deviceCodes = DeviceCodes()
    let failures: FailedSignIns
    let outbox = Outbox()
    /// The decisions of the policies.
    let signIns = SignInLog()
    let claimsChallenges = ClaimsChallenges()
    /// The directory as apps have received it in delta queries of Microsoft Graph.
    let deltas = GraphDeltas()
    let nativeAuthFlows: NativeAuthFlowStore<NativeAuthFlow>
    /// The flows of native authentication V2.
    let nativeAuthV2Flows: NativeAuthFlowStore<NativeAuthV2Flow>
    let namedResponses = NamedResponseQueue()
    let replayCache = ReplayCache()
    let toDoLists = ToDoLists()
    /// The managed identities of this machine, whose tokens are served on separate ports.
    let machine: MachineIdentities
    let foreignKeys: ForeignKeys
    /// The flaws of the next tokens of the simulated external issuers.
    let flaws = FederatedFlaws()
    /// `nil` if the managed identity endpoints are switched off.
    let challenges: ArcChallenges?

    /// Creates the components.
    ///
    /// `directory`: The validated directory of the configuration.
    /// `state`: The folder of certificates and keys.
    /// `data`: The folder of the store; `nil` keeps it in memory.
    init(
        _ configuration: EmulatorConfiguration,
        directory: ServedDirectory,
        state: PrivateFolder,
        data: PrivateFolder?
    ) async throws {
        self.configuration = configuration
        self.directory = directory
        identity = try ServerIdentity(
            in: state,
            wanted: Emulator.requestedNames(configuration),
            machineNames: Emulator.machineNames(configuration)
        )
        certificate = PresentedCertificate(identity)
        keys = try await SigningKeys(in: state)
        store = try EmulatorStore(in: data, users: directory.users)
        editor = ServedDirectoryEditor(directory: directory, store: store, clock: clock)
        snapshots = StateSnapshots(store: store, editor: editor)
        keepsOwnDirectory = try editor.restore(from: data)
        pages = Pages(ports: ports)
        publicURL = try Emulator.publicAddress(configuration)
        proxies = TrustedProxies(
            ranges: try configuration.trustedProxies.map { text throws(Emulator.StartFailure) in
                guard let range = NetworkRange(text) else {
                    throw .init(
                        description: "'\(text)' is not an address of a proxy; use one, or a network such as 10.0.0.0/8"
                    )
                }
                return range
            }
        )
        failures = FailedSignIns(directory: directory)
        foreignKeys = ForeignKeys(documents: try IssuerDocuments(trustRoots: configuration.additionalTrustRoots))
        machine = MachineIdentities(directory: directory)
        challenges = try configuration.managedIdentity.map { try ArcChallenges(in: $0.arcKeyFolder) }
        nativeAuthFlows = NativeAuthFlowStore(directory: directory)
        nativeAuthV2Flows = NativeAuthFlowStore(directory: directory)
    }

    /// Restores the initial state, except for keys and certificates.
    func reset() async throws {
        try await store.reset(users: directory.users)
        try editor.reset()
        flows.removeAll()
        planned.removeAll()
        devices.removeAll()
        windows.removeAll()
        toDoLists.clear()
        nativeAuthFlows.removeAll()
        nativeAuthV2Flows.removeAll()
        outbox.clear()
        signIns.clear()
        claimsChallenges.removeAll()
        deltas.removeAll()
        namedResponses.clear()
        failures.clear()
        keys.serveStaleKeysAlternately(false)
        deviceCodes.removeAll()
        replayCache.clear()
        faults.clear()
        flaws.clear()
        machine.reset()
        await foreignKeys.removeAll()
        try certificate.show(nil)
        clock.reset()
        journal.clear()
    }

    // MARK: Handlers

    /// The handlers of the platform's addresses.
    func routes() -> Routes {
        let authorizationResponses = AuthorizationResponses(
            directory: directory,
            store: store,
            editor: editor,
            issuer: issuer,
            deviceCodes: deviceCodes,
            windows: windows,
            pages: pages,
            codeLifetime: configuration.codeLifetime
        )
        return Routes(
            addresses: addresses(authorizationResponses),
            rendering: ErrorRendering(pages: pages, authorizationResponses: authorizationResponses),
            reader: RequestReader(
                identity: identity,
                ports: ports,
                proxies: proxies,
                publicURL: publicURL,
                clock: clock
            ),
            faults: faults,
            journal: journal
        )
    }

    /// The components that the control port shows and changes.
    var controlled: ControlledComponents {
        ControlledComponents(
            directory: directory,
            store: store,
            editor: editor,
            snapshots: snapshots,
            clock: clock,
            journal: journal,
            faults: faults,
            outbox: outbox,
            namedResponses: namedResponses,
            certificate: certificate,
            keys: keys,
            pages: pages,
            machine: machine,
            flaws: flaws,
            mint: mint,
            signIns: signIns,
            claimsChallenges: claimsChallenges,
            planned: planned,
            reset: reset
        )
    }

    /// The managed identity endpoints, if they are configured.
    ///
    /// `platform`: `https://localhost:<port>` of the platform's listeners.
    func managedIdentityServer(platform: String) -> ManagedIdentityServer? {
        guard let settings = configuration.managedIdentity, let challenges else { return nil }
        return ManagedIdentityServer(
            settings: settings,
            tokens: ManagedIdentityTokens(
                directory: directory,
                issuer: issuer,
                machine: machine,
                lifetime: settings.tokenLifetime
            ),
            challenges: challenges,
            certificate: certificate,
            clock: clock,
            journal: journal,
            platform: platform
        )
    }

    /// Issues tokens without a sign-in.
    var mint: TokenMint {
        TokenMint(
            directory: directory,
            store: store,
            issuer: issuer,
            clock: clock,
            ports: ports,
            publicURL: publicURL,
            journal: journal
        )
    }

    private var issuer: TokenIssuer {
        TokenIssuer(keys: keys, directory: directory, lifetime: configuration.accessTokenLifetime)
    }

    private var agents: AgentExchange { AgentExchange(directory: directory, issuer: issuer) }

    private var consents: Consents { Consents(directory: directory, store: store) }

    private var policies: AccessPolicies { AccessPolicies(directory: directory, log: signIns) }

    private var codes: OneTimeCodes { OneTimeCodes(directory: directory, outbox: outbox) }

    private var tokens: TokenResponses {
        TokenResponses(
            directory: directory,
            store: store,
            editor: editor,
            issuer: issuer,
            refreshTokenLifetime: configuration.refreshTokenLifetime
        )
    }

    private func addresses(_ authorizationResponses: AuthorizationResponses) -> RouteTable {
        let signIn = SignIn(
            directory: directory,
            store: store,
            consents: consents,
            policies: policies,
            flows: flows,
            codes: codes,
            passwords: PasswordCheck(failures: failures),
            devices: devices,
            shortcuts: Shortcuts(
                planned: planned,
                people: configuration.people,
                signsInByHint: configuration.signsInByHint,
                isOpen: configuration.listenAddress != nil
            ),
            hints: keys.hints,
            pages: pages,
            responses: authorizationResponses
        )
        let resourceGuard = ResourceGuard(
            directory: directory,
            keys: keys,
            store: store,
            replayCache: replayCache,
            identity: identity,
            challenges: claimsChallenges
        )
        return RouteTable(
            directory: directory,
            authorityFile: identity.authorityFile,
            pages: pages,
            discovery: DiscoveryEndpoints(directory: directory, identity: identity, ports: ports, keys: keys),
            signIn: signIn,
            device: DeviceEndpoints(directory: directory, deviceCodes: deviceCodes, pages: pages, signIn: signIn),
            token: tokenEndpoint,
            logout: LogoutEndpoint(directory: directory, store: store, keys: keys, pages: pages),
            native: nativeEndpoints,
            nativeFlow: flowEndpoints,
            queue: namedResponses,
            named: NamedResponseEndpoint(directory: directory, store: store, tokens: tokens),
            issuers: configuration.federatedIssuers.map { IssuerEndpoints(settings: $0, keys: keys, flaws: flaws) },
            graph: GraphEndpoints(
                directory: directory,
                store: store,
                resourceGuard: resourceGuard,
                signIns: signIns,
                editor: editor,
                deltas: deltas
            ),
            resourceManager: ResourceManagerEndpoints(directory: directory, resourceGuard: resourceGuard),
            toDoLists: toDoLists
        )
    }

    private var tokenEndpoint: TokenEndpoints {
        TokenEndpoints(
            directory: directory,
            clients: ClientAuthenticator(
                directory: directory,
                assertions: ClientAssertions(
                    federation: FederatedIdentities(
                        ownIssuers: EmulatedIssuers(
                            settings: configuration.federatedIssuers,
                            identity: identity,
                            signingKeys: keys
                        ),
                        foreignKeys: foreignKeys
                    ),
                    identity: identity
                ),
                agents: agents
            ),
            authorizationCode: AuthorizationCodeRedemption(
                directory: directory,
                store: store,
                consents: consents,
                policies: policies
            ),
            refreshToken: RefreshTokenRedemption(
                directory: directory,
                store: store,
                consents: consents,
                policies: policies,
                strictRotation: configuration.strictRotation
            ),
            deviceCode: DeviceCodeRedemption(deviceCodes: deviceCodes),
            clientCredentials: ClientCredentialsGrant(
                directory: directory,
                issuer: issuer,
                agents: agents,
                policies: policies
            ),
            onBehalfOf: OnBehalfOfGrant(
                directory: directory,
                store: store,
                consents: consents,
                policies: policies,
                keys: keys
            ),
            primaryRefreshToken: PrimaryRefreshTokenGrant(
                directory: directory,
                store: store,
                consents: consents,
                policies: policies,
                devices: devices
            ),
            password: PasswordGrant(
                directory: directory,
                store: store,
                consents: consents,
                policies: policies,
                passwords: PasswordCheck(failures: failures)
            ),
            agentUser: AgentUserGrant(store: store, consents: consents, policies: policies, exchange: agents),
            native: NativeGrant(
                store: store,
                directory: directory,
                consents: consents,
                policies: policies,
                passwords: PasswordCheck(failures: failures),
                continuations: continuations
            ),
            tokens: tokens
        )
    }

    private var continuations: NativeContinuations { NativeContinuations(flows: nativeAuthFlows, codes: codes) }

    private var nativeEndpoints: NativeEndpoints {
        NativeEndpoints(
            directory: directory,
            signIn: NativeSignIn(store: store, continuations: continuations),
            signUp: NativeSignUp(store: store, continuations: continuations),
            reset: NativePasswordReset(store: store, failures: failures, continuations: continuations),
            registration: NativeRegistration(store: store, directory: directory, continuations: continuations)
        )
    }

    /// The endpoints of V2.
    private var flowEndpoints: FlowEndpoints {
        let steps = FlowSteps(flows: nativeAuthV2Flows, codes: codes)
        let progress = FlowProgress(
            store: store,
            directory: directory,
            policies: policies,
            failures: failures,
            steps: steps
        )
        return FlowEndpoints(
            directory: directory,
            store: store,
            steps: steps,
            entry: FlowEntry(
                directory: directory,
                store: store,
                consents: consents,
                steps: steps,
                progress: progress,
                codeLifetime: configuration.codeLifetime
            ),
            start: FlowStart(store: store, steps: steps, progress: progress),
            firstFactor: FlowFirstFactor(
                passwords: PasswordCheck(failures: failures),
                steps: steps,
                progress: progress
            ),
            attributes: FlowAttributes(steps: steps, progress: progress),
            reset: FlowReset(steps: steps, progress: progress),
            secondFactor: FlowSecondFactor(steps: steps, progress: progress),
            registration: FlowRegistration(directory: directory, steps: steps, progress: progress)
        )
    }
}
