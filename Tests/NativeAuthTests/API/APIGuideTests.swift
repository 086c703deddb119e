// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSAL
import Synchronization
import TestSupport
import Testing

@Suite("The guide to native authentication", .timeLimit(.minutes(1)))
struct APIGuideTests {
    @Test func `every block of Swift in the guide is the compiled code`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let examples = try String(contentsOf: folder.appending(path: "APIGuideExamples.swift"), encoding: .utf8)
        let guide = try String(
            contentsOf: folder.appending(path: "../../../docs/NativeAuth.md").standardized,
            encoding: .utf8
        )
        let blocks = guide.matches(of: #/(?s)```swift\n(.*?)```/#).map { String($0.output.1) }

        #expect(blocks.count >= 7)
        for block in blocks {
            // A block may contain several declarations of the file, separated by empty lines.
            for part in block.components(separatedBy: "\n\n") {
                #expect(examples.contains(part.trimmingCharacters(in: .newlines)), "not in the examples:\n\(part)")
            }
        }
    }

    @Test func `the sign-in of the guide asks again and ends with the user`() async throws {
        let script = try NativeScript(
            .started("ct-1"),
            .password("ct-2"),
            .refused("invalid_grant", codes: [50126], at: "token"),
            .refused("invalid_grant", suberror: "registration_required", codes: [50079], token: "ct-3", at: "token"),
            .methods("ct-4", ids: "email"),
            .code("ct-5", at: "register/v1.0/challenge"),
            .started("ct-6", at: "register/v1.0/continue"),
            .tokens()
        )
        let form = Answers("lee@contoso.com", "wrong", "secret", "email@c***", "lee@contoso.com", "1")

        let user = try await signIn(script.application, form: form)

        #expect(user.account.username == "lee@contoso.com")
        #expect(form.told.count == 1)
        try script.service.verify()
    }

    @Test func `the sign-up of the guide goes through password, attributes and sign-in`() async throws {
        let script = try NativeScript(
            .started("ct-1", at: "signup/v1.0/start"),
            .code("ct-2", at: "signup/v1.0/challenge"),
            .refused("credential_required", codes: [55103], token: "ct-3", at: "signup/v1.0/continue"),
            .password("ct-4", at: "signup/v1.0/challenge"),
            .refused("invalid_grant", suberror: "password_too_weak", codes: [399_246], at: "signup/v1.0/continue"),
            .json(
                """
                {"error":"attributes_required","error_description":"more","error_codes":[55106],\
                "continuation_token":"ct-5",\
                "required_attributes":[{"name":"city","type":"string","required":true}]}
                """,
                status: 400,
                to: "signup/v1.0/continue"
            ),
            .json(
                """
                {"error":"invalid_grant","suberror":"attribute_validation_failed","error_description":"no",\
                "error_codes":[55104],"invalid_attributes":[{"name":"city"}]}
                """,
                status: 400,
                to: "signup/v1.0/continue"
            ),
            .started("ct-6", at: "signup/v1.0/continue"),
            .tokens()
        )
        let form = Answers("lee@contoso.com", "Lee", "1", "weak", "Str0ng-enough", "?", "Oslo")

        let user = try await signUp(script.application, form: form)

        #expect(user.account.username == "lee@contoso.com")
        #expect(form.told == ["AADSTS: invalid_grant", "Not accepted: city"])
        #expect(script.form(0)["attributes"] == #"{"displayName":"Lee"}"#)
        #expect(script.form(8)["continuation_token"] == "ct-6")
        try script.service.verify()
    }

    @Test func `the reset of the guide ends with the user`() async throws {
        let script = try NativeScript(
            .started("ct-1", at: "resetpassword/v1.0/start"),
            .code("ct-2", at: "resetpassword/v1.0/challenge"),
            .started("ct-3", at: "resetpassword/v1.0/continue"),
            .json(#"{"continuation_token":"ct-4","poll_interval":2}"#, to: "submit"),
            .json(#"{"status":"in_progress"}"#, to: "poll_completion"),
            .json(#"{"status":"succeeded","continuation_token":"ct-5"}"#, to: "poll_completion"),
            .tokens()
        )

        let user = try await resetPassword(script.application, form: Answers("lee@contoso.com", "1", "Str0ng-enough"))

        #expect(user.account.username == "lee@contoso.com")
        try script.service.verify()
    }

    @Test func `the flows of the guide with version 2 end in one function`() async throws {
        let code = """
            {"state":"interactionRequired","action":"verify","continuationToken":"ct-2","type":"email","hint":"l***",\
            "_links":{"verify":{"href":"/t/api/v2.0/code"}}}
            """
        let entry = """
            {"continuation_token":"ct-1","sign_in":"/t/api/v2.0/start","sign_up":"/t/api/v2.0/start",\
            "reset_password":"/t/api/v2.0/start"}
            """
        let finished = #"{"state":"continue","continuationToken":"ct-9"}"#
        let tokens: [ScriptedTransport.Response] = [.json(#"{"code":"code"}"#, to: "authorize-challenge"), .tokens()]
        func script(_ answers: ScriptedTransport.Response...) throws -> NativeScript {
            let start: [ScriptedTransport.Response] = [.json(entry, status: 401), .json(code)]
            return try NativeScript(answers: start + answers + tokens, store: MemoryStore())
        }
        let selection = """
            {"action":"challenge","continuationToken":"ct-3","challengeContext":{"authenticationFactor":"multiFactor"},\
            "_embedded":{"methods":[{"id":"s1","type":"sms","hint":"+1***","_links":{"challenge":{"href":"/api/v2.0/sms"}}}]}}
            """
        let attributes = """
            {"action":"collectAttributes","continuationToken":"ct-3","attributes":[{"attributeId":"displayName",\
            "required":true},{"attributeId":"password","required":true}],\
            "_links":{"submitAttributes":{"href":"/api/v2.0/attributes"}}}
            """
        let update = #"{"action":"update","continuationToken":"ct-3","_links":{"self":{"href":"/api/v2.0/update"}}}"#

        let signIn = try script(
            .json(#"{"error":{"code":"invalidGrant","message":"AADSTS50181: no"}}"#, status: 400),
            .json(selection),
            .json(code),
            .json(finished)
        )
        let form = Answers("lee@contoso.com", "1111", "2222", "+1***", "3333")
        let signUp = try script(.json(attributes), .json(finished))
        let reset = try script(.json(update), .json(finished))
        let users = [
            try await signInV2(signIn.application, form: form),
            try await signUpV2(signUp.application, form: Answers("lee@contoso.com", "Lee", "1", "Str0ng-enough")),
            try await resetPasswordV2(reset.application, form: Answers("lee@contoso.com", "1", "Str0ng-enough")),
        ]

        #expect(users.allSatisfy { $0.account.username == "lee@contoso.com" })
        #expect(form.told == ["AADSTS50181: no"])
        for one in [signIn, signUp, reset] { try one.service.verify() }
    }
}

/// A user with prepared inputs.
private final class Answers: Form {
    private let state: Mutex<(answers: [String], told: [String])>

    init(_ answers: String...) { state = Mutex((answers, [])) }

    var told: [String] { state.withLock { $0.told } }

    func ask(_ question: String) async throws -> String {
        try state.withLock { state in
            guard !state.answers.isEmpty else { throw Unexpected() }
            return state.answers.removeFirst()
        }
    }

    func tell(_ text: String) async {
        state.withLock { $0.told.append(text) }
    }
}
