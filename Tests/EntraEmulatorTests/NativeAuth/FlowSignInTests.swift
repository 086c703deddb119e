// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

struct FlowSignInTests {
    static let user = "password@fabrikam.example"

    @Test(arguments: ["fabrikam.onmicrosoft.com", "fabrikam", "22222222-2222-2222-2222-222222222222"])
    func `a password leads to tokens`(tenant: String) async throws {
        try await FlowApp.run { app in
            var app = app
            app.tenant = tenant
            let entry = try await app.enter()
            let asked = try await app.follow("sign_in", of: entry, adding: ["username": Self.user])
            let done = try await app.follow("verify", of: asked, adding: ["password": FlowApp.password])
            let tokens = try await app.tokens(done)
            let idToken = try Bench.claims(tokens["id_token"])

            #expect(entry.status == 401)
            #expect(try entry.json()["error"] as? String == "InsufficientAuthorization")
            #expect(asked.headers.first(name: "content-type")?.hasPrefix("application/hal+json") == true)
            #expect(try asked.state() == "interactionRequired")
            #expect(try asked.action() == "verify")
            #expect(try asked.json()["type"] as? String == "password")
            #expect(try done.json()["action"] == nil)
            #expect(idToken["preferred_username"] as? String == Self.user)
            #expect(idToken["tid"] as? String == app.emulator.seed.externalTenantID)
            #expect(tokens["refresh_token"] is String)
            #expect(tokens["client_info"] is String)
        }
    }

    @Test func `a code by email leads to tokens`() async throws {
        try await FlowApp.run { app in
            let offered = try await app.start("sign_in", as: "code@fabrikam.example")
            let sent = try await app.follow("challenge", of: offered, method: "email")
            let tokens = try await app.tokens(app.verify(sent, "code@fabrikam.example"))

            #expect(try offered.action() == "challenge")
            #expect(try offered.factor() == "singleFactor")
            #expect(try offered.methods().first?["hint"] as? String == "c***e@fa******.example")
            #expect(try sent.action() == "verify")
            #expect(try sent.json()["codeLength"] as? Int == 8)
            #expect(try sent.json()["hint"] as? String == "c***e@fa******.example")
            #expect(app.emulator.outbox.last?.purpose == .signIn)
            #expect(tokens["access_token"] is String)
        }
    }

    @Test func `several first factors are a choice, of which a password needs no challenge`() async throws {
        try await FlowApp.run { app in
            let user = "method-choice@fabrikam.example"
            let offered = try await app.start("sign_in", as: user)
            let byPassword = try await app.follow(
                "verify",
                of: offered,
                method: "password",
                adding: ["password": FlowApp.password]
            )
            let byCode = try await app.prove(app.start("sign_in", as: user), by: "email", to: user)

            #expect(try offered.types() == ["email", "password"])
            #expect(try byPassword.state() == "continue")
            #expect(try byCode.state() == "continue")
        }
    }

    @Test func `a password can have a challenge link`() async throws {
        try await FlowApp.run(with: { $0.passwordChallengeLink = true }) { app in
            let offered = try await app.start("sign_in", as: Self.user)
            let asked = try await app.follow("challenge", of: offered, method: "password")
            let done = try await app.follow("verify", of: asked, adding: ["password": FlowApp.password])

            #expect(try offered.action() == "challenge")
            #expect(try asked.action() == "verify")
            #expect(try done.state() == "continue")
        }
    }

    @Test func `methods that no app supports are listed, and lead nowhere`() async throws {
        try await FlowApp.run { app in
            let offered = try await app.start("sign_in", as: "unsupported@fabrikam.example")
            let type = try #require(offered.types().first)
            let refused = try await app.follow("challenge", of: offered, method: type)

            #expect(try offered.types() == ["fido2"])
            #expect(try refused.flowFailure() == FlowFailure("invalidRequest", "invalidInput", number: 901_001))
        }
    }

    // MARK: Refusals

    @Test(
        arguments: [
            ("disabled", FlowFailure("invalidGrant", number: 50_057)),
            ("locked", FlowFailure("invalidGrant", number: 50_053)),
            ("expired", FlowFailure("invalidGrant", number: 50_055)),
            ("change", FlowFailure("invalidRequest", number: 50_142)),
        ]
    )
    func `sign-ins with a password can be blocked`(user: String, expected: FlowFailure) async throws {
        try await FlowApp.run { app in
            let response = try await app.signIn("\(user)@fabrikam.example")

            #expect(try response.flowFailure() == expected)
        }
    }

    @Test func `after a wrong password the same token takes the right one`() async throws {
        try await FlowApp.run { app in
            let asked = try await app.start("sign_in", as: Self.user)
            let wrong = try await app.follow("verify", of: asked, adding: ["password": "no"])
            let right = try await app.follow("verify", of: asked, adding: ["password": FlowApp.password])

            #expect(try wrong.flowFailure() == .wrongPassword)
            #expect(try right.state() == "continue")
        }
    }

    @Test func `wrong passwords lock an account in both versions`() async throws {
        try await FlowApp.run({ $0.nativeAuth.wrongPasswordsAllowed = 2 }) { app in
            let asked = try await app.start("sign_in", as: Self.user)
            for _ in 0..<2 { _ = try await app.follow("verify", of: asked, adding: ["password": "no"]) }
            let locked = try await app.follow("verify", of: asked, adding: ["password": FlowApp.password])
            let first = try await NativeApp(bench: app.bench).signIn(Self.user)
            await app.emulator.advanceClock(by: .seconds(61))
            let later = try await app.follow("verify", of: asked, adding: ["password": FlowApp.password])

            #expect(try locked.flowFailure() == FlowFailure("invalidGrant", number: 50_053))
            #expect(try first.refusal().number == 50_053)
            #expect(try later.state() == "continue")
        }
    }

    @Test func `wrong codes are counted, and another code voids the one before`() async throws {
        try await FlowApp.run { app in
            let user = "code@fabrikam.example"
            let sent = try await app.follow(
                "challenge",
                of: app.start("sign_in", as: user),
                method: "email"
            )
            let first = try app.code(user)
            for _ in 0..<5 {
                let wrong = try await app.follow("verify", of: sent, adding: ["otp": "wrong"])
                #expect(try wrong.flowFailure() == .wrongCode)
            }
            let void = try await app.follow("verify", of: sent, adding: ["otp": first])
            let again = try await app.follow("resend", of: sent)
            let usedUp = try await app.follow("verify", of: sent, adding: ["otp": app.code(user)])
            let right = try await app.verify(again, user)

            #expect(try void.flowFailure() == .wrongCode)
            #expect(try again.action() == "verify")
            #expect(try usedUp.flowFailure() == .invalidContinuation)
            #expect(try right.state() == "continue")
        }
    }

    @Test func `a code grows old`() async throws {
        try await FlowApp.run({ $0.nativeAuth.codeLifetime = .seconds(30) }) { app in
            let user = "code@fabrikam.example"
            let sent = try await app.follow("challenge", of: app.start("sign_in", as: user), method: "email")
            await app.emulator.advanceClock(by: .seconds(31))
            let late = try await app.verify(sent, user)

            #expect(try late.flowFailure() == FlowFailure("invalidGrant", "invalidOneTimeCode", number: 50_184))
        }
    }

    @Test func `an unknown address is an error, or a code that never comes`() async throws {
        try await FlowApp.run { app in
            let unknown = try await app.start("sign_in", as: "nobody@fabrikam.example")
            try await app.emulator.changeNativeAuth { $0.v2.hidesUnknownUsers = true }
            let offered = try await app.start("sign_in", as: "nobody@fabrikam.example")
            let sent = try await app.follow("challenge", of: offered, method: "email")
            let wrong = try await app.follow("verify", of: sent, adding: ["otp": "12345678"])

            #expect(try unknown.flowFailure() == FlowFailure("invalidRequest", number: 50_034))
            #expect(try sent.json()["codeLength"] as? Int == 8)
            #expect(app.emulator.outbox.isEmpty)
            #expect(try wrong.flowFailure() == .wrongCode)
        }
    }

    // MARK: Scopes and codes

    @Test func `scopes and claims of the entry are those of the tokens`() async throws {
        try await FlowApp.run {
            // A context is given by a policy only; this one wants nothing that is missing.
            $0.directory.policies[0].grant = []
            $0.directory.policies[0].signInFrequency = .seconds(600)
            for index in $0.directory.apis.indices { $0.directory.apis[index].optionalClaims.append("xms_cc") }
        } _: { app in
            let scope = app.emulator.seed.toDoReadScope + " " + FlowApp.scope
            let claims = #"{"access_token":{"acrs":{"essential":true,"value":"c1"},"xms_cc":{"values":["cp1"]}}}"#
            let entry = try await app.enter(scope: scope, claims: claims)
            let asked = try await app.follow("sign_in", of: entry, adding: ["username": Self.user])
            let done = try await app.follow("verify", of: asked, adding: ["password": FlowApp.password])
            let tokens = try await app.tokens(done, scope: scope)
            let access = try Bench.claims(tokens["access_token"])

            #expect(tokens["scope"] as? String == app.emulator.seed.toDoReadScope)
            #expect(access["acrs"] as? [String] == ["c1"])
            #expect(access["xms_cc"] as? [String] == ["cp1"])
        }
    }

    @Test func `a scope that the entry did not name is not given`() async throws {
        try await FlowApp.run { app in
            let resumed = try await app.resume(app.signIn(Self.user))
            let refused = try await app.redeem(resumed, scope: app.emulator.seed.toDoReadScope)

            #expect(try refused.refusal().number == 65_001)
        }
    }

    @Test func `unknown scopes and scopes without consent are rejected`() async throws {
        try await FlowApp.run { app in
            let unknown = try await app.enter(scope: "api://nothing/Read openid")
            let done = try await app.signIn(Self.user, scope: app.emulator.seed.payrollScope + " openid")
            let refused = try await app.resume(done)

            #expect(try unknown.refusal() == Refusal("invalid_scope", number: 70_011))
            #expect(try refused.flowFailure().number == 65_001)
        }
    }

    @Test func `the code works once, for ten minutes, for its client and without a redirect URI`() async throws {
        try await FlowApp.run { app in
            func code() async throws -> String {
                let resumed = try await app.resume(app.signIn(Self.user))
                return try #require(try resumed.json()["code"] as? String)
            }
            let spent = try await code()
            let first = try await app.redeem(code: spent)
            let second = try await app.redeem(code: spent)
            var other = app
            other.clientID = app.emulator.seed.codeClientID
            let foreign = try await other.redeem(code: code())
            let redirected = try await app.bench.redeem(code(), tenant: "fabrikam")
            let old = try await code()
            await app.emulator.advanceClock(by: .seconds(601))
            let late = try await app.redeem(code: old)

            #expect(first.status == 200)
            #expect(second.status == 400)
            #expect(foreign.status == 400)
            #expect(redirected.status == 400)
            #expect(try late.refusal().number == 70_008)
        }
    }

    @Test func `a code of the browser still needs its redirect URI`() async throws {
        try await Bench.run { bench in
            let browser = Browser(bench)
            let code = try #require(try await browser.signIn(bench.authorizeURL()).parameters["code"])
            let response = try await bench.redeem(code, changing: ["redirect_uri": nil])

            #expect(try response.errorCode() == 900_144)
        }
    }
}
