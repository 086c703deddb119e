// Licensed under the MIT License. See LICENSE.

import Foundation
import TestSupport
import Testing

@testable import MSAL
@testable import MSALBase
@testable import MSALCore

@Suite("States of native authentication V2", .timeLimit(.minutes(1)))
struct FlowStateTests {
    @Test func `a state sends its own token again after an error, whatever the error contained`() async throws {
        let script = try FlowScript(
            .entry(),
            .passwordAsked("ct-own"),
            .json(
                #"{"error":{"code":"invalidGrant","message":"AADSTS50126: no","continuationToken":"ct-error"}}"#,
                status: 400
            ),
            .finished(),
            .authorizationCode,
            .answer(Lee.tokens(), to: "token")
        )
        guard case .passwordRequired(let state) = try await script.start() else {
            Issue.record("no password is asked for")
            return
        }

        let failure = await #expect(throws: NativeAuthFailure.self) {
            try await script.client.submitPassword(Secret("secret-password"), in: state)
        }
        let step = try await script.client.submitPassword(Secret("better-password"), in: state)

        #expect(failure?.kind == .invalidPassword && failure?.canRetry == true)
        #expect(script.body(2)["continuationToken"] == .string("ct-own"))
        #expect(script.body(3)["continuationToken"] == .string("ct-own"))
        guard case .completed(let result) = step else {
            Issue.record("nobody is signed in")
            return
        }
        #expect(result.account.username == "lee@contoso.example")
        try script.service.verify()
    }

    @Test func `two concurrent calls on a state send separate requests`() async throws {
        let script = try FlowScript(.entry(), .codeAsked("ct-own"))
        guard case .codeRequired(let state) = try await script.start(.passwordReset) else {
            Issue.record("no code is asked for")
            return
        }
        script.service.append(.newPasswordAsked("ct-first"))
        script.service.append(.newPasswordAsked("ct-second"))

        async let first = script.client.submitCode(Secret("11111111"), in: state)
        async let second = script.client.submitCode(Secret("22222222"), in: state)
        let tokens = [try await first, try await second].compactMap { step in
            if case .newPasswordRequired(let next) = step { next.flow.continuation.token.exposed } else { nil }
        }

        #expect(Set(tokens) == ["ct-first", "ct-second"])
        #expect(Set([2, 3].map { script.body($0)["otp"] }) == [.string("11111111"), .string("22222222")])
        #expect([2, 3].allSatisfy { script.body($0)["continuationToken"] == .string("ct-own") })
    }

    @Test func `printed steps and failures contain no secret of the app or the service`() async throws {
        let script = try FlowScript(
            .entry("secret-token"),
            .action(
                "collectAttributes",
                token: "secret-token",
                links: ["submitAttributes": "/t/api/v2.0/attributes"],
                members:
                    #""attributes":[{"attributeId":"city","required":true},{"attributeId":"password","required":true}]"#
            )
        )
        let step = try await script.start(.signUp) { $0.attributes = ["nickname": .string("secret-attribute")] }
        guard case .attributesRequired(let state) = step else {
            Issue.record("no attributes are asked for")
            return
        }
        let next = try await script.client.submitAttributes(["city": .string("secret-city")], in: state)
        script.service.append(
            .refused(inner: "passwordTooWeak", message: "AADSTS120002: secret-password is weak, secret-token")
        )
        guard case .passwordRequired(let password) = next else {
            Issue.record("no password is asked for")
            return
        }
        let failure = try #require(
            await #expect(throws: NativeAuthFailure.self) {
                try await script.client.submitPassword(Secret("secret-password"), in: password)
            }
        )

        var printed = ""
        dump(step, to: &printed)
        dump(next, to: &printed)
        dump(failure, to: &printed)
        printed += "\(step) \(next) \(failure) \(MSALNativeAuthFlowError(failure).errorDescription ?? "")"
        for secret in ["secret-token", "secret-attribute", "secret-city", "secret-password"] {
            #expect(!printed.contains(secret), "\(secret) is printed")
        }
        #expect(failure.kind == .invalidPassword && failure.codes == [120_002])
    }

    @Test func `messages that repeat a secret of three characters are omitted`() async throws {
        let script = try FlowScript(.entry(), .passwordAsked(), .refused(message: "AADSTS50126: abc is wrong"))
        guard case .passwordRequired(let state) = try await script.start() else {
            Issue.record("no password is asked for")
            return
        }

        let failure = await #expect(throws: NativeAuthFailure.self) {
            try await script.client.submitPassword(Secret("abc"), in: state)
        }

        #expect(failure?.errorDescription == "Invalid password")
        #expect(failure?.codes == [50_126])
    }

    @Test func `the data center is added to every request whose link has none`() async throws {
        let script = try FlowScript(.entry(start: "/t/api/v2.0/start?dc=own"), .passwordAsked()) {
            $0.sliceDataCenter = "slice"
        }

        _ = try await script.start()

        #expect(script.service.messages.map { $0.url.query() } == ["dc=slice", "dc=own"])
    }

    @Test func `a second factor may come in a reset before, in and after the polls`() async throws {
        let factor = ScriptedTransport.Response.action(
            "challenge",
            token: "ct-factor",
            members: """
                "challengeContext":{"authenticationFactor":"multiFactor"},"_embedded":{"methods":[{"id":"m1",\
                "type":"sms","_links":{"challenge":{"href":"/t/api/v2.0/sms"}}}]}
                """
        )
        let script = try FlowScript(
            .entry(),
            factor,
            .codeAsked(),
            .newPasswordAsked(),
            .polling("ct-poll"),
            factor,
            .codeAsked(),
            .finished(),
            factor,
            .codeAsked(),
            .finished(),
            .authorizationCode,
            .answer(Lee.tokens(), to: "token")
        )

        var step = try await script.start(.passwordReset)
        var factors = 0
        for _ in 0..<12 {
            switch step {
            case .methodSelectionRequired(let state):
                factors += 1
                step = try await script.client.selectMethod(at: 0, in: state)
            case .secondFactorCodeRequired(let state):
                step = try await script.client.submitCode(Secret("12345678"), in: state)
            case .newPasswordRequired(let state):
                step = try await script.client.submitNewPassword(Secret("secret-password"), in: state)
            case .finished(let state):
                step = try await script.client.signIn(NativeAuth.SignInAfterFlowRequest(), after: state)
            case .codeRequired, .passwordRequired, .attributesRequired, .registrationRequired,
                .registrationCodeRequired, .completed:
                break
            }
        }

        guard case .completed = step else {
            Issue.record("the flow ends with \(step)")
            return
        }
        #expect(factors == 3)
        try script.service.verify()
    }

    @Test func `a method from another list is rejected without a request`() async throws {
        let methods = NativeAuth.FlowMethods(
            flow: NativeAuth.Flow(NativeAuth.FlowStart(scenario: .signIn, username: Lee.username)),
            offers: []
        )
        let script = try FlowScript()

        let failure = await #expect(throws: NativeAuthFailure.self) {
            try await MethodChoice(methods).select(
                MSALAuthMethod(Lee.method),
                client: script.client
            )
        }

        #expect(failure?.kind == .invalidInput && failure?.canRetry == true)
        #expect(script.service.messages.isEmpty)
    }
}
