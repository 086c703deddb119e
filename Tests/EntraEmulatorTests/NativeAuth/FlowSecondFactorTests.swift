// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import Testing

struct FlowSecondFactorTests {
    static let telephone = "+15550142"

    @Test func `a second factor is a choice, even of one`() async throws {
        try await FlowApp.run { app in
            let offered = try await app.signIn("mfa@fabrikam.example")
            let done = try await app.prove(offered, by: "email", to: "mfa-second@fabrikam.example")
            let tokens = try await app.tokens(done)

            #expect(try offered.action() == "challenge")
            #expect(try offered.factor() == "multiFactor")
            #expect(try offered.types() == ["email"])
            #expect(try offered.methods().first?["hint"] as? String == "m***d@fa******.example")
            #expect(app.emulator.outbox.last?.purpose == .secondFactor)
            #expect(tokens["access_token"] is String)
        }
    }

    @Test(arguments: ["email", "sms"])
    func `each method of a choice works, and its code can be sent again`(type: String) async throws {
        try await FlowApp.run { app in
            let recipient = type == "sms" ? Self.telephone : "mfa-choice-second@fabrikam.example"
            let offered = try await app.signIn("mfa-choice@fabrikam.example")
            let sent = try await app.follow("challenge", of: offered, method: type)
            let wrong = try await app.follow("verify", of: sent, adding: ["otp": "wrong"])
            let again = try await app.follow("resend", of: sent)
            let done = try await app.verify(again, recipient)

            #expect(try offered.types() == ["email", "sms"])
            #expect(try wrong.flowFailure() == .wrongCode)
            #expect(try again.json()["type"] as? String == type)
            #expect(try done.state() == "continue")
        }
    }

    @Test func `a second factor follows a code, too`() async throws {
        try await FlowApp.run { app in
            let user = "mfa-code@fabrikam.example"
            let offered = try await app.prove(app.start("sign_in", as: user), by: "email", to: user)
            let done = try await app.prove(offered, by: "sms", to: Self.telephone)

            #expect(try offered.types() == ["sms"])
            #expect(try done.state() == "continue")
        }
    }

    @Test func `a blocked method is refused, and another may be chosen`() async throws {
        try await FlowApp.run { app in
            let offered = try await app.signIn("mfa-blocked@fabrikam.example")
            let refused = try await app.follow("challenge", of: offered, method: "email")
            let again = try await app.follow("challenge", of: offered, method: "email")

            #expect(try refused.flowFailure() == .blocked)
            #expect(try again.flowFailure() == .blocked)
        }
    }

    // MARK: Risk

    @Test func `a telephone can have to pass a risk check, which an address has not`() async throws {
        try await FlowApp.run(with: { $0.riskCheck = .pass }) { app in
            let offered = try await app.signIn("mfa-choice@fabrikam.example")
            let checked = try await app.follow("challenge", of: offered, method: "sms")
            let early = app.emulator.outbox.count
            let sent = try await app.follow("riskverify", of: checked)
            let done = try await app.verify(sent, Self.telephone)
            let byMail = try await app.follow(
                "challenge",
                of: app.signIn("mfa-choice@fabrikam.example"),
                method: "email"
            )

            #expect(try checked.action() == "riskverify")
            #expect(early == 0)
            #expect(try sent.action() == "verify")
            #expect(try done.state() == "continue")
            #expect(try byMail.action() == "verify")
        }
    }

    @Test func `a risk check can refuse a telephone, or come twice`() async throws {
        try await FlowApp.run(with: { $0.riskCheck = .block }) { app in
            let checked = try await app.follow(
                "challenge",
                of: app.signIn("mfa-choice@fabrikam.example"),
                method: "sms"
            )
            let refused = try await app.follow("riskverify", of: checked)
            try await app.emulator.changeNativeAuth { $0.v2.riskCheck = .twice }
            let first = try await app.follow(
                "challenge",
                of: app.signIn("mfa-choice@fabrikam.example"),
                method: "sms"
            )
            let second = try await app.follow("riskverify", of: first)
            let sent = try await app.follow("riskverify", of: second)

            #expect(try refused.flowFailure() == .blocked)
            #expect(try second.action() == "riskverify")
            #expect(try sent.action() == "verify")
        }
    }

    // MARK: Where it comes

    @Test func `a second factor can wait until the flow is resumed`() async throws {
        try await FlowApp.run(with: { $0.secondFactorPosition = .atResume }) { app in
            let done = try await app.signIn("mfa@fabrikam.example")
            let offered = try await app.resume(done)
            let proved = try await app.prove(offered, by: "email", to: "mfa-second@fabrikam.example")
            let tokens = try await app.tokens(proved)

            #expect(try done.state() == "continue")
            #expect(offered.status == 401)
            #expect(try offered.factor() == "multiFactor")
            #expect(tokens["access_token"] is String)
        }
    }

    @Test func `an application and an API can want a second factor`() async throws {
        try await FlowApp.run { app in
            try await app.emulator.changeCustomer("password@fabrikam.example") { profile in
                profile.strongMethods = [
                    StrongMethod(
                        id: "cccccccc-0000-4000-8000-000000000099",
                        channel: .email,
                        address: "other@fabrikam.example"
                    )
                ]
            }
            var strict = app
            strict.clientID = app.emulator.seed.secondFactorClientID
            let byApplication = try await strict.signIn("password@fabrikam.example")
            let scope = app.emulator.seed.vaultScope + " " + FlowApp.scope
            let byAPI = try await app.signIn("password@fabrikam.example", scope: scope)
            let proved = try await app.prove(byAPI, by: "email", to: "other@fabrikam.example")
            let tokens = try await app.tokens(proved, scope: scope)

            #expect(try byApplication.factor() == "multiFactor")
            #expect(tokens["scope"] as? String == app.emulator.seed.vaultScope)
        }
    }

    @Test func `second factors can be chosen for a customer`() async throws {
        try await FlowApp.run { app in
            func choose(_ types: [String]?) async throws -> Bench.Response {
                try await app.emulator.changeCustomer("mfa-choice@fabrikam.example") { profile in
                    profile.v2 = profile.v2 ?? .init()
                    profile.v2?.secondFactors = types
                }
                return try await app.signIn("mfa-choice@fabrikam.example")
            }
            let reversed = try await choose(["sms", "email"])
            let unsupported = try await choose(["voice", "email"])
            let none = try await choose([])
            let usual = try await choose(nil)

            #expect(try reversed.types() == ["sms", "email"])
            #expect(try unsupported.types() == ["voice", "email"])
            #expect(try none.state() == "continue")
            #expect(try usual.types() == ["email", "sms"])
        }
    }
}
