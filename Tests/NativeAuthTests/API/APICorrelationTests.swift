// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSAL
import TestSupport
import Testing

/// The calls around the flows; those of the flows themselves are in `TransitionTests`.
@Suite("Correlation IDs of native authentication's log lines", .timeLimit(.minutes(1)))
struct APICorrelationTests {
    private let id = UUID()
    private let logged = LoggedIDs()

    private func script(_ answers: ScriptedTransport.Response...) throws -> NativeScript {
        try NativeScript(
            answers: [.started("ct-1"), .password("ct-2"), .tokens()] + answers,
            store: TalkativeStore()
        )
    }

    private func signIn(_ script: NativeScript) async throws -> MSALNativeAuthUserAccountResult {
        let parameters = MSALNativeAuthSignInParameters(username: "lee@contoso.com")
        parameters.password = "secret"
        guard case .completed(let user) = try await script.application.signIn(parameters: parameters) else {
            throw Unexpected()
        }
        return user
    }

    @Test func `reading the signed-in account logs the given correlation ID`() async throws {
        let script = try script()
        _ = try await signIn(script)

        let user = await logged.listen { script.application.getNativeAuthUserAccount(correlationId: id) }

        #expect(user != nil)
        #expect(Set(logged.all) == [id])
    }

    @Test func `signing out has its own correlation ID`() async throws {
        let user = try await signIn(try script())

        await logged.listen { user.signOut() }

        #expect(Set(logged.all).count == 1 && logged.all.first != .some(nil))
    }

    @Test func `fetching an access token logs the given correlation ID`() async throws {
        let user = try await signIn(try script(.metadata, .tokens(access: "for-todo", scope: "api://todo/Read")))
        let parameters = MSALNativeAuthGetAccessTokenParameters()
        parameters.scopes = ["api://todo/Read"]
        parameters.returnRefreshToken = true
        parameters.correlationId = id

        _ = try await logged.listen { try await user.getAccessToken(parameters: parameters) }

        #expect(Set(logged.all) == [id])
    }

    @Test func `continuing in the browser logs the flow's correlation ID`() async throws {
        let script = try NativeScript(
            answers: [.started("ct-1"), .redirect("social account", at: "challenge"), .metadata],
            store: TalkativeStore()
        ) { $0.redirectUri = "http://localhost" }
        let parameters = MSALNativeAuthSignInParameters(username: "lee@contoso.com")
        parameters.correlationId = id
        guard case .browserRequired(let handover) = try await script.application.signIn(parameters: parameters) else {
            throw Unexpected()
        }

        let error = await #expect(throws: NSError.self) {
            try await logged.listen { try await handover.signIn() }
        }

        #expect(error?.userInfo[MSALCorrelationIDKey] as? String == id.uuidString)
        #expect(Set(logged.all) == [id])
    }
}
