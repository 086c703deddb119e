// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import EntraEmulatorBroker
import Foundation
import MSALBase
import MSALCore
import ScriptedAgent
import Synchronization
import TestSupport
import Testing

@testable import MSAL

/// A device with an identity broker, the platform behind it, and apps of that device. The broker is on a real bus.
struct SignedInDevice {
    let emulator: Emulator
    let broker: EmulatedBroker

    /// Starts platform and broker, signs Megan in to the device, runs `story` and stops everything.
    ///
    /// Megan has consented to the apps in the browser. Otherwise an app's first token would need a window.
    static func run(
        as user: String? = "megan@contoso.example",
        configure: (inout EmulatedBroker.Configuration) -> Void = { _ in },
        story: (SignedInDevice) async throws -> Void
    ) async throws {
        try await Emulator.with { emulator in
            var configuration = EmulatedBroker.Configuration()
            configure(&configuration)
            let broker = try await EmulatedBroker.start(for: emulator, configuration)
            do {
                let device = SignedInDevice(emulator: emulator, broker: broker)
                if let user {
                    try await broker.signIn(as: user)
                    for clientID in [emulator.seed.clientID, emulator.seed.tutorialClientID] {
                        _ = try await device.app(clientID).signIn(modes: [.browser])
                    }
                }
                try await story(device)
            } catch {
                await broker.shutdown()
                throw error
            }
            await broker.shutdown()
        }
    }

    /// An app of the device, with its own store unless one is given, as after a restart.
    func app(_ clientID: String? = nil, store: MemoryStore = MemoryStore()) throws -> DeviceApp {
        let configuration = MSALPublicClientApplicationConfig(
            clientId: clientID ?? emulator.seed.clientID,
            redirectUri: nil,
            authority: try MSALAADAuthority(url: emulator.baseURL.appending(path: emulator.seed.tenantDomain))
        )
        configuration.caFile = emulator.certificateAuthorityFile
        configuration.browserCommand = ["true"]
        let session = CurrentSession()
        let application = try MSALPublicClientApplication(
            configuration: configuration,
            platform: SystemMachine.platform(
                caFile: nil,
                broker.environment.merging(HTTPSettings.variablesTrusting(configuration.caFile)) { $1 }
            ),
            store: store,
            session: session
        )
        return DeviceApp(application: application, emulator: emulator, session: session)
    }
}

/// An app, and whether it showed a page or was notified that the broker may open a window.
struct DeviceApp {
    let application: MSALPublicClientApplication
    let emulator: Emulator
    let session: CurrentSession
    private let shown = Shown()

    /// The pages and windows that were shown to the user.
    final class Shown: Sendable {
        private let counts = Mutex((pages: 0, windows: 0))
        var pages: Int { counts.withLock { $0.pages } }
        var windows: Int { counts.withLock { $0.windows } }
        func page() { counts.withLock { $0.pages += 1 } }
        func window() { counts.withLock { $0.windows += 1 } }
    }

    var pages: Int { shown.pages }
    var windows: Int { shown.windows }

    init(application: MSALPublicClientApplication, emulator: Emulator, session: CurrentSession) {
        self.application = application
        self.emulator = emulator
        self.session = session
    }

    /// Signs in. If a page appears, Megan signs in there.
    func signIn(prompt: MSALPromptType = .promptIfNecessary, modes: [MSALSignInMode]? = nil) async throws -> MSALResult
    {
        let webview = MSALWebviewParameters()
        let agent = ScriptedAgent(
            script: Script(
                userName: emulator.seed.megan.userPrincipalName,
                password: Script.Password(emulator.seed.password),
                consent: .accept
            ),
            certificateAuthorityFile: emulator.certificateAuthorityFile
        )
        let (session, shown) = (session, shown)
        webview.onBroker = { shown.window() }
        webview.onOpen = { url in
            shown.page()
            // Ends with the sign-in that is awaited below. An agent that fails cancels it.
            Task {
                let outcome = try? await agent.run(url)  // The platform's journal has the reason.
                if outcome?.isStuck ?? true { _ = session.cancel() }
            }
        }
        let parameters = MSALInteractiveTokenParameters(scopes: ["User.Read"], webviewParameters: webview)
        parameters.promptType = prompt
        parameters.modes = modes
        return try await application.acquireToken(with: parameters)
    }

    func token(of account: MSALAccount, refresh: Bool = false) async throws -> MSALResult {
        let parameters = MSALSilentTokenParameters(scopes: ["User.Read"], account: account)
        parameters.forceRefresh = refresh
        return try await application.acquireTokenSilent(with: parameters)
    }

    func deviceAccounts() async throws -> [MSALAccount] {
        try await application.accountsFromDevice(for: MSALAccountEnumerationParameters())
    }

    func signOut(_ account: MSALAccount) async throws {
        let parameters = MSALSignoutParameters(webviewParameters: MSALWebviewParameters())
        _ = try await application.signout(with: account, signoutParameters: parameters)
    }
}
