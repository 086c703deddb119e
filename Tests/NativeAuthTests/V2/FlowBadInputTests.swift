// Licensed under the MIT License. See LICENSE.

import Foundation
import TestSupport
import Testing

@testable import MSAL
@testable import MSALBase
@testable import MSALCore

@Suite("Bad responses in native authentication V2", .timeLimit(.minutes(1)))
struct FlowBadInputTests {
    /// Bodies at the start of a flow that are not steps.
    static let bodies = [
        "", "null", "[]", "[{\"a\":1}]", "7", "\"text\"", "{", "{}", #"{"state":null}"#, #"{"continuationToken":"ct"}"#,
        #"{"action":"verify"}"#, #"{"action":"verify","continuationToken":"ct"}"#,
        #"{"action":"verify","continuationToken":"","_links":{"verify":{"href":"/api/v2.0/x"}}}"#,
        #"{"action":"verify","continuationToken":7,"_links":{"verify":{"href":"/api/v2.0/x"}}}"#,
        #"{"action":"verify","continuationToken":"ct","_links":[]}"#,
        #"{"action":"verify","continuationToken":"ct","_links":{"verify":"/api/v2.0/x"}}"#,
        #"{"action":"verify","continuationToken":"ct","_links":{"verify":{"href":7}}}"#,
        #"{"action":"verify","continuationToken":"ct","_links":{"verify":{"href":"/{x}/api/v2.0/y","templated":true}}}"#,
        #"{"action":"Verify","continuationToken":"ct","_links":{"verify":{"href":"/api/v2.0/x"}}}"#,
        #"{"action":"continue","continuationToken":"ct"}"#,
        #"{"action":7,"continuationToken":"ct"}"#,
        #"{"state":"Continue","continuationToken":"ct"}"#,
        #"{"action":"poll","continuationToken":"ct","_links":{"poll":{"href":"/api/v2.0/x"}}}"#,
        #"{"action":"riskverify","continuationToken":"ct","_links":{"riskverify":{"href":"/api/v2.0/x"}}}"#,
        #"{"action":"challenge","continuationToken":"ct","challengeContext":{"authenticationFactor":"thirdFactor"}}"#,
        #"{"action":"challenge","continuationToken":"ct","challengeContext":{"authenticationFactor":"singleFactor"},"_embedded":{"methods":{}}}"#,
        #"{"action":"enroll","continuationToken":"ct","_embedded":{"methods":[{"id":"m","type":"voice"}]}}"#,
        #"{"action":"update","continuationToken":"ct"}"#, #"{"action":"activate","continuationToken":"ct"}"#,
        #"{"action":"collectAttributes","continuationToken":"ct","attributes":[]}"#,
        String(repeating: #"{"a":"#, count: 1_000) + "1" + String(repeating: "}", count: 1_000),
    ]

    @Test(arguments: bodies)
    func `a response that is not a step is a general error`(_ body: String) async throws {
        let script = try FlowScript(.entry(), .json(body))

        let failure = try #require(await #expect(throws: NativeAuthFailure.self) { try await script.start() })

        #expect(failure.kind == .general && !failure.canRetry)
        try script.service.verify()
    }

    @Test func `a link of ten thousand characters is followed, and one of twenty thousand is not`() async throws {
        for (length, isFollowed) in [(10_000, true), (20_000, false)] {
            let link = "/t/api/v2.0/" + String(repeating: "a", count: length)
            let script = try FlowScript(.entry(start: link), .passwordAsked())

            _ = try? await script.start()

            #expect(script.service.messages.count == (isFollowed ? 2 : 1))
        }
    }

    @Test func `an error in a valid body is an error, and fallback takes precedence`() async throws {
        let good = #""action":"verify","continuationToken":"ct","_links":{"verify":{"href":"/api/v2.0/x"}}"#
        for (members, kind) in [
            (#""error":"server_error","#, NativeAuthFailure.Kind.general), (#""error":{"code":"x"},"#, .general),
            (#""state":"webFallbackRequired","error":"server_error","#, .browserRequired),
            (#""error":{"code":"redirect_to_web"},"#, .browserRequired),
            (#""error":{"code":"invalidGrant","innerError":{"code":"webRedirectRequired"}},"#, .browserRequired),
        ] {
            let script = try FlowScript(.entry(), .json("{\(members)\(good)}"))

            let failure = try #require(await #expect(throws: NativeAuthFailure.self) { try await script.start() })

            #expect(failure.kind == kind)
        }
    }

    @Test(arguments: [429, 500, 503])
    func `no status is a reason to send a request again`(_ status: Int) async throws {
        let script = try FlowScript(.entry(), .json(#"{"error":"temporarily_unavailable"}"#, status: status))

        await #expect(throws: NativeAuthFailure.self) { try await script.start() }

        #expect(script.service.messages.count == 2)
        #expect(script.service.messages.allSatisfy { $0.repetition == .never })
    }

    @Test func `the number of requests after one call is limited`() async throws {
        let script = try FlowScript(.entry(), .passwordAsked())
        guard case .passwordRequired(let state) = try await script.start() else {
            Issue.record("no password is asked for")
            return
        }
        for _ in 0..<20 { script.service.append(.finished()) }

        await #expect(throws: NativeAuthFailure.self) {
            try await script.client.submitPassword(Secret("secret-password"), in: state)
        }

        // Entry and start, then the password and the ten that may follow it.
        #expect(script.service.messages.count == 2 + 1 + 10)
    }

    @Test func `the number of polls is limited, and an error stops them`() async throws {
        let script = try FlowScript(.entry(), .newPasswordAsked())
        guard case .newPasswordRequired(let state) = try await script.start(.passwordReset) else {
            Issue.record("no new password is asked for")
            return
        }
        for number in 0..<7 { script.service.append(.polling("ct-\(number)")) }
        await #expect(throws: NativeAuthFailure.self) {
            try await script.client.submitNewPassword(Secret("secret-password"), in: state)
        }
        #expect(script.service.messages.count == 2 + 1 + 5)
        #expect(script.service.messages[2].method == "PUT")
        #expect(script.body(7)["continuationToken"] == .string("ct-4"))
    }

    @Test func `a canceled poll stops immediately`() async throws {
        let time = ManualTime()
        let script = try FlowScript(.entry(), .newPasswordAsked(), .polling("ct-1"), time: time)
        guard case .newPasswordRequired(let state) = try await script.start(.passwordReset) else {
            Issue.record("no new password is asked for")
            return
        }
        let task = Task { try await script.client.submitNewPassword(Secret("secret-password"), in: state) }
        await time.untilSomebodySleeps()

        task.cancel()

        let failure = await #expect(throws: NativeAuthFailure.self) { try await task.value }
        #expect(failure?.isCanceled == true && failure?.canRetry == false)
        try script.service.verify()
    }

    @Test func `a canceled task sends nothing`() async throws {
        let script = try FlowScript()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await script.start()
        }
        task.cancel()

        let failure = await #expect(throws: NativeAuthFailure.self) { try await task.value }

        #expect(failure?.isCanceled == true)
        #expect(script.service.messages.isEmpty)
    }
}
