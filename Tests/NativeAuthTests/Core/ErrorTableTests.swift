// Licensed under the MIT License. See LICENSE.

import Foundation
import TestSupport
import Testing

@testable import MSAL
@testable import MSALSupport

/// The error tables of spec native-auth 3 to 8, row by row.
@Suite(.timeLimit(.minutes(1)))
struct ErrorTableTests {
    /// What the app is told.
    enum Told: Sendable {
        /// The service's words and numbers.
        case server
        /// The service's words behind a text of ours, and its numbers.
        case prefixed(String)
        /// One text, without numbers.
        case text(String)
        /// One text, with the service's numbers.
        case textWithCodes(String)
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let transition: Transition
        let answers: [(status: Int, json: JSONValue)]
        let kind: String
        let told: Told
        let remaining: String
        let line: Int

        var testDescription: String { "\(transition.rawValue), line \(line)" }
    }

    @Test(arguments: signInRows + secondFactorRows + registrationRows + signUpRows + resetRows + finishedFlowRows)
    func `an answer leads to the failure of its row`(_ row: Row) async throws {
        let transport = ScriptedTransport(row.answers.map { .answer($0.json, status: $0.status) })
        let bench = try CoreBench(transport)

        let end = await row.transition.run(bench.client)

        let failure = try #require(end.failure)
        let server = row.answers.last?.json.object ?? [:]
        let words = server["error_description"]?.string ?? ""
        let codes = server["error_codes"]?.array?.compactMap { $0.double.map { Int($0) } } ?? []
        #expect(end.kind == row.kind)
        #expect(end.remaining == row.remaining)
        switch row.told {
        case .server:
            #expect(end.text == words && failure.codes == codes)
        case .prefixed(let prefix):
            #expect(end.text == prefix + words && failure.codes == codes)
        case .text(let text):
            #expect(end.text == text && failure.codes == [])
            // What the reference says nothing about is not lost.
            let lost = row.answers.compactMap { $0.json.object?["error"]?.string }.last
            if text == NativeAuthFailure.Kind.general.defaultText { #expect(failure.serverError?.error == lost) }
        case .textWithCodes(let text):
            #expect(end.text == text && failure.codes == codes)
        }
        if let error = server["error"]?.string { #expect(failure.serverError?.error == error) }
        try transport.verify()
    }
}

extension ErrorTableTests {
    private static func row(
        _ transition: Transition,
        _ answers: [(Int, JSONValue)],
        _ kind: String = "general",
        _ told: Told = .server,
        _ remaining: String = "nothing",
        line: Int = #line
    ) -> Row {
        Row(
            transition: transition,
            answers: answers.map { (status: $0.0, json: $0.1) },
            kind: kind,
            told: told,
            remaining: remaining,
            line: line
        )
    }

    private static func json(_ members: [String: JSONValue]) -> JSONValue { .object(members) }

    /// An error answer with further members.
    private static func error(
        _ name: String,
        _ suberror: String? = nil,
        _ code: Int,
        _ more: [String: JSONValue]
    )
        -> JSONValue
    {
        .object((Lee.error(name, suberror, codes: code).object ?? [:]).merging(more) { $1 })
    }

    private static let token: [String: JSONValue] = ["continuation_token": .string("secret-token-7")]
    private static let redirect = json([
        "challenge_type": .string("redirect"), "redirect_reason": .string("The reason."),
    ])
    private static let plainRedirect = json(["challenge_type": .string("redirect")])
    private static let blocked = Lee.error("access_denied", "provider_blocked_by_rep", codes: 550_024)
    private static let wrongCode = Lee.error("invalid_grant", "invalid_oob_value", codes: 50181)
    private static let weak = Lee.error("invalid_grant", "password_too_weak", codes: 399_246)
    private static let expired = Lee.error("expired_token", codes: 552_003)
    private static let odd = Lee.error("odd_error", codes: 1)
    private static let incompleteCode = json([
        "continuation_token": .string("x"), "challenge_type": .string("oob"), "code_length": .integer(8),
    ])
    private static let unnamed = json(["continuation_token": .string("x")])
    private static let mfaNeeded = error("invalid_grant", "mfa_required", 50076, token)
    private static let registrationNeeded = error("invalid_grant", "registration_required", 50079, token)
    private static let attribute = JSONValue.array([.object(["name": .string("city")])])

    private static let body = Told.text("Unexpected response body received")
    private static let type = Told.text("Unexpected challenge type")
    private static let bare = Told.text("General error")
    private static let reason = Told.text("The reason.")
    private static let browser = Told.text(NativeAuthFailure.Kind.browserRequired.defaultText)
    private static let old = "secret-token"

    private static let signInRows: [Row] = [
        row(.signIn, [(200, redirect)], "browserRequired", reason),
        row(.signIn, [(200, plainRedirect)], "browserRequired", browser),
        row(.signIn, [(400, Lee.error("user_not_found", codes: 50034))], "userNotFound"),
        row(.signIn, [(400, odd)]),
        row(.signIn, [(200, json([:]))], "general", body),
        row(.signIn, [(200, Lee.started), (200, json(["challenge_type": .string("password")]))], "general", body),
        row(.signIn, [(200, Lee.started), (200, unnamed)], "general", type),
        row(
            .signIn,
            [(200, Lee.started), (400, blocked)],
            "general",
            .prefixed(NativeAuthFailure.Text.authMethodBlocked)
        ),
        row(.signIn, [(200, Lee.started), (400, Lee.error("user_not_found", codes: 50034))]),
        row(
            .signInWithPassword,
            [(200, Lee.started), (200, Lee.passwordForm), (400, Lee.error("user_not_found", codes: 7))],
            "userNotFound"
        ),
        row(
            .signInWithPassword,
            [(200, Lee.started), (200, Lee.passwordForm), (400, Lee.error("invalid_request", codes: 9, 50142))],
            "general",
            .prefixed(NativeAuthFailure.Text.passwordChangeRequired)
        ),
        row(
            .signInWithPassword,
            [(200, Lee.started), (200, Lee.passwordForm), (200, Lee.tokens(["client_info": .null]))],
            "general",
            bare
        ),
        row(
            .signInWithPassword,
            [(200, Lee.started), (200, Lee.passwordForm), (400, Lee.error("invalid_grant", codes: 9, 50126))]
        ),
        row(
            .signInWithPassword,
            [(200, Lee.started), (200, Lee.passwordForm), (400, mfaNeeded), (200, redirect)],
            "browserRequired",
            reason
        ),
        row(
            .submitPassword,
            [(400, Lee.error("invalid_grant", codes: 50126))],
            "invalidPassword",
            .textWithCodes("Invalid password"),
            old
        ),
        row(.submitPassword, [(400, Lee.error("invalid_grant", codes: 50034))], "general", .server, old),
        row(.submitPassword, [(200, plainRedirect)], "browserRequired", browser, old),
        row(.submitPassword, [(400, wrongCode)], "general", .server, old),
        row(.submitPassword, [(403, odd)], "general", body, old),
        row(.submitPassword, [(400, mfaNeeded), (400, expired)]),
        row(.submitPassword, [(400, registrationNeeded), (200, json(["methods": .array([])]))], "general", body),
        row(.submitCode, [(400, wrongCode)], "invalidCode", .server, old),
        row(.submitCode, [(400, Lee.error("invalid_grant", codes: 50053))], "general", bare, old),
        row(.submitCode, [(400, Lee.error("invalid_grant", codes: 50126))], "general", .server, old),
        row(.submitCode, [(400, Lee.error("invalid_grant", "registration_required"))], "general", bare, old),
        row(.submitCode, [(400, Lee.error("invalid_scope", codes: 70011))], "general", .server, old),
        row(.submitCode, [(200, redirect)], "browserRequired", reason, old),
        row(.resendCode, [(200, Lee.passwordForm)], "general", bare),
        row(.resendCode, [(200, redirect)], "browserRequired", reason, old),
        row(.resendCode, [(200, incompleteCode)], "general", body, old),
        row(.resendCode, [(200, unnamed)], "general", type, old),
        row(.resendCode, [(400, blocked)], "general", .prefixed(NativeAuthFailure.Text.authMethodBlocked), old),
        row(.resendCode, [(400, odd)], "general", .server, old),
    ]

    private static let secondFactorRows: [Row] = [
        row(
            .requestChallenge,
            [(400, blocked)],
            "authMethodBlocked",
            .prefixed(NativeAuthFailure.Text.authMethodBlocked),
            old
        ),
        row(.requestChallenge, [(200, redirect)], "browserRequired", reason, old),
        row(.requestChallenge, [(200, Lee.passwordForm)], "general", bare),
        row(
            .requestChallenge,
            [(400, Lee.error("invalid_request", "introspect_required", codes: 2))],
            "general",
            .server,
            old
        ),
        row(.requestAnotherChallenge, [(200, incompleteCode)], "general", body, old),
        row(.requestAnotherChallenge, [(200, unnamed)], "general", type, old),
        row(.submitSecondFactor, [(400, wrongCode)], "invalidChallenge", .server, old),
        row(.submitSecondFactor, [(200, redirect)], "browserRequired", reason, old),
        row(.submitSecondFactor, [(400, Lee.error("invalid_grant", codes: 50053))], "general", bare, old),
        row(.submitSecondFactor, [(400, mfaNeeded), (200, Lee.methods)], "general", bare),
        row(.submitSecondFactor, [(400, mfaNeeded), (400, expired)]),
        row(.submitSecondFactor, [(400, registrationNeeded), (200, Lee.methods)], "general", bare),
        row(.submitSecondFactor, [(400, registrationNeeded), (200, redirect)], "browserRequired", reason),
    ]

    private static let registrationRows: [Row] = [
        row(.register, [(200, redirect)], "browserRequired", reason),
        row(.register, [(200, json(["challenge_type": .string("dove")]))], "general", type, old),
        row(.register, [(200, Lee.passwordForm)], "general", type, old),
        row(.register, [(200, json([:]))], "general", body, old),
        row(.register, [(200, json(["challenge_type": .string("preverified")]))], "general", body, old),
        row(.registerAnother, [(200, incompleteCode)], "general", body, old),
        row(
            .register,
            [(400, blocked)],
            "verificationContactBlocked",
            .prefixed(NativeAuthFailure.Text.verificationContactBlocked),
            old
        ),
        row(.register, [(400, Lee.error("invalid_request", codes: 4, 901_001))], "invalidInput", .server, old),
        row(
            .register,
            [(400, json(["error": .string("invalid_request"), "error_codes": .array([.integer(901_001)])]))],
            "invalidInput",
            .textWithCodes(""),
            old
        ),
        row(.register, [(400, Lee.error("invalid_grant", codes: 901_001))], "general", .server, old),
        row(.register, [(200, preverified), (200, plainRedirect)], "general", browser),
        row(.register, [(200, preverified), (400, wrongCode)]),
        row(.register, [(200, preverified), (200, Lee.started), (200, redirect)], "general", reason),
        row(.register, [(200, preverified), (200, Lee.started), (400, Lee.error("invalid_grant", codes: 50034))]),
        row(.submitRegistration, [(200, json([:]))], "general", body, old),
        row(.submitRegistration, [(200, redirect)], "browserRequired", reason),
        row(.submitRegistration, [(400, wrongCode)], "invalidChallenge", .server, old),
        row(.submitRegistration, [(400, odd)], "general", .server, old),
        row(.submitRegistration, [(200, Lee.started), (200, plainRedirect)], "general", browser),
        row(.submitRegistration, [(200, Lee.started), (400, mfaNeeded), (200, Lee.methods)], "general", bare),
        row(.submitRegistration, [(200, Lee.started), (400, mfaNeeded), (400, expired)]),
        row(
            .submitRegistration,
            [(200, Lee.started), (400, registrationNeeded), (200, Lee.methods)],
            "general",
            .text(NativeAuthFailure.Text.registrationRepeated)
        ),
        row(
            .submitRegistration,
            [(200, Lee.started), (400, registrationNeeded), (200, plainRedirect)],
            "general",
            browser
        ),
    ]

    private static let preverified = json([
        "challenge_type": .string("preverified"), "continuation_token": .string("secret-token-8"),
    ])

    private static let signUpRows: [Row] = [
        row(.signUp, [(400, Lee.error("user_already_exists", codes: 1_003_037))], "userAlreadyExists"),
        row(.signUp, [(400, weak)], "invalidPassword"),
        row(.signUp, [(400, Lee.error("invalid_grant", "attribute_validation_failed", codes: 1))]),
        row(.signUp, [(400, Lee.error("invalid_request", codes: 90100))]),
        row(
            .signUp,
            [
                (
                    400,
                    error(
                        "invalid_request",
                        nil,
                        90100,
                        ["error_description": .string("the username parameter is empty or not valid.")]
                    )
                )
            ],
            "invalidUsername"
        ),
        row(.signUp, [(400, Lee.error("attributes_required", codes: 3))]),
        row(.signUp, [(200, Lee.started), (400, Lee.error("user_already_exists", codes: 3))]),
        row(.signUp, [(200, Lee.started), (200, Lee.passwordForm)], "general", bare),
        row(.signUp, [(200, Lee.started), (200, unnamed)], "general", body),
        row(.signUp, [(200, Lee.started), (200, redirect)], "browserRequired", reason),
        row(.resendSignUpCode, [(400, expired)], "general", .server, old),
        row(.resendSignUpCode, [(400, Lee.error("invalid_grant", codes: 1))]),
        row(.resendSignUpCode, [(200, redirect)], "browserRequired", reason),
        row(.resendSignUpCode, [(200, Lee.passwordForm)], "general", bare),
        row(.resendSignUpCode, [(200, incompleteCode)], "general", body),
        row(.submitSignUpCode, [(400, wrongCode)], "invalidCode", .server, old),
        row(.submitSignUpCode, [(400, weak)], "invalidCode", .server, old),
        row(.submitSignUpCode, [(400, Lee.error("attributes_required", codes: 1))], "general", body),
        row(.submitSignUpCode, [(400, Lee.error("credential_required", codes: 1))], "general", body),
        row(
            .submitSignUpCode,
            [(400, error("invalid_grant", "attribute_validation_failed", 1, ["invalid_attributes": attribute]))]
        ),
        row(
            .submitSignUpCode,
            [(400, Lee.error("invalid_grant", "attribute_validation_failed", codes: 1))],
            "general",
            body
        ),
        row(.submitSignUpCode, [(400, Lee.error("verification_required", codes: 1))], "general", bare),
        row(.submitSignUpCode, [(400, Lee.error("invalid_grant", codes: 1))]),
        row(.submitSignUpCode, [(200, .array([]))], "general", body),
        row(
            .submitSignUpCode,
            [(400, error("credential_required", nil, 1, token)), (400, expired)],
            "general",
            .textWithCodes("General error")
        ),
        row(.submitSignUpCode, [(400, error("credential_required", nil, 1, token)), (400, odd)]),
        row(.submitSignUpCode, [(400, error("credential_required", nil, 1, token)), (200, Lee.code)], "general", bare),
        row(.submitSignUpCode, [(400, error("credential_required", nil, 1, token)), (200, unnamed)], "general", body),
        row(.submitSignUpPassword, [(400, weak)], "invalidPassword", .server, old),
        row(.submitSignUpPassword, [(400, wrongCode)], "general", .server, old),
        row(.submitSignUpPassword, [(400, error("credential_required", nil, 1, token))]),
        row(.submitSignUpPassword, [(400, Lee.error("verification_required", codes: 1))], "general", bare),
        row(.submitAttributes, [(400, wrongCode)]),
        row(.submitAttributes, [(400, weak)]),
        row(.submitAttributes, [(400, error("credential_required", nil, 1, token))]),
        row(.submitAttributes, [(400, Lee.error("attributes_required", codes: 1))], "general", body),
        row(.submitAttributes, [(400, Lee.error("verification_required", codes: 1))], "general", bare),
    ]

    private static let resetRows: [Row] = [
        row(.resetPassword, [(400, Lee.error("user_not_found", codes: 50034))], "userNotFound"),
        row(.resetPassword, [(400, Lee.error("invalid_request", codes: 500_222))], "userDoesNotHavePassword"),
        row(.resetPassword, [(400, Lee.error("invalid_request", codes: 1, 500_222))]),
        row(
            .resetPassword,
            [(400, error("invalid_client", nil, 1, [:]))],
            "general",
            .text("AADSTS1: In the service's words.")
        ),
        row(.resetPassword, [(200, Lee.started), (200, Lee.passwordForm)], "general", type),
        row(.resetPassword, [(200, Lee.started), (200, unnamed)], "general", type),
        row(.resetPassword, [(200, Lee.started), (400, Lee.error("odd", codes: 1))]),
        row(.resendResetCode, [(400, expired)]),
        row(.resendResetCode, [(200, redirect)], "browserRequired", reason),
        row(.resendResetCode, [(200, Lee.passwordForm)], "general", type),
        row(.submitResetCode, [(400, wrongCode)], "invalidCode", .server, old),
        row(.submitResetCode, [(400, Lee.error("verification_required", codes: 1))], "general", bare),
        row(.submitResetCode, [(200, redirect)], "browserRequired", reason),
        row(.submitResetCode, [(400, weak)]),
        row(.submitNewPassword, [(400, weak)], "invalidPassword", .server, old),
        row(.submitNewPassword, [(400, odd)]),
        row(.submitNewPassword, [(200, Lee.started)], "general", body),
        row(.submitNewPassword, [(200, Lee.submitted), (400, weak)], "invalidPassword", .server, "secret-token-5"),
        row(.submitNewPassword, [(200, Lee.submitted), (400, expired)]),
        row(.submitNewPassword, [(200, Lee.submitted), (200, json(["status": .string("failed")]))], "general", bare),
        row(.submitNewPassword, [(200, Lee.submitted), (200, json([:]))], "general", body),
        row(.submitNewPassword, [(200, Lee.submitted), (200, redirect)], "browserRequired", reason),
    ]

    private static let finishedFlowRows: [Row] = [
        row(.signInAfterSignUp, [(200, redirect)], "browserRequired", reason),
        row(.signInAfterSignUp, [(400, mfaNeeded), (200, Lee.methods)], "general", bare),
        row(.signInAfterSignUp, [(400, mfaNeeded), (200, redirect)], "browserRequired", reason),
        row(.signInAfterSignUp, [(400, registrationNeeded), (400, expired)]),
        row(.signInAfterReset, [(400, Lee.error("invalid_grant", codes: 50053))]),
        row(
            .signInAfterReset,
            [(400, json(["error": .string("user_not_found")]))],
            "general",
            .text("User does not exist")
        ),
        row(.signInAfterReset, [(200, Lee.tokens(["token_type": .string("MAC")]))], "general", bare),
    ]
}
