// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import ScriptedAgent
import Testing

@testable import MSAL

/// Where the app's own forms end, the browser continues (docs/reference/NativeAuthentication.md#browser).
@Suite(.timeLimit(.minutes(1)))
struct NativeAuthBrowserTests {
    @Test func `a customer of another provider reaches the same result through the browser`() async throws {
        try await NativeAuthStage.run { stage in
            let user = "social@fabrikam.example"
            let step = try await stage.application.signIn(parameters: .init(username: user))
            guard case .browserRequired(let handover) = step else {
                Issue.record("the browser was not requested: \(step)")
                return
            }
            let account = try await handover.signIn(with: browser(at: stage, user: user))
            let parameters = MSALNativeAuthGetAccessTokenParameters()
            parameters.scopes = ["User.Read"]
            let token = try await account.getAccessToken(parameters: parameters)
            let found = try #require(stage.application.getNativeAuthUserAccount())

            #expect(handover.reason.contains("identity provider"))
            #expect(account.account.username == user)
            #expect(!token.accessToken.isEmpty)
            #expect(found.account.identifier == account.account.identifier)
        }
    }

    private func browser(at stage: NativeAuthStage, user: String) -> MSALWebviewParameters {
        let agent = ScriptedAgent(
            script: Script(userName: user, password: Script.Password(Seed().password), consent: .accept),
            certificateAuthorityFile: stage.emulator.certificateAuthorityFile
        )
        let webview = MSALWebviewParameters()
        webview.onOpen = { url in
            // Ends with the sign-in that the test awaits. The suite's time limit ends an agent that hangs.
            Task { _ = try? await agent.run(url) }
        }
        return webview
    }
}
