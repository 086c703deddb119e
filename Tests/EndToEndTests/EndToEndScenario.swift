// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import MSALCore
import ScriptedAgent
import TestSupport
import Testing

@testable import MSAL

/// An application and the platform that it signs in to: real TLS, real pages, a separate store.
///
/// Everything is real except the browser's screen. All instances of a run share the certificate authority, because
/// creating one costs more than a sign-in.
struct EndToEndScenario {
    let emulator: Emulator
    private(set) var application: MSALPublicClientApplication
    let store: MemoryStore
    /// Instances run in parallel, so each has its own browser session, of which a process normally has one.
    let session: CurrentSession
    private let configuration: MSALPublicClientApplicationConfig
    private let machine: (_ caFile: URL?) -> Platform

    static let stateDirectory = TemporaryDirectory.shared

    /// Starts a platform, runs `story` and stops the platform, whatever the result.
    static func run(
        tenant: String? = nil,
        configure: (MSALPublicClientApplicationConfig, Emulator) throws -> Void = { _, _ in },
        platform adjust: (inout EmulatorConfiguration) -> Void = { _ in },
        machine: @escaping (_ caFile: URL?) -> Platform = { file in
            // Equivalent to `HTTPSettings.trusting(_:)`.
            SystemMachine.platform(caFile: nil, HTTPSettings.variablesTrusting(file))
        },
        _ story: (EndToEndScenario) async throws -> Void
    ) async throws {
        var settings = EmulatorConfiguration()
        settings.stateDirectory = stateDirectory
        adjust(&settings)
        let emulator = try await Emulator.start(settings)
        do {
            let address = emulator.baseURL.appending(path: tenant ?? emulator.seed.tenantDomain)
            let configuration = MSALPublicClientApplicationConfig(
                clientId: emulator.seed.clientID,
                redirectUri: nil,
                authority: try MSALAADAuthority(url: address)
            )
            configuration.caFile = emulator.certificateAuthorityFile
            // The scripted agent is the browser. No other browser must open.
            configuration.browserCommand = ["true"]
            try configure(configuration, emulator)
            let store = MemoryStore()
            let session = CurrentSession()
            let application = try MSALPublicClientApplication(
                configuration: configuration,
                platform: machine(configuration.caFile),
                store: store,
                session: session
            )
            try await story(
                EndToEndScenario(
                    emulator: emulator,
                    application: application,
                    store: store,
                    session: session,
                    configuration: configuration,
                    machine: machine
                )
            )
        } catch {
            try await emulator.shutdown()
            throw error
        }
        try await emulator.shutdown()
    }

    /// The same app after a restart: its tokens remain, its connections and cached data do not.
    ///
    /// `authority` is a different one from before.
    func restarted(at authority: URL? = nil) throws -> EndToEndScenario {
        let configuration = try #require(configuration.copy() as? MSALPublicClientApplicationConfig)
        if let authority {
            configuration.authority = try MSALAADAuthority(url: authority)
            // Its time limit is not the app's (docs/reference/Protocol.md#discovery-failure).
            configuration.instanceDiscoveryEnabled = false
        }
        var scenario = self
        scenario.application = try MSALPublicClientApplication(
            configuration: configuration,
            platform: machine(configuration.caFile),
            store: store,
            session: session
        )
        return scenario
    }

    /// The same app after a restart with other settings, and with the connections of its configuration.
    func restarted(changing change: (MSALPublicClientApplicationConfig) -> Void) throws -> EndToEndScenario {
        let configuration = try #require(configuration.copy() as? MSALPublicClientApplicationConfig)
        change(configuration)
        var scenario = self
        scenario.application = try MSALPublicClientApplication(
            configuration: configuration,
            platform: SystemMachine(for: configuration, environment: [:]).platform,
            store: store,
            session: session
        )
        return scenario
    }

    /// Signs in according to the agent's script. `whenOpened` is called when the app opens the browser.
    func signIn(
        _ scopes: [String] = ["User.Read"],
        as user: String? = nil,
        password: String? = nil,
        consent: Script.Consent = .accept,
        prompt: MSALPromptType = .default,
        scheme: (any MSALAuthenticationSchemeProtocol)? = nil,
        whenOpened: @escaping @Sendable () -> Void = {}
    ) async throws -> MSALResult {
        let webview = MSALWebviewParameters()
        let agent = ScriptedAgent(
            script: Script(
                userName: user ?? emulator.seed.megan.userPrincipalName,
                password: Script.Password(password ?? emulator.seed.password),
                consent: consent
            ),
            certificateAuthorityFile: emulator.certificateAuthorityFile
        )
        let session = session
        webview.onOpen = { url in
            whenOpened()
            // Ends with the sign-in that is awaited below. An agent that fails cancels it.
            Task {
                let outcome = try? await agent.run(url)  // The platform's journal has the reason.
                if outcome?.isStuck ?? true { _ = session.cancel() }
            }
        }
        let parameters = MSALInteractiveTokenParameters(scopes: scopes, webviewParameters: webview)
        parameters.promptType = prompt
        parameters.authenticationScheme = scheme
        return try await application.acquireToken(with: parameters)
    }
}

extension Outcome {
    /// The agent ended at a page of the platform instead of the app's redirect.
    var isStuck: Bool { url.scheme == "https" }
}
