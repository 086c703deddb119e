// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import MSALCore
import ScriptedAgent
import Synchronization
import TestSupport
import Testing

@testable import MSAL
@testable import MSALBase

/// Signing in with a browser on another machine: pasted addresses, https redirects and device codes with the emulator.
@Suite(.timeLimit(.minutes(2))) struct SignInElsewhereTests {
    /// A browser that reaches the platform, but not `deadHost`.
    private static func agent(_ emulator: Emulator, deadHost: String? = nil) -> ScriptedAgent {
        ScriptedAgent(
            script: Script(
                userName: emulator.seed.megan.userPrincipalName,
                password: Script.Password(emulator.seed.password)
            ),
            certificateAuthorityFile: emulator.certificateAuthorityFile,
            hostAddresses: deadHost.map { [$0: ScriptedAgent.HostAddress(address: "127.0.0.1", port: 1)] }
        )
    }

    /// The final address of that browser.
    private static func lastAddress(_ emulator: Emulator, from page: URL, deadHost: String) async throws -> URL {
        do {
            return try await agent(emulator, deadHost: deadHost).run(page).url
        } catch ScriptedAgentError.noResponse(let url, _) {
            return url
        }
    }

    @Test func `the address of an unreachable page is pasted`() async throws {
        try await EndToEndScenario.run(configure: { configuration, _ in configuration.redirectUri = "http://127.0.0.1" }
        ) {
            scenario in
            let emulator = scenario.emulator
            let refusals = Mutex<[String?]>([])
            let webview = MSALWebviewParameters()
            webview.onPaste = { prompt in
                refusals.withLock { $0.append(prompt.refusal) }
                guard prompt.refusal != nil else { return .text(prompt.address.absoluteString) }
                let last = try? await Self.lastAddress(emulator, from: prompt.address, deadHost: "127.0.0.1")
                return last.map { .text("\($0.absoluteString)\n") } ?? .cancel
            }
            let parameters = MSALInteractiveTokenParameters(scopes: ["User.Read"], webviewParameters: webview)
            parameters.modes = [.paste]

            let result = try await scenario.application.acquireToken(with: parameters)

            #expect(result.account.username == "megan@contoso.example")
            #expect(refusals.withLock { $0 }.count == 2)
            #expect(refusals.withLock { $0 }.last??.contains("That is the address to open") == true)
        }
    }

    @Test func `a forwarded port returns the browser's redirect while the prompt waits`() async throws {
        try await EndToEndScenario.run { scenario in
            let emulator = scenario.emulator
            let webview = MSALWebviewParameters()
            webview.onPaste = { prompt in
                _ = try? await Self.agent(emulator).run(prompt.address)
                // The prompt stays open until it is canceled.
                try? await Task.sleep(for: .seconds(3600))
                return .cancel
            }
            let parameters = MSALInteractiveTokenParameters(scopes: ["User.Read"], webviewParameters: webview)
            parameters.modes = [.paste]

            let result = try await scenario.application.acquireToken(with: parameters)
            #expect(result.isPersisted)
        }
    }

    @Test func `an https redirect is passed on by the app`() async throws {
        let redirect = "https://app.contoso.example/signed-in"
        try await EndToEndScenario.run(
            configure: { configuration, _ in
                configuration.redirectUri = redirect
                configuration.bypassRedirectURIValidation = true
            },
            platform: { settings in
                for index in settings.directory.applications.indices {
                    settings.directory.applications[index].redirectURIs.append(redirect)
                }
            }
        ) { scenario in
            let emulator = scenario.emulator
            let webview = MSALWebviewParameters()
            webview.onOpen = { page in
                // Ends with the sign-in that is awaited below.
                Task {
                    let last = try await Self.lastAddress(emulator, from: page, deadHost: "app.contoso.example")
                    #expect(MSALPublicClientApplication.handleMSALResponse(last, sourceApplication: nil))
                }
            }
            let parameters = MSALInteractiveTokenParameters(scopes: ["User.Read"], webviewParameters: webview)

            let result = try await scenario.application.acquireToken(with: parameters)
            #expect(result.isPersisted)
        }
    }

    @Test func `a device code is typed elsewhere, and a client that polls too often is slowed down`() async throws {
        let time = EmulatorTime()
        try await EndToEndScenario.run(machine: { caFile in
            var platform = SystemMachine.platform(caFile: nil, HTTPSettings.variablesTrusting(caFile))
            platform.time = time
            return platform
        }) { scenario in
            let page = Mutex<URL?>(nil)
            let emulator = scenario.emulator
            time.follow(emulator) { pause in
                switch pause {
                // The second poll comes too early.
                case 2: return .zero
                case 3:
                    if let url = page.withLock({ $0 }) { _ = try? await Self.agent(emulator).run(url) }
                    return nil
                default: return nil
                }
            }
            var kinds: [MSALDeviceCodeState.Kind] = []
            var pauses: [Duration] = []
            var result: MSALResult?
            let parameters = MSALDeviceCodeTokenParameters(scopes: ["User.Read"])
            for try await state in scenario.application.deviceCodeStates(with: parameters) {
                kinds.append(state.kind)
                if let pause = state.pause { pauses.append(pause) }
                if let code = state.code {
                    let address = code.verificationUri.appending(queryItems: [
                        URLQueryItem(name: "otc", value: code.userCode)
                    ])
                    page.withLock { $0 = address }
                }
                result = state.result
            }

            #expect(kinds == [.code, .waiting, .waiting, .signedIn])
            #expect(pauses == [.seconds(5), .seconds(10)])
            let signedIn = try #require(result)
            #expect(signedIn.account.username == "megan@contoso.example" && signedIn.isIDTokenSignatureVerified)
            let silent = MSALSilentTokenParameters(scopes: ["User.Read"], account: signedIn.account)
            #expect(
                try await scenario.application.acquireTokenSilent(with: silent).accessToken == signedIn.accessToken
            )
        }
    }

    @Test func `a code that is not used expires, and its block is notified`() async throws {
        let time = EmulatorTime()
        try await EndToEndScenario.run(machine: { caFile in
            var platform = SystemMachine.platform(caFile: nil, HTTPSettings.variablesTrusting(caFile))
            platform.time = time
            return platform
        }) { scenario in
            time.follow(scenario.emulator) { $0 == 2 ? .seconds(1000) : nil }
            let parameters = MSALDeviceCodeTokenParameters(scopes: ["User.Read"])
            let error = await withCheckedContinuation { continuation in
                scenario.application.acquireToken(with: parameters) { _, error in
                    continuation.resume(returning: error.map { $0 as NSError })
                }
            }

            #expect(error?.userInfo[MSALOAuthErrorKey] as? String == "expired_token")
            #expect(error?.userInfo[MSALInternalErrorCodeKey] as? Int == -42104)
        }
    }
}

/// The emulator's clock, which the client uses, too. A pause advances it by the amount that the test sets.
private final class EmulatorTime: TimeSource {
    private struct State {
        var emulator: Emulator?
        var pauses = 0
        var pause: @Sendable (_ number: Int) async -> Duration? = { _ in nil }
    }

    private let state = Mutex(State())

    var now: Date { state.withLock(\.emulator)?.now ?? Date() }

    /// `pause` receives the number of each pause, and returns by how much it advances the clock. `nil` means its
    /// length.
    func follow(_ emulator: Emulator, pause: @escaping @Sendable (_ number: Int) async -> Duration?) {
        state.withLock { $0 = State(emulator: emulator, pause: pause) }
    }

    func sleep(for duration: Duration) async throws(CancellationError) {
        let (emulator, number, pause) = state.withLock { state in
            state.pauses += 1
            return (state.emulator, state.pauses, state.pause)
        }
        let time = await pause(number) ?? duration
        await emulator?.advanceClock(by: time)
        if Task.isCancelled { throw CancellationError() }
    }
}
