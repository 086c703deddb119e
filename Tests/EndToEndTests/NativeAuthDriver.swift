// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import TestSupport
import Testing

@testable import MSAL
@testable import MSALCore

/// An app that uses one of the two interfaces of native authentication. It makes moves and reports what it sees.
protocol NativeAuthDriver: Sendable {
    init(_ application: MSALNativeAuthPublicClientApplication)

    /// Makes a move from the state that the last one led to. Codes are resolved to text.
    @MainActor func make(_ move: NativeAuthMove) async throws -> NativeAuthObservation
}

/// A driver of an app whose newest state can be read and restored.
@MainActor
protocol NativeAuthStatefulDriver: NativeAuthDriver, AnyObject {
    /// The newest state that the app received.
    var state: Any? { get set }
}

extension NativeAuthStatefulDriver {
    /// Makes a move that fails, and restores the previous state: a failure must not cost the app its state. With
    /// `cancels`, the task is canceled before it starts.
    func makeInVain(_ move: NativeAuthMove, cancels: Bool = false) async throws -> NativeAuthObservation {
        let kept = state
        let task = Task {
            if cancels { withUnsafeCurrentTask { $0?.cancel() } }
            return try await make(move)
        }
        let observation = try await task.value
        state = kept
        return observation
    }

    /// Makes a move with an account, which is the same in both versions.
    func makeWithAccount(
        _ move: NativeAuthMove,
        of application: MSALNativeAuthPublicClientApplication
    ) async throws -> NativeAuthObservation {
        if case .lookUpAccount = move {
            guard let found = application.getNativeAuthUserAccount() else { return .noAccount }
            state = found
            return .account(found.account.username ?? "")
        }
        guard let account = state as? MSALNativeAuthUserAccountResult else { throw ImpossibleMove(move, state: state) }
        guard case .accessToken(let scopes, let forceRefresh) = move else {
            account.signOut()
            return .noAccount
        }
        let parameters = MSALNativeAuthGetAccessTokenParameters()
        parameters.scopes = scopes
        parameters.forceRefresh = forceRefresh
        return .token(try await account.getAccessToken(parameters: parameters).scopes)
    }
}

/// A move that the state does not support: the story or the previous observation is wrong.
struct ImpossibleMove: Error {
    let input: String
    let state: String

    init(_ move: NativeAuthMove, state: Any?) {
        input = move.input ?? ""
        self.state = state.map { String(describing: type(of: $0)) } ?? "no state"
    }
}

/// A native app and the platform to which it signs in customers. TLS and sockets are real, the store is in memory.
struct NativeAuthStage {
    let emulator: Emulator
    let application: MSALNativeAuthPublicClientApplication
    let store: MemoryStore
    private let configuration: MSALNativeAuthPublicClientApplicationConfig
    private let machine: Platform

    /// Another application object for the same app, with the same store.
    func anotherApplication() throws -> MSALNativeAuthPublicClientApplication {
        try MSALNativeAuthPublicClientApplication(
            nativeAuthConfiguration: configuration,
            platform: machine,
            store: store,
            session: CurrentSession()
        )
    }

    /// Runs a story on a separate stage. Pauses between retries and polls take no time.
    static func run(_ situation: NativeAuthSituation, _ story: (NativeAuthStage) async throws -> Void) async throws {
        try await run(
            clientID: situation.clientID,
            challengeTypes: situation.challengeTypes,
            capabilities: situation.capabilities,
            platform: situation.adjust,
            machine: { platform, emulator in
                let time = ManualTime(now: emulator.now, skipsSleeps: true)
                let network = AsyncHTTPClientTransport(.trusting(emulator.certificateAuthorityFile))
                platform.time = time
                platform.transport = RetryingTransport(base: network, settings: { RetrySettings() }, time: time)
            },
            story
        )
    }

    /// Starts a platform, runs the story and stops the platform, whatever the result.
    static func run(
        clientID: String = Seed().clientID,
        challengeTypes: MSALNativeAuthChallengeTypes = [.OOB, .password],
        capabilities: MSALNativeAuthCapabilities = [.mfaRequired, .registrationRequired],
        platform adjust: (inout EmulatorConfiguration) -> Void = { _ in },
        machine change: (inout Platform, Emulator) -> Void = { _, _ in },
        _ story: (NativeAuthStage) async throws -> Void
    ) async throws {
        var settings = EmulatorConfiguration()
        settings.stateDirectory = EndToEndScenario.stateDirectory
        settings.nativeAuth.pollInterval = .zero
        adjust(&settings)
        let emulator = try await Emulator.start(settings)
        do {
            let address = "https://127.0.0.1:\(emulator.port)/fabrikam.onmicrosoft.com"
            let configuration = MSALNativeAuthPublicClientApplicationConfig(
                clientId: clientID,
                authority: try MSALCIAMAuthority(url: #require(URL(string: address))),
                challengeTypes: challengeTypes
            )
            configuration.capabilities = capabilities
            configuration.caFile = emulator.certificateAuthorityFile
            // The scripted agent is the browser. No other browser must open.
            configuration.browserCommand = ["true"]
            configuration.redirectUri = "http://localhost"
            let trust = HTTPSettings.variablesTrusting(emulator.certificateAuthorityFile)
            var platform = SystemMachine.platform(caFile: nil, trust)
            change(&platform, emulator)
            let store = MemoryStore()
            let application = try MSALNativeAuthPublicClientApplication(
                nativeAuthConfiguration: configuration,
                platform: platform,
                store: store,
                session: CurrentSession()
            )
            try await story(
                NativeAuthStage(
                    emulator: emulator,
                    application: application,
                    store: store,
                    configuration: configuration,
                    machine: platform
                )
            )
        } catch {
            try await emulator.shutdown()
            throw error
        }
        try await emulator.shutdown()
    }
}
