// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import TestSupport
import Testing

@testable import MSALCore

/// The asynchronous API does not repeat the faults of MSAL for iOS (docs/reference/NativeAuthentication.md#quirks).
@Suite("Faults that the asynchronous face does not keep", .timeLimit(.minutes(1)))
struct APIFaultTests {
    private func lee(password: String? = nil) -> MSALNativeAuthSignInParameters {
        let parameters = MSALNativeAuthSignInParameters(username: "lee@contoso.com")
        parameters.password = password
        parameters.scopes = ["api://todo/ToDo.Read"]
        return parameters
    }

    private static let mfaNeeded = ScriptedTransport.Response.refused(
        "invalid_grant",
        suberror: "mfa_required",
        codes: [50076],
        token: "ct-mfa",
        at: "token"
    )
    private static let registrationNeeded = ScriptedTransport.Response.refused(
        "invalid_grant",
        suberror: "registration_required",
        codes: [50079],
        token: "ct-registration",
        at: "token"
    )

    /// The error of a step that has to fail.
    private func failure<Step>(
        _ step: () async throws(MSALNativeAuthStepError) -> Step
    ) async throws -> MSALNativeAuthStepError {
        do throws(MSALNativeAuthStepError) {
            _ = try await step()
        } catch {
            return error
        }
        throw Unexpected()
    }

    // MARK: Further factors

    @Test func `a second factor after a second factor is a step`() async throws {
        let script = try NativeScript(
            .started("ct-1"),
            .password("ct-2"),
            Self.mfaNeeded,
            .methods("ct-4", ids: "one"),
            .code("ct-5"),
            Self.mfaNeeded,
            .methods("ct-6", ids: "two"),
            .code("ct-7"),
            Self.registrationNeeded,
            .methods("ct-8", ids: "three")
        )
        guard case .mfaRequired(let mfa) = try await script.application.signIn(parameters: lee(password: "secret")),
            case .mfaCodeRequired(let code) = try await mfa.requestChallenge(authMethod: mfa.authMethods[0]),
            case .mfaRequired(let another) = try await code.submit(challenge: "1"),
            case .mfaCodeRequired(let last) = try await another.requestChallenge(authMethod: another.authMethods[0]),
            case .registrationRequired(let registration) = try await last.submit(challenge: "2")
        else { throw Unexpected() }

        #expect(another.authMethods.map(\.id) == ["two"])
        #expect(registration.authMethods.map(\.id) == ["three"])
        try script.service.verify()
    }

    @Test func `a second factor after a sign-up or a reset is a step`() async throws {
        let script = try NativeScript(
            .started("ct-1", at: "signup/v1.0/start"),
            .code("ct-2", at: "signup/v1.0/challenge"),
            .started("ct-3", at: "signup/v1.0/continue"),
            Self.mfaNeeded,
            .methods("ct-4", ids: "one")
        )
        let parameters = MSALNativeAuthSignUpParameters(username: "lee@contoso.com")
        guard case .codeRequired(let code) = try await script.application.signUp(parameters: parameters),
            case .completed(let next) = try await code.submit(code: "1"),
            case .mfaRequired(let mfa) = try await next.signIn(scopes: ["api://todo/ToDo.Read"])
        else { throw Unexpected() }

        #expect(mfa.authMethods.map(\.id) == ["one"])
        try script.service.verify()
    }

    @Test func `a factor after a registration is a step, and the scopes are those of the sign-in`() async throws {
        let script = try NativeScript(
            .started("ct-1"),
            .password("ct-2"),
            Self.registrationNeeded,
            .methods("ct-4", ids: "one"),
            .code("ct-5", at: "register/v1.0/challenge"),
            .started("ct-6", at: "register/v1.0/continue"),
            Self.mfaNeeded,
            .methods("ct-7", ids: "two")
        )
        guard
            case .registrationRequired(let registration) =
                try await script.application.signIn(parameters: lee(password: "secret")),
            case .registrationCodeRequired(let code) = try await registration.challengeAuthMethod(
                registration.authMethods[0],
                verificationContact: "lee@contoso.com"
            ),
            case .mfaRequired(let mfa) = try await code.submit(challenge: "1")
        else { throw Unexpected() }

        #expect(mfa.authMethods.map(\.id) == ["two"])
        #expect(script.form(6)["scope"]?.contains("api://todo/ToDo.Read") == true)
        try script.service.verify()
    }

    // MARK: The browser

    @Test func `a sign-up that has to go on in the browser is not finished`() async throws {
        let script = try NativeScript(
            .started("ct-1", at: "signup/v1.0/start"),
            .code("ct-2", at: "signup/v1.0/challenge"),
            .redirect("not here", at: "signup/v1.0/continue")
        )
        let parameters = MSALNativeAuthSignUpParameters(username: "lee@contoso.com")
        guard case .codeRequired(let code) = try await script.application.signUp(parameters: parameters),
            case .browserRequired(let handover) = try await code.submit(code: "1")
        else { throw Unexpected() }

        #expect(handover.reason == "not here")
    }

    @Test func `a sign-in after a registration that has to go on in the browser says so`() async throws {
        let script = try NativeScript(
            .started("ct-1"),
            .password("ct-2"),
            Self.registrationNeeded,
            .methods("ct-4", ids: "one"),
            .code("ct-5", at: "register/v1.0/challenge"),
            .started("ct-6", at: "register/v1.0/continue"),
            .redirect("not here", at: "token")
        )
        guard
            case .registrationRequired(let registration) =
                try await script.application.signIn(parameters: lee(password: "secret")),
            case .registrationCodeRequired(let code) = try await registration.challengeAuthMethod(
                registration.authMethods[0],
                verificationContact: "lee@contoso.com"
            ),
            case .browserRequired(let handover) = try await code.submit(challenge: "1")
        else { throw Unexpected() }

        #expect(handover.reason == "not here")
    }

    // MARK: The service's messages

    @Test func `a locked account is reported with text and number`() async throws {
        let script = try NativeScript(
            .started("ct-1"),
            .code("ct-2"),
            .refused("invalid_grant", codes: [50053], at: "token")
        )
        guard case .codeRequired(let code) = try await script.application.signIn(parameters: lee()) else {
            throw Unexpected()
        }

        let error = try await failure { () throws(MSALNativeAuthStepError) in try await code.submit(code: "1") }

        #expect(error.localizedDescription == "AADSTS: invalid_grant")
        #expect(error.errorCodes == [50053] && error.canRetry)
    }

    @Test func `a wrong password is reported with the service's text, and an unknown user as such`() async throws {
        let script = try NativeScript(
            .started("ct-1"),
            .password("ct-2"),
            .refused("invalid_grant", codes: [50126], at: "token"),
            .refused("invalid_grant", codes: [50034], at: "token")
        )
        guard case .passwordRequired(let password) = try await script.application.signIn(parameters: lee()) else {
            throw Unexpected()
        }

        let wrong = try await failure { () throws(MSALNativeAuthStepError) in try await password.submit(password: "1") }
        let nobody = try await failure { () throws(MSALNativeAuthStepError) in try await password.submit(password: "2")
        }

        #expect(wrong.reason == .invalidPassword)
        #expect(wrong.localizedDescription == "AADSTS: invalid_grant")
        #expect(nobody.reason == .userNotFound)
    }

    @Test func `a status that MSAL for iOS does not handle has its message, too`() async throws {
        let body = #"{"error":"access_denied","error_description":"AADSTS53003: blocked","error_codes":[53003]}"#
        let script = try NativeScript(.started("ct-1"), .json(body, status: 403, to: "challenge"))

        let error = try await failure { () throws(MSALNativeAuthStepError) in
            try await script.application.signIn(parameters: lee())
        }

        #expect(error.localizedDescription == "AADSTS53003: blocked")
        #expect(error.errorCodes == [53003] && error.userInfo[MSALErrorNumberKey] as? Int == 53003)
        #expect(error.userInfo[MSALErrorCauseKey] as? String == "policy")
    }

    @Test func `a flow that cannot continue gives the reason`() async throws {
        let script = try NativeScript(
            .started("ct-1", at: "signup/v1.0/start"),
            .password("ct-2", at: "signup/v1.0/challenge")
        )
        let parameters = MSALNativeAuthSignUpParameters(username: "lee@contoso.com")

        let error = try await failure { () throws(MSALNativeAuthStepError) in
            try await script.application.signUp(parameters: parameters)
        }

        #expect(error.localizedDescription == "The service asks for a password where it was to send a code.")
    }

    // MARK: Another attempt

    @Test func `if a code cannot be sent again, the earlier one remains valid`() async throws {
        let script = try NativeScript(
            .started("ct-1", at: "signup/v1.0/start"),
            .code("ct-2", at: "signup/v1.0/challenge"),
            .refused("odd_error", at: "signup/v1.0/challenge"),
            .started("ct-3", at: "resetpassword/v1.0/start"),
            .code("ct-4", at: "resetpassword/v1.0/challenge"),
            .refused("odd_error", at: "resetpassword/v1.0/challenge"),
            .started("ct-5", at: "resetpassword/v1.0/continue")
        )
        let signUp = MSALNativeAuthSignUpParameters(username: "lee@contoso.com")
        let reset = MSALNativeAuthResetPasswordParameters(username: "lee@contoso.com")
        guard case .codeRequired(let first) = try await script.application.signUp(parameters: signUp) else {
            throw Unexpected()
        }
        let ofSignUp = try await failure { () throws(MSALNativeAuthStepError) in try await first.resendCode() }
        guard case .codeRequired(let second) = try await script.application.resetPassword(parameters: reset) else {
            throw Unexpected()
        }
        let ofReset = try await failure { () throws(MSALNativeAuthStepError) in try await second.resendCode() }

        #expect(ofSignUp.canRetry && ofReset.canRetry)
        guard case .passwordRequired = try await second.submit(code: "1") else { throw Unexpected() }
        try script.service.verify()
    }

    @Test func `a brief network outage does not end a sign-up or a reset`() async throws {
        let script = try NativeScript(
            .started("ct-1", at: "signup/v1.0/start"),
            .code("ct-2", at: "signup/v1.0/challenge"),
            .failure(.timedOut),
            .failure(.timedOut),
            .started("ct-3", at: "signup/v1.0/continue"),
            .started("ct-4", at: "resetpassword/v1.0/start"),
            .code("ct-5", at: "resetpassword/v1.0/challenge"),
            .failure(.timedOut),
            .failure(.timedOut),
            .started("ct-6", at: "resetpassword/v1.0/continue")
        )
        let signUp = MSALNativeAuthSignUpParameters(username: "lee@contoso.com")
        let reset = MSALNativeAuthResetPasswordParameters(username: "lee@contoso.com")
        guard case .codeRequired(let first) = try await script.application.signUp(parameters: signUp) else {
            throw Unexpected()
        }
        let ofSignUp = try await failure { () throws(MSALNativeAuthStepError) in try await first.submit(code: "1") }
        guard case .completed = try await first.submit(code: "1"),
            case .codeRequired(let second) = try await script.application.resetPassword(parameters: reset)
        else { throw Unexpected() }
        let ofReset = try await failure { () throws(MSALNativeAuthStepError) in try await second.submit(code: "1") }
        guard case .passwordRequired = try await second.submit(code: "1") else { throw Unexpected() }

        #expect(ofSignUp.reason == .serviceUnavailable && ofSignUp.canRetry)
        #expect(ofReset.reason == .serviceUnavailable && ofReset.canRetry)
        try script.service.verify()
    }

    @Test(arguments: [#""continuation_token":"ct-5","#, ""])
    func `a failed reset accepts another password in the same step`(_ token: String) async throws {
        let script = try NativeScript(
            .started("ct-1", at: "resetpassword/v1.0/start"),
            .code("ct-2", at: "resetpassword/v1.0/challenge"),
            .started("ct-3", at: "resetpassword/v1.0/continue"),
            .json(#"{"continuation_token":"ct-4","poll_interval":0}"#, to: "submit"),
            .json("{\(token)\"status\":\"failed\"}", to: "poll_completion"),
            .json(#"{"continuation_token":"ct-6","poll_interval":0}"#, to: "submit"),
            .json(#"{"status":"succeeded","continuation_token":"ct-7"}"#, to: "poll_completion")
        )
        let parameters = MSALNativeAuthResetPasswordParameters(username: "lee@contoso.com")
        guard case .codeRequired(let code) = try await script.application.resetPassword(parameters: parameters),
            case .passwordRequired(let password) = try await code.submit(code: "1")
        else { throw Unexpected() }

        let error = try await failure { () throws(MSALNativeAuthStepError) in
            try await password.submit(password: "one")
        }

        #expect(error.reason == .general && error.canRetry)
        #expect(error.localizedDescription.contains("did not set the new password"))
        guard case .completed = try await password.submit(password: "two") else { throw Unexpected() }
        #expect(script.form(5)["continuation_token"] == (token.isEmpty ? "ct-4" : "ct-5"))
        try script.service.verify()
    }

    @Test func `a contact that is empty is asked for again, wherever it was given`() async throws {
        let script = try NativeScript(
            .started("ct-1"),
            .password("ct-2"),
            Self.registrationNeeded,
            .methods("ct-4", ids: "one"),
            .code("ct-5", at: "register/v1.0/challenge")
        )
        guard
            case .registrationRequired(let registration) =
                try await script.application.signIn(parameters: lee(password: "secret")),
            case .registrationCodeRequired(let code) = try await registration.challengeAuthMethod(
                registration.authMethods[0],
                verificationContact: "lee@contoso.com"
            )
        else { throw Unexpected() }

        let error = try await failure { () throws(MSALNativeAuthStepError) in
            try await code.challengeAuthMethod(code.authMethods[0], verificationContact: "")
        }

        #expect(error.reason == .invalidInput && error.canRetry)
        try script.service.verify()
    }
}
