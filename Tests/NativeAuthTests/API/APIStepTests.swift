// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import TestSupport
import Testing

@testable import MSAL
@testable import MSALCore

@Suite("Asynchronous face of native authentication", .timeLimit(.minutes(1)))
struct APIStepTests {
    private func lee(password: String? = nil) -> MSALNativeAuthSignInParameters {
        let parameters = MSALNativeAuthSignInParameters(username: "lee@contoso.com")
        parameters.password = password
        return parameters
    }

    @Test func `a wrong code can be tried again in the same step`() async throws {
        let script = try NativeScript(
            .started("ct-1"),
            .code("ct-2"),
            .refused("invalid_grant", suberror: "invalid_oob_value", codes: [50181], at: "token"),
            .tokens()
        )
        guard case .codeRequired(let code) = try await script.application.signIn(parameters: lee()) else {
            throw Unexpected()
        }
        #expect(code.delivery.sentTo == "l***@contoso.com")
        #expect(code.delivery.codeLength == 8 && code.delivery.channelTargetType.isEmailType)

        do {
            _ = try await code.submit(code: "1")
            Issue.record("the code was wrong")
        } catch {
            #expect(error.reason == .invalidCode && error.canRetry)
            #expect(error.serverError?.suberror == "invalid_oob_value")
            #expect(error.errorCodes == [50181])
            #expect(error.userInfo[MSALOAuthSubErrorKey] as? String == "invalid_oob_value")
        }

        guard case .completed(let user) = try await code.submit(code: "2") else { throw Unexpected() }
        #expect(user.account.username == "lee@contoso.com")
        try script.service.verify()
    }

    @Test func `the error contains what the delegates do not get`() async throws {
        let script = try NativeScript(
            .started("ct-1"),
            .code("ct-2"),
            .refused("invalid_grant", codes: [50053], at: "token")
        )
        guard case .codeRequired(let code) = try await script.application.signIn(parameters: lee()) else {
            throw Unexpected()
        }

        let error = await #expect(throws: MSALNativeAuthStepError.self) { try await code.submit(code: "1") }

        #expect(error?.reason == .general)
        #expect(error?.errorCodes == [50053])
        #expect(error?.serverError?.error == "invalid_grant")
        #expect(error?.serverError?.errorDescription == "AADSTS: invalid_grant")
    }

    @Test func `a response without its token is not reported as invalid input`() async throws {
        let script = try NativeScript(.json("{}", to: "initiate"))

        let error = await #expect(throws: MSALNativeAuthStepError.self) {
            try await script.application.signIn(parameters: lee())
        }

        #expect(error?.reason == .general && error?.serverError == nil)
        #expect((error?.userInfo[MSALInternalErrorCodeKey] as? NSNumber)?.intValue != -42000)
    }

    @Test func `a second factor leads to the user`() async throws {
        let script = try NativeScript(
            .started("ct-1"),
            .password("ct-2"),
            .refused("invalid_grant", suberror: "mfa_required", codes: [50076], token: "ct-3", at: "token"),
            .methods("ct-4", ids: "one", "two"),
            .code("ct-5"),
            .tokens()
        )
        guard case .mfaRequired(let mfa) = try await script.application.signIn(parameters: lee(password: "secret")),
            let method = mfa.authMethods.last,
            case .mfaCodeRequired(let code) = try await mfa.requestChallenge(authMethod: method)
        else { throw Unexpected() }
        #expect(code.authMethods.map(\.id) == ["one", "two"])

        guard case .completed = try await code.submit(challenge: "1") else { throw Unexpected() }

        #expect(script.form(4)["id"] == "two")
        #expect(script.form(5)["grant_type"] == "mfa_oob")
        try script.service.verify()
    }

    @Test func `the browser is a step, which opens only when the app says so`() async throws {
        let script = try NativeScript(
            .started("ct-1"),
            .redirect("social account", at: "oauth2/v2.0/challenge"),
            .json(
                """
                {"issuer":"https://contoso.ciamlogin.com/utid/v2.0",\
                "authorization_endpoint":"https://contoso.ciamlogin.com/contoso.onmicrosoft.com/oauth2/v2.0/authorize",\
                "token_endpoint":"https://contoso.ciamlogin.com/contoso.onmicrosoft.com/oauth2/v2.0/token"}
                """,
                to: "openid-configuration"
            )
        ) { $0.redirectUri = "http://localhost" }
        let parameters = lee()
        parameters.scopes = ["openid", "api://todo/ToDo.Read"]
        guard case .browserRequired(let handover) = try await script.application.signIn(parameters: parameters) else {
            throw Unexpected()
        }
        #expect(handover.reason == "social account")
        #expect(script.agent.openedURLs.isEmpty)

        await #expect {
            _ = try await handover.signIn()
        } throws: { error in
            (error as NSError).code == MSALError.userCanceled.rawValue
        }

        let url = try #require(script.agent.openedURLs.first)
        let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        let query = Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
        #expect(query["login_hint"] == "lee@contoso.com")
        #expect(query["scope"]?.contains("api://todo/ToDo.Read") == true)
        try script.service.verify()
    }

    @Test func `attributes that JSON does not know send nothing`() async throws {
        let script = try NativeScript()
        let parameters = MSALNativeAuthSignUpParameters(username: "lee@contoso.com")
        parameters.attributes = ["born": Date(timeIntervalSince1970: 0)]

        let error = await #expect(throws: MSALNativeAuthStepError.self) {
            try await script.application.signUp(parameters: parameters)
        }

        #expect(error?.reason == .general)
        #expect((error?.userInfo[MSALInternalErrorCodeKey] as? NSNumber)?.intValue == -42000)
        #expect(script.service.messages.isEmpty)
    }

    @Test func `a password that is refused while the service is polled is tried again from there`() async throws {
        let script = try NativeScript(
            .started("ct-1", at: "resetpassword/v1.0/start"),
            .code("ct-2", at: "resetpassword/v1.0/challenge"),
            .started("ct-3", at: "resetpassword/v1.0/continue"),
            .json(#"{"continuation_token":"ct-4","poll_interval":0}"#, to: "submit"),
            .refused("invalid_grant", suberror: "password_banned", at: "poll_completion"),
            .json(#"{"continuation_token":"ct-5","poll_interval":0}"#, to: "submit"),
            .json(#"{"status":"succeeded","continuation_token":"ct-6"}"#, to: "poll_completion")
        )
        let parameters = MSALNativeAuthResetPasswordParameters(username: "lee@contoso.com")
        guard case .codeRequired(let code) = try await script.application.resetPassword(parameters: parameters),
            case .passwordRequired(let password) = try await code.submit(code: "1")
        else { throw Unexpected() }
        let error = await #expect(throws: MSALNativeAuthStepError.self) { try await password.submit(password: "one") }
        #expect(error?.reason == .invalidPassword && error?.canRetry == true)

        guard case .completed = try await password.submit(password: "two") else { throw Unexpected() }

        #expect(script.form(3)["continuation_token"] == "ct-3")
        #expect(script.form(5)["continuation_token"] == "ct-4")
        try script.service.verify()
    }

    @Test func `a canceled task ends the step`() async throws {
        let script = try NativeScript(
            ScriptedTransport.Response("never") { _ throws(TransportError) in
                await withCheckedContinuation { continuation in continuation.resume() }
                throw TransportError(.canceled, message: "The task was cancelled.")
            }
        )

        let error = await #expect(throws: MSALNativeAuthStepError.self) {
            try await script.application.signIn(parameters: lee())
        }

        #expect(error?.reason == .canceled)
        #expect(error?.code == MSALError.userCanceled.rawValue)
    }

    @Test func `without a network the error says so, and delegates get the same error as before`() async throws {
        let script = try NativeScript(
            .failure(.timedOut),
            .failure(.timedOut),
            .failure(.timedOut),
            .failure(.timedOut)
        )

        let error = await #expect(throws: MSALNativeAuthStepError.self) {
            try await script.application.signIn(parameters: lee())
        }
        let failure = await #expect(throws: NativeAuthFailure.self) {
            try await script.application.native.signIn(NativeAuth.SignInRequest(username: "lee@contoso.com"))
        }

        #expect(error?.localizedDescription == "As the script says.")
        #expect(error?.userInfo[MSALErrorDescriptionKey] as? String == "As the script says.")
        #expect(error?.reason == .serviceUnavailable)
        let heard = failure.map { SignInStartError($0).errorDescription }
        #expect(heard == "Unexpected response body received")
    }

    @Test func `tokens of two APIs come with one request each, and then from the store`() async throws {
        let script = try NativeScript(
            .started("ct-1"),
            .password("ct-2"),
            .tokens(),
            .json(
                """
                {"issuer":"https://contoso.ciamlogin.com/utid/v2.0",\
                "authorization_endpoint":"https://contoso.ciamlogin.com/utid/oauth2/v2.0/authorize",\
                "token_endpoint":"https://contoso.ciamlogin.com/utid/oauth2/v2.0/token"}
                """,
                to: "openid-configuration"
            ),
            .tokens(access: "for-todo", scope: "api://todo/Read"),
            .tokens(access: "for-mail", scope: "api://mail/Read")
        )
        guard case .completed(let user) = try await script.application.signIn(parameters: lee(password: "secret"))
        else { throw Unexpected() }

        let toDo = try await user.getAccessToken(scopes: ["api://todo/Read"])
        let mail = try await user.getAccessToken(scopes: ["api://mail/Read"])
        let again = try await user.getAccessToken(scopes: ["api://todo/Read"])

        #expect(toDo.accessToken == "for-todo" && toDo.scopes == ["api://todo/Read"] && toDo.refreshToken == nil)
        #expect(mail.accessToken == "for-mail")
        #expect(again.accessToken == "for-todo")
        try script.service.verify()
    }

    @Test(arguments: [400, 401])
    func `a rejected renewal is reported with its status`(_ status: Int) async throws {
        let script = try NativeScript(
            .started("ct-1"),
            .password("ct-2"),
            .tokens(),
            .metadata,
            .json(#"{"error":"invalid_client"}"#, status: status, to: "oauth2/v2.0/token")
        )
        guard case .completed(let user) = try await script.application.signIn(parameters: lee(password: "secret"))
        else { throw Unexpected() }

        let error = await #expect(throws: MSALNativeAuthStepError.self) {
            try await user.getAccessToken(scopes: ["api://todo/Read"])
        }

        #expect(error?.serverError?.status == status)
        #expect(error?.serverError?.error == "invalid_client")
    }

    @Test func `signing out leaves nothing to get a token with`() async throws {
        let script = try NativeScript(.started("ct-1"), .password("ct-2"), .tokens())
        guard case .completed(let user) = try await script.application.signIn(parameters: lee(password: "secret"))
        else { throw Unexpected() }

        user.signOut()

        #expect(script.application.getNativeAuthUserAccount() == nil)
        let error = await #expect(throws: MSALNativeAuthStepError.self) { try await user.getAccessToken(scopes: []) }
        #expect(error?.reason == .signInRequired)
        #expect(error?.code == MSALError.interactionRequired.rawValue)
        try script.service.verify()
    }
}
