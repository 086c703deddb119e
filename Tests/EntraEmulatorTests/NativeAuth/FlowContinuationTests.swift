// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// Tokens, addresses and bodies that are not those of the flow.
struct FlowContinuationTests {
    static let user = "password@fabrikam.example"

    @Test func `a token that was used, or is another flow's, is refused`() async throws {
        try await FlowApp.run { app in
            let entry = try await app.enter()
            let asked = try await app.follow("sign_in", of: entry, adding: ["username": Self.user])
            let again = try await app.follow("sign_in", of: entry, adding: ["username": Self.user])
            let other = try await app.start("sign_in", as: Self.user)
            let foreign = try await app.follow(
                "verify",
                of: asked,
                token: other.flowToken(),
                adding: ["password": FlowApp.password]
            )
            let none = try await app.send(.POST, to: asked.link("verify"), body: ["password": FlowApp.password])
            let done = try await app.follow("verify", of: asked, adding: ["password": FlowApp.password])
            let resumed = try await app.resume(done)
            let twice = try await app.resume(done)
            let late = try await app.follow("verify", of: asked, adding: ["password": FlowApp.password])

            for refused in [again, foreign, none, twice, late] {
                #expect(try refused.flowFailure() == .invalidContinuation)
            }
            #expect(try resumed.json()["code"] is String)
        }
    }

    @Test func `a token is good for its step only`() async throws {
        try await FlowApp.run { app in
            let asked = try await app.start("sign_in", as: Self.user)
            let flow = try asked.link("verify").split(separator: "/").prefix(5).joined(separator: "/")
            for path in ["signin/start", "signup/submitattributes", "auth/methods/password/pollUpdate"] {
                let refused = try await app.send(
                    .POST,
                    to: "/\(flow)/\(path)",
                    body: ["continuationToken": asked.flowToken(), "username": Self.user]
                )
                #expect(try refused.flowFailure() == .invalidContinuation, "\(path)")
            }
            let early = try await app.bench.send(
                .POST,
                to: app.authority + "/oauth2/v2.0/authorize-challenge",
                form: ["continuation_token": asked.flowToken()]
            )

            #expect(try early.flowFailure() == .invalidContinuation)
        }
    }

    @Test func `a token grows old, with the numbers that the settings say`() async throws {
        try await FlowApp.run({
            $0.nativeAuth.continuationLifetime = .seconds(30)
            $0.nativeAuth.invalidContinuationNumber = 55_000
            $0.nativeAuth.expiredContinuationNumber = 55_112
        }) { app in
            let asked = try await app.start("sign_in", as: Self.user)
            let wrong = try await app.follow("verify", of: asked, token: "wrong", adding: ["password": "x"])
            await app.emulator.advanceClock(by: .seconds(31))
            let old = try await app.follow("verify", of: asked, adding: ["password": FlowApp.password])

            #expect(try wrong.flowFailure().number == 55_000)
            #expect(try old.flowFailure() == FlowFailure("invalidRequest", "invalidContinuationToken", number: 55_112))
        }
    }

    @Test func `a token of one tenant is none of another`() async throws {
        try await FlowApp.run({ configuration in
            configuration.directory.tenants.append(
                EmulatorDirectory.Tenant(
                    id: "44444444-4444-4444-8444-444444444444",
                    kind: .external,
                    displayName: "Tailspin",
                    domain: "tailspin.example"
                )
            )
        }) { app in
            var other = app
            other.tenant = "tailspin.example"
            let asked = try await app.start("sign_in", as: Self.user)
            let link = try asked.link("verify").replacing("/fabrikam.onmicrosoft.com/", with: "/tailspin.example/")
            let refused = try await app.send(
                .POST,
                to: link,
                body: ["continuationToken": asked.flowToken(), "password": FlowApp.password]
            )
            let unknown = try await other.start("sign_in", as: Self.user)
            let user = "new@tailspin.example"
            var codes = other
            codes.clientID = app.emulator.seed.codeClientID
            let done = try await codes.prove(codes.start("sign_up", as: user), by: "email", to: user)
            let tokens = try await codes.tokens(done)

            #expect(try refused.flowFailure() == .invalidContinuation)
            #expect(try unknown.flowFailure().number == 50_034)
            #expect(try Bench.claims(tokens["id_token"])["tid"] as? String == "44444444-4444-4444-8444-444444444444")
        }
    }

    @Test func `an address of no flow is not found, and another verb is not allowed`() async throws {
        try await FlowApp.run { app in
            let asked = try await app.start("sign_in", as: Self.user)
            let link = try asked.link("verify")
            let flow = try #require(link.split(separator: "/").dropFirst(4).first)
            let body = ["continuationToken": try asked.flowToken(), "password": FlowApp.password]
            let built = try await app.send(
                .POST,
                to: link.replacing(flow, with: "AAAAAAAAAAAAAAAAAAAAAA"),
                body: body
            )
            let old = try await app.send(.POST, to: app.authority + "/api/v2.0/signin/start", body: body)
            let get = try await app.bench.get(link)
            let put = try await app.send(.PUT, to: link, body: body)
            let entry = try await app.bench.get(app.authority + "/oauth2/v2.0/authorize-challenge")

            #expect(built.status == 404)
            #expect(old.status == 404)
            for response in [get, put, entry] { #expect(response.status == 405) }
        }
    }

    @Test(
        arguments: [
            ("application/x-www-form-urlencoded", "continuationToken=a"), ("text/plain", "{}"),
            ("application/json", "[]"), ("application/json", "nonsense"), ("application/json", ""),
        ]
    )
    func `a body that is no JSON object is refused`(type: String, body: String) async throws {
        try await FlowApp.run { app in
            let asked = try await app.start("sign_in", as: Self.user)
            let refused = try await app.bench.send(
                .POST,
                to: asked.link("verify"),
                headers: ["content-type": type],
                body: body
            )
            let right = try await app.follow("verify", of: asked, adding: ["password": FlowApp.password])

            #expect(try refused.flowFailure() == FlowFailure("invalidRequest", number: 9_002_313))
            #expect(try right.state() == "continue")
        }
    }

    @Test func `a member that is missing or of another kind is refused by name`() async throws {
        try await FlowApp.run { app in
            let asked = try await app.start("sign_in", as: Self.user)
            for members in [[:], ["password": ""], ["password": 7], ["password": ["a"]]] as [[String: Any]] {
                let refused = try await app.follow("verify", of: asked, adding: members)
                #expect(try refused.flowFailure() == FlowFailure("invalidRequest", number: 90_100))
                #expect(refused.text.contains("password parameter"))
            }
        }
    }

    @Test func `two requests with one token lead to one step`() async throws {
        try await FlowApp.run { app in
            let user = "new@customer.example"
            var app = app
            app.clientID = app.emulator.seed.codeClientID
            let sent = try await app.follow("challenge", of: app.start("sign_up", as: user), method: "email")
            let code = try app.code(user)
            let flow = app
            async let one = flow.follow("verify", of: sent, adding: ["otp": code])
            async let other = flow.follow("verify", of: sent, adding: ["otp": code])
            let answers = try await [one, other]
            let accounts = try await app.emulator.directory().users.count { $0.userPrincipalName == user }

            #expect(try answers.count { try $0.state() == "continue" } == 1)
            #expect(accounts == 1)
        }
    }

    @Test func `a restart of everything ends all flows`() async throws {
        try await FlowApp.run { app in
            let asked = try await app.start("sign_in", as: Self.user)
            try await app.emulator.reset()
            let gone = try await app.follow("verify", of: asked, adding: ["password": FlowApp.password])

            #expect(gone.status == 404)
        }
    }

    @Test func `neither tokens nor codes nor passwords are in the journal`() async throws {
        try await FlowApp.run { app in
            let done = try await app.prove(
                app.start("sign_in", as: "code@fabrikam.example"),
                by: "email",
                to: "code@fabrikam.example"
            )
            let token = try done.flowToken()
            _ = try await app.resume(done)
            _ = try await app.signIn(Self.user)
            let printed = app.emulator.journal.map(\.description).joined(separator: "\n")

            #expect(printed.contains("/signin/start"))
            #expect(!printed.contains(token))
            #expect(!printed.contains(try app.code("code@fabrikam.example")))
            #expect(!printed.contains(FlowApp.password))
        }
    }
}
