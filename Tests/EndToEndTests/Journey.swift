// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import MSALCore
import ScriptedAgent
import TestSupport
import Testing

@testable import MSAL

/// An application and the platform it signs in to: real TLS, real pages, a store of its own.
///
/// Everything is real but the browser's screen. The certificate authority is shared by all journeys of a run,
/// because making one costs more than a sign-in.
struct Journey {
    let emulator: Emulator
    private(set) var application: MSALPublicClientApplication
    let store: MemoryStore
    /// Journeys run side by side, so each has the one browser session that a process has in life.
    let session: CurrentSession
    private let configuration: MSALPublicClientApplicationConfig
    private let machine: (_ caFile: URL?) -> Platform

    static let stateDirectory = TemporaryDirectory.shared

    /// Starts a platform, runs `story` and stops the platform, whatever the story's end.
    static func run(
        tenant: String? = nil,
        configure: (MSALPublicClientApplicationConfig, Emulator) throws -> Void = { _, _ in },
        platform adjust: (inout EmulatorConfiguration) -> Void = { _ in },
        machine: @escaping (_ caFile: URL?) -> Platform = { file in
            // As `HTTPSettings.trusting(_:)` says.
            SystemMachine.platform(caFile: nil, HTTPSettings.variablesTrusting(file))
        },
        _ story: (Journey) async throws -> Void
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
            // The scripted agent is the browser; nothing else shall open one.
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
                Journey(
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

    /// The same app after a restart: its tokens are there, its connections and what it remembered are not.
    ///
    /// `authority` is another one than before.
    func restarted(at authority: URL? = nil) throws -> Journey {
        let configuration = try #require(configuration.copy() as? MSALPublicClientApplicationConfig)
        if let authority {
            configuration.authority = try MSALAADAuthority(url: authority)
            // Its time limit is not the app's (docs/reference/Protocol.md#discovery-failure).
            configuration.instanceDiscoveryEnabled = false
        }
        var journey = self
        journey.application = try MSALPublicClientApplication(
            configuration: configuration,
            platform: machine(configuration.caFile),
            store: store,
            session: session
        )
        return journey
    }

    /// Signs in as the agent's script says. `whenOpened` is called when the app opens the browser.
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
            // Ends with the sign-in that is awaited below; an agent that gives up cancels it.
            Task {
                let outcome = try? await agent.run(url)  // Its reason shows in the platform's journal.
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
