// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import Testing

@testable import MSAL

/// An app with one of the two faces of native authentication: it makes moves and tells what it sees.
protocol NativeAuthDriver: Sendable {
    init(_ application: MSALNativeAuthPublicClientApplication)

    /// Makes a move from the state that the last one led to. A code is text by now.
    @MainActor func make(_ move: NativeAuthMove) async throws -> NativeAuthSight
}

/// A move that the state does not have: the story is wrong, or the last sight was.
struct ImpossibleMove: Error {
    let input: String
    let state: String

    init(_ move: NativeAuthMove, state: Any?) {
        input = move.input ?? ""
        self.state = state.map { String(describing: type(of: $0)) } ?? "no state"
    }
}

/// A native app and the platform it signs customers in to; TLS and sockets are real, the store is in memory.
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

    /// Starts a platform, runs the story and stops the platform, whatever the story's end.
    static func run(
        clientID: String = Seed().clientID,
        challengeTypes: MSALNativeAuthChallengeTypes = [.OOB, .password],
        capabilities: MSALNativeAuthCapabilities = [.mfaRequired, .registrationRequired],
        platform adjust: (inout EmulatorConfiguration) -> Void = { _ in },
        machine change: (inout Platform, Emulator) -> Void = { _, _ in },
        _ story: (NativeAuthStage) async throws -> Void
    ) async throws {
        var settings = EmulatorConfiguration()
        settings.stateDirectory = Journey.stateDirectory
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
            // The scripted agent is the browser; nothing else shall open one.
            configuration.browserCommand = ["true"]
            configuration.redirectUri = "http://localhost"
            var platform = SystemMachine.platform(caFile: configuration.caFile, [:])
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
