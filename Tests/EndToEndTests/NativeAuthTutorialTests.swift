// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import MSAL
import TestSupport
import Testing

@testable import MSALBase
@testable import MSALCore

/// The tutorial about native authentication, in both interfaces: sign in with email and password, a token for each of
/// two APIs, both called; a second call from the store; a refresh after the token has expired.
@Suite("The tutorial of native authentication")
struct NativeAuthTutorialTests {
    @Test @MainActor func `one sign-in serves two APIs, with delegates`() async throws {
        try await Tutorial.run { tutorial in
            let app = TutorialApp()
            let parameters = MSALNativeAuthSignInParameters(username: tutorial.address)
            parameters.password = tutorial.emulator.seed.password
            let user = try await app.signIn(in: tutorial.application, parameters: parameters)
            #expect(user.account.username == tutorial.address)

            let first = try await app.token(of: user, tutorial.firstScopes)
            let second = try await app.token(of: user, tutorial.secondScopes)
            try await tutorial.expectAnswers(first: first.accessToken, second: second.accessToken)
            #expect(tutorial.firstScopes.allSatisfy(first.scopes.contains))
            #expect(tutorial.secondScopes.allSatisfy(second.scopes.contains))

            let requests = tutorial.tokenRequests
            let again = try await app.token(of: user, tutorial.firstScopes)
            #expect(again.accessToken == first.accessToken)
            #expect(tutorial.tokenRequests == requests, "the second call is served from the store")

            await tutorial.emulator.advanceClock(by: .seconds(7200))
            let renewed = try await app.token(of: user, tutorial.firstScopes)
            #expect(renewed.accessToken != first.accessToken)
            #expect(tutorial.tokenRequests == requests + 1)
            let status = try await tutorial.status(of: "api/todos", renewed.accessToken)
            #expect(status == 200)
        }
    }

    @Test func `one sign-in serves two APIs, asynchronously`() async throws {
        try await Tutorial.run { tutorial in
            let parameters = MSALNativeAuthSignInParameters(username: tutorial.address)
            parameters.password = tutorial.emulator.seed.password
            guard case .completed(let user) = try await tutorial.application.signIn(parameters: parameters) else {
                Issue.record("the password was enough")
                return
            }

            let first = try await user.getAccessToken(scopes: tutorial.firstScopes)
            let second = try await user.getAccessToken(scopes: tutorial.secondScopes)
            try await tutorial.expectAnswers(first: first.accessToken, second: second.accessToken)

            let requests = tutorial.tokenRequests
            let again = try await user.getAccessToken(scopes: tutorial.firstScopes)
            #expect(again.accessToken == first.accessToken && tutorial.tokenRequests == requests)

            await tutorial.emulator.advanceClock(by: .seconds(7200))
            let renewed = try await user.getAccessToken(scopes: tutorial.secondScopes)
            #expect(renewed.accessToken != second.accessToken && tutorial.tokenRequests == requests + 1)

            user.signOut()
            #expect(tutorial.application.getNativeAuthUserAccount() == nil)
            let error = await #expect(throws: MSALNativeAuthStepError.self) {
                try await user.getAccessToken(scopes: tutorial.firstScopes)
            }
            #expect(error?.reason == .signInRequired)
        }
    }
}

/// An app of the tutorial's tenant, and the two APIs that it calls.
private struct Tutorial: Sendable {
    let emulator: Emulator
    let application: MSALNativeAuthPublicClientApplication
    let transport: any HTTPTransport
    let address = "password@fabrikam.example"

    var firstScopes: [String] { [emulator.seed.toDoReadScope] }
    var secondScopes: [String] { ["\(emulator.seed.secondAPIIdentifier)/ToDoList.Read"] }

    /// The number of token requests.
    var tokenRequests: Int { emulator.journal.count { $0.path.hasSuffix("/oauth2/v2.0/token") } }

    static func run(_ story: (Tutorial) async throws -> Void) async throws {
        var settings = EmulatorConfiguration()
        settings.stateDirectory = EndToEndScenario.stateDirectory
        let emulator = try await Emulator.start(settings)
        do {
            try await story(try Tutorial(emulator))
        } catch {
            try await emulator.shutdown()
            throw error
        }
        try await emulator.shutdown()
    }

    init(_ emulator: Emulator) throws {
        self.emulator = emulator
        let authority = try #require(URL(string: "https://127.0.0.1:\(emulator.port)/fabrikam"))
        let configuration = MSALNativeAuthPublicClientApplicationConfig(
            clientId: emulator.seed.clientID,
            authority: try MSALCIAMAuthority(url: authority),
            challengeTypes: [.OOB, .password]
        )
        let trust = HTTPSettings.variablesTrusting(emulator.certificateAuthorityFile)
        let network = SystemMachine.platform(caFile: nil, trust)
        transport = network.transport
        application = try MSALNativeAuthPublicClientApplication(
            nativeAuthConfiguration: configuration,
            platform: Platform(
                transport: network.transport,
                agent: network.agent,
                time: EmulatedTime(emulator: emulator)
            ),
            store: MemoryStore(),
            session: CurrentSession(),
            registeredSchemes: []
        )
    }

    /// Each API accepts its own token, and not the other's.
    func expectAnswers(first: String, second: String) async throws {
        let answers = [
            try await status(of: "api/todos", first), try await status(of: "api2/todos", second),
            try await status(of: "api/todos", second), try await status(of: "api2/todos", first),
        ]
        #expect(answers == [200, 200, 401, 401])
    }

    func status(of api: String, _ token: String) async throws -> Int {
        let url = emulator.baseURL.appending(path: api)
        let message = HTTPMessage(
            method: "GET",
            to: try HTTPAddress(url),
            headers: ["Authorization": "Bearer \(token)"]
        )
        return try await transport.send(message).status
    }
}

/// The emulator's clock, so that both sides use the same time.
private struct EmulatedTime: TimeSource {
    let emulator: Emulator

    var now: Date { emulator.now }

    func sleep(for duration: Duration) async throws(CancellationError) {
        await emulator.advanceClock(by: duration)
    }
}

/// What the tutorial's view controller does, without its views.
@MainActor
private final class TutorialApp: SignInStartDelegate, CredentialsDelegate {
    private var user: CheckedContinuation<MSALNativeAuthUserAccountResult, any Error>?
    private var token: CheckedContinuation<MSALNativeAuthTokenResult, any Error>?

    func signIn(
        in application: MSALNativeAuthPublicClientApplication,
        parameters: MSALNativeAuthSignInParameters
    ) async throws -> MSALNativeAuthUserAccountResult {
        try await withCheckedThrowingContinuation { continuation in
            user = continuation
            application.signIn(parameters: parameters, delegate: self)
        }
    }

    func token(
        of result: MSALNativeAuthUserAccountResult,
        _ scopes: [String]
    ) async throws -> MSALNativeAuthTokenResult {
        try await withCheckedThrowingContinuation { continuation in
            token = continuation
            let parameters = MSALNativeAuthGetAccessTokenParameters()
            parameters.scopes = scopes
            result.getAccessToken(parameters: parameters, delegate: self)
        }
    }

    func onSignInStartError(error: SignInStartError) { user?.resume(throwing: error) }
    func onSignInCompleted(result: MSALNativeAuthUserAccountResult) { user?.resume(returning: result) }
    func onAccessTokenRetrieveError(error: RetrieveAccessTokenError) { token?.resume(throwing: error) }
    func onAccessTokenRetrieveCompleted(result: MSALNativeAuthTokenResult) { token?.resume(returning: result) }
}
