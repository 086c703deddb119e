// Licensed under the MIT License. See LICENSE.

import Foundation
import TestSupport
import Testing

@testable import MSAL
@testable import MSALBase

/// The error tables of docs/reference/NativeAuthentication.md, row by row, as delegates get the errors. A kind for which the
/// delegate's error has no flag is a general error to the app.
@Suite(.timeLimit(.minutes(1)))
struct ErrorTableTests {
    /// The text and the numbers that the app gets.
    enum Text: Sendable {
        /// The service's message and numbers.
        case server
        /// The service's message after the library's text, and its numbers.
        case prefixed(String)
        /// One text, without numbers.
        case text(String)
        /// One text, with the service's numbers.
        case textWithCodes(String)
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let transition: Transition
        let responses: [(status: Int, json: JSONValue)]
        let kind: String
        let text: Text
        let remaining: String
        let line: Int

        var testDescription: String { "\(transition.rawValue), line \(line)" }
    }

    @Test(arguments: signInRows + secondFactorRows + registrationRows + signUpRows + resetRows + finishedFlowRows)
    func `a response leads to the failure of its row`(_ row: Row) async throws {
        let transport = ScriptedTransport(row.responses.map { .answer($0.json, status: $0.status) })
        let bench = try CoreBench(transport)

        let end = await row.transition.run(bench.client)

        let failure = try #require(end.failure)
        let server = row.responses.last?.json.object ?? [:]
        let words = server["error_description"]?.string ?? ""
        let codes = server["error_codes"]?.array?.compactMap { $0.double.map { Int($0) } } ?? []
        #expect(end.kind == row.kind)
        #expect(end.remaining == row.remaining)
        switch row.text {
        case .server:
            #expect(end.text == words && failure.codes == codes)
        case .prefixed(let prefix):
            #expect(end.text == prefix + words && failure.codes == codes)
        case .text(let text):
            #expect(end.text == text && failure.codes == [])
            // The service's error is kept, also if MSAL for iOS does not report it.
            let lost = row.responses.compactMap { $0.json.object?["error"]?.string }.last
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
        after responses: [(Int, JSONValue)],
        kind: String = "general",
        text: Text = .server,
        remaining: String = "nothing",
        line: Int = #line
    ) -> Row {
        Row(
            transition: transition,
            responses: responses.map { (status: $0.0, json: $0.1) },
            kind: kind,
            text: text,
            remaining: remaining,
            line: line
        )
    }

    private static func json(_ members: [String: JSONValue]) -> JSONValue { .object(members) }

    /// An error response with further members.
    private static func error(
        _ name: String,
        suberror: String? = nil,
        code: Int,
        members: [String: JSONValue]
    )
        -> JSONValue
    {
        .object((Lee.error(name, suberror: suberror, codes: code).object ?? [:]).merging(members) { $1 })
    }

    private static let token: [String: JSONValue] = ["continuation_token": .string("secret-token-7")]
    private static let redirect = json([
        "challenge_type": .string("redirect"), "redirect_reason": .string("The reason."),
    ])
    private static let plainRedirect = json(["challenge_type": .string("redirect")])
    private static let blocked = Lee.error("access_denied", suberror: "provider_blocked_by_rep", codes: 550_024)
    private static let wrongCode = Lee.error("invalid_grant", suberror: "invalid_oob_value", codes: 50181)
    private static let weak = Lee.error("invalid_grant", suberror: "password_too_weak", codes: 399_246)
    private static let expired = Lee.error("expired_token", codes: 552_003)
    private static let odd = Lee.error("odd_error", codes: 1)
    private static let incompleteCode = json([
        "continuation_token": .string("x"), "challenge_type": .string("oob"), "code_length": .integer(8),
    ])
    private static let unnamed = json(["continuation_token": .string("x")])
    private static let mfaNeeded = error("invalid_grant", suberror: "mfa_required", code: 50076, members: token)
    private static let registrationNeeded = error(
        "invalid_grant",
        suberror: "registration_required",
        code: 50079,
        members: token
    )
    private static let attribute = JSONValue.array([.object(["name": .string("city")])])

    private static let body = Text.text("Unexpected response body received")
    private static let type = Text.text("Unexpected challenge type")
    private static let bare = Text.text("General error")
    private static let reason = Text.text("The reason.")
    private static let browser = Text.text(NativeAuthFailure.Kind.browserRequired.defaultText)
    private static let old = "secret-token"

    private static let signInRows: [Row] = [
        row(.signIn, after: [(200, redirect)], kind: "browserRequired", text: reason),
        row(.signIn, after: [(200, plainRedirect)], kind: "browserRequired", text: browser),
        row(.signIn, after: [(400, Lee.error("user_not_found", codes: 50034))], kind: "userNotFound"),
        row(.signIn, after: [(400, odd)]),
        row(.signIn, after: [(200, json([:]))], kind: "general", text: body),
        row(
            .signIn,
            after: [(200, Lee.started), (200, json(["challenge_type": .string("password")]))],
            kind: "general",
            text: body
        ),
        row(.signIn, after: [(200, Lee.started), (200, unnamed)], kind: "general", text: type),
        row(
            .signIn,
            after: [(200, Lee.started), (400, blocked)],
            kind: "general",
            text: .prefixed(NativeAuthFailure.Text.authMethodBlocked)
        ),
        row(.signIn, after: [(200, Lee.started), (400, Lee.error("user_not_found", codes: 50034))]),
        row(
            .signInWithPassword,
            after: [(200, Lee.started), (200, Lee.passwordForm), (400, Lee.error("user_not_found", codes: 7))],
            kind: "userNotFound"
        ),
        row(
            .signInWithPassword,
            after: [
                (200, Lee.started), (200, Lee.passwordForm),
                (400, Lee.error("invalid_request", codes: 9, 50142)),
            ],
            kind: "general",
            text: .prefixed(NativeAuthFailure.Text.passwordChangeRequired)
        ),
        row(
            .signInWithPassword,
            after: [(200, Lee.started), (200, Lee.passwordForm), (200, Lee.tokens(["client_info": .null]))],
            kind: "general",
            text: bare
        ),
        row(
            .signInWithPassword,
            after: [
                (200, Lee.started), (200, Lee.passwordForm),
                (400, Lee.error("invalid_grant", codes: 9, 50126)),
            ]
        ),
        row(
            .signInWithPassword,
            after: [(200, Lee.started), (200, Lee.passwordForm), (400, mfaNeeded), (200, redirect)],
            kind: "browserRequired",
            text: reason
        ),
        row(
            .submitPassword,
            after: [(400, Lee.error("invalid_grant", codes: 50126))],
            kind: "invalidPassword",
            text: .textWithCodes("Invalid password"),
            remaining: old
        ),
        row(
            .submitPassword,
            after: [(400, Lee.error("invalid_grant", codes: 50034))],
            kind: "userNotFound",
            text: .server,
            remaining: old
        ),
        row(.submitPassword, after: [(200, plainRedirect)], kind: "browserRequired", text: browser, remaining: old),
        row(.submitPassword, after: [(400, wrongCode)], kind: "general", text: .server, remaining: old),
        row(.submitPassword, after: [(403, odd)], kind: "general", text: body, remaining: old),
        row(.submitPassword, after: [(400, mfaNeeded), (400, expired)]),
        row(
            .submitPassword,
            after: [(400, registrationNeeded), (200, json(["methods": .array([])]))],
            kind: "general",
            text: body
        ),
        row(.submitCode, after: [(400, wrongCode)], kind: "invalidCode", text: .server, remaining: old),
        row(
            .submitCode,
            after: [(400, Lee.error("invalid_grant", codes: 50053))],
            kind: "general",
            text: bare,
            remaining: old
        ),
        row(
            .submitCode,
            after: [(400, Lee.error("invalid_grant", codes: 50126))],
            kind: "general",
            text: .server,
            remaining: old
        ),
        row(
            .submitCode,
            after: [(400, Lee.error("invalid_grant", suberror: "registration_required"))],
            kind: "general",
            text: bare,
            remaining: old
        ),
        row(
            .submitCode,
            after: [(400, Lee.error("invalid_scope", codes: 70011))],
            kind: "general",
            text: .server,
            remaining: old
        ),
        row(.submitCode, after: [(200, redirect)], kind: "browserRequired", text: reason, remaining: old),
        row(.resendCode, after: [(200, Lee.passwordForm)], kind: "general", text: bare),
        row(.resendCode, after: [(200, redirect)], kind: "browserRequired", text: reason, remaining: old),
        row(.resendCode, after: [(200, incompleteCode)], kind: "general", text: body, remaining: old),
        row(.resendCode, after: [(200, unnamed)], kind: "general", text: type, remaining: old),
        row(
            .resendCode,
            after: [(400, blocked)],
            kind: "general",
            text: .prefixed(NativeAuthFailure.Text.authMethodBlocked),
            remaining: old
        ),
        row(.resendCode, after: [(400, odd)], kind: "general", text: .server, remaining: old),
    ]

    private static let secondFactorRows: [Row] = [
        row(
            .requestChallenge,
            after: [(400, blocked)],
            kind: "authMethodBlocked",
            text: .prefixed(NativeAuthFailure.Text.authMethodBlocked),
            remaining: old
        ),
        row(.requestChallenge, after: [(200, redirect)], kind: "browserRequired", text: reason, remaining: old),
        row(.requestChallenge, after: [(200, Lee.passwordForm)], kind: "general", text: bare),
        row(
            .requestChallenge,
            after: [(400, Lee.error("invalid_request", suberror: "introspect_required", codes: 2))],
            kind: "general",
            text: .server,
            remaining: old
        ),
        row(.requestAnotherChallenge, after: [(200, incompleteCode)], kind: "general", text: body, remaining: old),
        row(.requestAnotherChallenge, after: [(200, unnamed)], kind: "general", text: type, remaining: old),
        row(.submitSecondFactor, after: [(400, wrongCode)], kind: "invalidChallenge", text: .server, remaining: old),
        row(.submitSecondFactor, after: [(200, redirect)], kind: "browserRequired", text: reason, remaining: old),
        row(
            .submitSecondFactor,
            after: [(400, Lee.error("invalid_grant", codes: 50053))],
            kind: "general",
            text: bare,
            remaining: old
        ),
        row(.submitSecondFactor, after: [(400, mfaNeeded), (400, expired)]),
        row(
            .submitSecondFactor,
            after: [(400, registrationNeeded), (200, redirect)],
            kind: "browserRequired",
            text: reason
        ),
    ]

    private static let registrationRows: [Row] = [
        row(.register, after: [(200, redirect)], kind: "browserRequired", text: reason),
        row(
            .register,
            after: [(200, json(["challenge_type": .string("dove")]))],
            kind: "general",
            text: type,
            remaining: old
        ),
        row(.register, after: [(200, Lee.passwordForm)], kind: "general", text: type, remaining: old),
        row(.register, after: [(200, json([:]))], kind: "general", text: body, remaining: old),
        row(
            .register,
            after: [(200, json(["challenge_type": .string("preverified")]))],
            kind: "general",
            text: body,
            remaining: old
        ),
        row(.registerAnother, after: [(200, incompleteCode)], kind: "general", text: body, remaining: old),
        row(
            .register,
            after: [(400, blocked)],
            kind: "verificationContactBlocked",
            text: .prefixed(NativeAuthFailure.Text.verificationContactBlocked),
            remaining: old
        ),
        row(
            .register,
            after: [(400, Lee.error("invalid_request", codes: 4, 901_001))],
            kind: "invalidInput",
            text: .server,
            remaining: old
        ),
        row(
            .register,
            after: [(400, json(["error": .string("invalid_request"), "error_codes": .array([.integer(901_001)])]))],
            kind: "invalidInput",
            text: .textWithCodes(""),
            remaining: old
        ),
        row(
            .register,
            after: [(400, Lee.error("invalid_grant", codes: 901_001))],
            kind: "general",
            text: .server,
            remaining: old
        ),
        row(.register, after: [(200, preverified), (200, plainRedirect)], kind: "general", text: browser),
        row(.register, after: [(200, preverified), (400, wrongCode)]),
        row(
            .register,
            after: [(200, preverified), (200, Lee.started), (200, redirect)],
            kind: "general",
            text: reason
        ),
        row(
            .register,
            after: [(200, preverified), (200, Lee.started), (400, Lee.error("invalid_grant", codes: 50034))]
        ),
        row(.submitRegistration, after: [(200, json([:]))], kind: "general", text: body, remaining: old),
        row(.submitRegistration, after: [(200, redirect)], kind: "browserRequired", text: reason),
        row(.submitRegistration, after: [(400, wrongCode)], kind: "invalidChallenge", text: .server, remaining: old),
        row(.submitRegistration, after: [(400, odd)], kind: "general", text: .server, remaining: old),
        row(.submitRegistration, after: [(200, Lee.started), (200, plainRedirect)], kind: "general", text: browser),
        row(.submitRegistration, after: [(200, Lee.started), (400, mfaNeeded), (400, expired)]),
        row(
            .submitRegistration,
            after: [(200, Lee.started), (400, registrationNeeded), (200, plainRedirect)],
            kind: "general",
            text: browser
        ),
    ]

    private static let preverified = json([
        "challenge_type": .string("preverified"), "continuation_token": .string("secret-token-8"),
    ])

    private static let signUpRows: [Row] = [
        row(.signUp, after: [(400, Lee.error("user_already_exists", codes: 1_003_037))], kind: "userAlreadyExists"),
        row(.signUp, after: [(400, weak)], kind: "invalidPassword"),
        row(.signUp, after: [(400, Lee.error("invalid_grant", suberror: "attribute_validation_failed", codes: 1))]),
        row(.signUp, after: [(400, Lee.error("invalid_request", codes: 90100))]),
        row(
            .signUp,
            after: [
                (
                    400,
                    error(
                        "invalid_request",
                        suberror: nil,
                        code: 90100,
                        members: ["error_description": .string("the username parameter is empty or not valid.")]
                    )
                )
            ],
            kind: "invalidUsername"
        ),
        row(.signUp, after: [(400, Lee.error("attributes_required", codes: 3))]),
        row(.signUp, after: [(200, Lee.started), (400, Lee.error("user_already_exists", codes: 3))]),
        row(.signUp, after: [(200, Lee.started), (200, Lee.passwordForm)], kind: "general", text: bare),
        row(.signUp, after: [(200, Lee.started), (200, unnamed)], kind: "general", text: body),
        row(.signUp, after: [(200, Lee.started), (200, redirect)], kind: "browserRequired", text: reason),
        row(.resendSignUpCode, after: [(400, expired)], kind: "general", text: .server, remaining: old),
        row(.resendSignUpCode, after: [(400, Lee.error("invalid_grant", codes: 1))]),
        row(.resendSignUpCode, after: [(200, redirect)], kind: "browserRequired", text: reason),
        row(.resendSignUpCode, after: [(200, Lee.passwordForm)], kind: "general", text: bare),
        row(.resendSignUpCode, after: [(200, incompleteCode)], kind: "general", text: body),
        row(.submitSignUpCode, after: [(200, redirect)], kind: "browserRequired", text: reason),
        row(.submitSignUpPassword, after: [(200, plainRedirect)], kind: "browserRequired", text: browser),
        row(.submitAttributes, after: [(200, redirect)], kind: "browserRequired", text: reason),
        row(.submitSignUpCode, after: [(400, wrongCode)], kind: "invalidCode", text: .server, remaining: old),
        row(.submitSignUpCode, after: [(400, weak)], kind: "invalidCode", text: .server, remaining: old),
        row(.submitSignUpCode, after: [(400, Lee.error("attributes_required", codes: 1))], kind: "general", text: body),
        row(.submitSignUpCode, after: [(400, Lee.error("credential_required", codes: 1))], kind: "general", text: body),
        row(
            .submitSignUpCode,
            after: [
                (
                    400,
                    error(
                        "invalid_grant",
                        suberror: "attribute_validation_failed",
                        code: 1,
                        members: ["invalid_attributes": attribute]
                    )
                )
            ]
        ),
        row(
            .submitSignUpCode,
            after: [(400, Lee.error("invalid_grant", suberror: "attribute_validation_failed", codes: 1))],
            kind: "general",
            text: body
        ),
        row(
            .submitSignUpCode,
            after: [(400, Lee.error("verification_required", codes: 1))],
            kind: "general",
            text: bare
        ),
        row(.submitSignUpCode, after: [(400, Lee.error("invalid_grant", codes: 1))]),
        row(.submitSignUpCode, after: [(200, .array([]))], kind: "general", text: body),
        row(
            .submitSignUpCode,
            after: [(400, error("credential_required", suberror: nil, code: 1, members: token)), (400, expired)],
            kind: "general",
            text: .textWithCodes("General error")
        ),
        row(
            .submitSignUpCode,
            after: [(400, error("credential_required", suberror: nil, code: 1, members: token)), (400, odd)]
        ),
        row(
            .submitSignUpCode,
            after: [(400, error("credential_required", suberror: nil, code: 1, members: token)), (200, Lee.code)],
            kind: "general",
            text: bare
        ),
        row(
            .submitSignUpCode,
            after: [(400, error("credential_required", suberror: nil, code: 1, members: token)), (200, unnamed)],
            kind: "general",
            text: body
        ),
        row(.submitSignUpPassword, after: [(400, weak)], kind: "invalidPassword", text: .server, remaining: old),
        row(.submitSignUpPassword, after: [(400, wrongCode)], kind: "general", text: .server, remaining: old),
        row(
            .submitSignUpPassword,
            after: [(400, error("credential_required", suberror: nil, code: 1, members: token))]
        ),
        row(
            .submitSignUpPassword,
            after: [(400, Lee.error("verification_required", codes: 1))],
            kind: "general",
            text: bare
        ),
        row(.submitAttributes, after: [(400, wrongCode)]),
        row(.submitAttributes, after: [(400, weak)]),
        row(.submitAttributes, after: [(400, error("credential_required", suberror: nil, code: 1, members: token))]),
        row(.submitAttributes, after: [(400, Lee.error("attributes_required", codes: 1))], kind: "general", text: body),
        row(
            .submitAttributes,
            after: [(400, Lee.error("verification_required", codes: 1))],
            kind: "general",
            text: bare
        ),
    ]

    private static let resetRows: [Row] = [
        row(.resetPassword, after: [(400, Lee.error("user_not_found", codes: 50034))], kind: "userNotFound"),
        row(
            .resetPassword,
            after: [(400, Lee.error("invalid_request", codes: 500_222))],
            kind: "userDoesNotHavePassword"
        ),
        row(.resetPassword, after: [(400, Lee.error("invalid_request", codes: 1, 500_222))]),
        row(
            .resetPassword,
            after: [(400, error("invalid_client", suberror: nil, code: 1, members: [:]))],
            kind: "general",
            text: .text("AADSTS1: In the service's words.")
        ),
        row(.resetPassword, after: [(200, Lee.started), (200, Lee.passwordForm)], kind: "general", text: type),
        row(.resetPassword, after: [(200, Lee.started), (200, unnamed)], kind: "general", text: type),
        row(.resetPassword, after: [(200, Lee.started), (400, Lee.error("odd", codes: 1))]),
        row(.resendResetCode, after: [(400, expired)]),
        row(.resendResetCode, after: [(200, redirect)], kind: "browserRequired", text: reason),
        row(.resendResetCode, after: [(200, Lee.passwordForm)], kind: "general", text: type),
        row(.submitResetCode, after: [(400, wrongCode)], kind: "invalidCode", text: .server, remaining: old),
        row(
            .submitResetCode,
            after: [(400, Lee.error("verification_required", codes: 1))],
            kind: "general",
            text: bare
        ),
        row(.submitResetCode, after: [(200, redirect)], kind: "browserRequired", text: reason),
        row(.submitResetCode, after: [(400, weak)]),
        row(.submitNewPassword, after: [(400, weak)], kind: "invalidPassword", text: .server, remaining: old),
        row(.submitNewPassword, after: [(400, odd)]),
        row(.submitNewPassword, after: [(200, Lee.started)], kind: "general", text: body),
        row(
            .submitNewPassword,
            after: [(200, Lee.submitted), (400, weak)],
            kind: "invalidPassword",
            text: .server,
            remaining: "secret-token-5"
        ),
        row(.submitNewPassword, after: [(200, Lee.submitted), (400, expired)]),
        row(
            .submitNewPassword,
            after: [(200, Lee.submitted), (200, json(["status": .string("failed")]))],
            kind: "general",
            text: bare
        ),
        row(.submitNewPassword, after: [(200, Lee.submitted), (200, json([:]))], kind: "general", text: body),
        row(.submitNewPassword, after: [(200, Lee.submitted), (200, redirect)], kind: "browserRequired", text: reason),
    ]

    private static let finishedFlowRows: [Row] = [
        row(.signInAfterSignUp, after: [(200, redirect)], kind: "browserRequired", text: reason),
        row(.signInAfterSignUp, after: [(400, mfaNeeded), (200, redirect)], kind: "browserRequired", text: reason),
        row(.signInAfterSignUp, after: [(400, registrationNeeded), (400, expired)]),
        row(.signInAfterReset, after: [(400, Lee.error("invalid_grant", codes: 50053))]),
        row(
            .signInAfterReset,
            after: [(400, json(["error": .string("user_not_found")]))],
            kind: "userNotFound",
            text: .text("User does not exist")
        ),
        row(.signInAfterReset, after: [(200, Lee.tokens(["token_type": .string("MAC")]))], kind: "general", text: bare),
    ]
}
