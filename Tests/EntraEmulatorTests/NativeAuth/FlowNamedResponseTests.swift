// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

struct FlowNamedResponseTests {
    /// The answer that a queued name gives to a step.
    private func answer(_ name: NamedResponse) async throws -> Bench.Response {
        let suffix = "/signin/start"
        var response: Bench.Response?
        try await FlowApp.run { app in
            app.emulator.enqueueResponses([name], pathSuffix: suffix)
            response = try await app.start("sign_in", as: "password@fabrikam.example")
        }
        return try #require(response)
    }

    @Test(
        arguments: [
            (NamedResponse.flowChallengeEmail, "challenge", nil), (.flowChallengeSMS, "challenge", nil),
            (.flowChallengeMultiFactor, "challenge", nil), (.flowVerifyCode, "verify", "verify"),
            (.flowVerifyPassword, "verify", "verify"), (.flowUpdate, "update", "update"), (.flowPoll, "poll", "poll"),
            (.flowCollectAttributes, "collectAttributes", "submitAttributes"), (.flowEnroll, "enroll", nil),
            (.flowActivate, "activate", "activate"), (.flowRiskVerify, "riskverify", "riskverify"),
        ]
    )
    func `a name sets a response with an action, a token and links`(
        name: NamedResponse,
        action: String,
        relation: String?
    ) async throws {
        let answer = try await answer(name)

        #expect(answer.status == 200)
        #expect(try answer.state() == "interactionRequired")
        #expect(try answer.action() == action)
        #expect(try !answer.flowToken().isEmpty)
        if let relation {
            #expect(try answer.link(relation).hasPrefix("/fabrikam.onmicrosoft.com/api/v2.0/f/"))
        } else {
            for method in try answer.methods() { #expect(method["_links"] != nil) }
        }
    }

    @Test(
        arguments: [
            (NamedResponse.flowInvalidCode, FlowFailure.wrongCode), (.flowInvalidPassword, .wrongPassword),
            (.flowPasswordTooWeak, FlowFailure("invalidRequest", "passwordTooWeak", number: 120_002)),
            (.flowUserExists, FlowFailure("invalidRequest", "userAlreadyExists", number: 1_003_037)),
            (.flowUserNotFound, FlowFailure("invalidRequest", number: 50_034)),
            (.flowAttributesRefused, FlowFailure("invalidRequest", "attributeValidationError", number: 1_002_027)),
            (.flowContactBlocked, .blocked), (.flowInvalidContinuation, .invalidContinuation),
        ]
    )
    func `a name is an error`(name: NamedResponse, failure: FlowFailure) async throws {
        let answer = try await answer(name)

        #expect(try answer.flowFailure() == failure)
    }

    @Test func `the other names are entry, end, code, browser, and what no client knows`() async throws {
        let entry = try await answer(.flowEntry)
        let done = try await answer(.flowContinue)
        let code = try await answer(.flowCode)
        let browser = try await answer(.flowWebFallback)
        let unknown = try await answer(.flowUnknownAction)
        let foreign = try await answer(.flowForeignLink)

        #expect(entry.status == 401)
        #expect(try entry.link("sign_up").contains("/signup/start"))
        #expect(try done.state() == "continue")
        #expect(try done.link("continue").hasSuffix("/oauth2/v2.0/authorize-challenge"))
        #expect(try code.json()["code"] is String)
        #expect(try browser.state() == "webFallbackRequired")
        #expect(try unknown.action() == "sing")
        #expect(try foreign.link("verify").hasPrefix("https://login.attacker.example/"))
    }

    @Test func `a name sets the response to a new password, too`() async throws {
        try await FlowApp.run { app in
            let user = "password@fabrikam.example"
            let asked = try await app.prove(app.start("reset_password", as: user), by: "email", to: user)
            app.emulator.enqueueResponses([.flowPasswordTooWeak], pathSuffix: "/password/update")
            let refused = try await app.follow("update", of: asked, by: .PUT, adding: ["newPassword": "Gr8-secret!"])
            let accepted = try await app.follow("update", of: asked, by: .PUT, adding: ["newPassword": "Gr8-secret!"])

            #expect(try refused.flowFailure().inner == "passwordTooWeak")
            #expect(try accepted.action() == "poll")
        }
    }
}
