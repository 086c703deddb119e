// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import Testing

struct FlowSignUpTests {
    static let user = "new@customer.example"
    static let password = "Gr8-secret!"

    private func verified(_ app: FlowApp) async throws -> Bench.Response {
        try await app.prove(app.start("sign_up", as: Self.user), by: "email", to: Self.user)
    }

    private func submit(
        _ app: FlowApp,
        to asked: Bench.Response,
        _ attributes: [String: Any]
    ) async throws -> Bench.Response {
        try await app.follow("submitAttributes", of: asked, adding: ["attributes": attributes])
    }

    private func attributes(_ asked: Bench.Response) throws -> [[String: Any]] {
        #expect(try asked.action() == "collectAttributes")
        return try #require(try asked.json()["attributes"] as? [[String: Any]])
    }

    private func exists(_ app: FlowApp) async throws -> Bool {
        try await app.emulator.directory().users.contains { $0.userPrincipalName == Self.user }
    }

    @Test func `a code and a password make an account, at the end and not before`() async throws {
        try await FlowApp.run { app in
            let offered = try await app.start("sign_up", as: Self.user)
            let asked = try await app.prove(offered, by: "email", to: Self.user)
            let before = try await exists(app)
            let done = try await submit(app, to: asked, ["password": Self.password])
            let after = try await exists(app)
            let tokens = try await app.tokens(done)
            let again = try await app.follow(
                "verify",
                of: app.start("sign_in", as: Self.user),
                adding: ["password": Self.password]
            )

            #expect(try offered.types() == ["email"])
            #expect(app.emulator.outbox.first?.purpose == .signUp)
            #expect(try attributes(asked).map { $0["attributeId"] as? String } == ["password"])
            #expect(try attributes(asked).first?["inputType"] as? String == "password")
            #expect(!before)
            #expect(after)
            #expect(try Bench.claims(tokens["id_token"])["preferred_username"] as? String == Self.user)
            #expect(try again.state() == "continue")
        }
    }

    @Test func `a code is enough where customers have no password`() async throws {
        try await FlowApp.run { app in
            var app = app
            app.clientID = app.emulator.seed.codeClientID
            let done = try await verified(app)
            let tokens = try await app.tokens(done)

            #expect(try done.state() == "continue")
            #expect(tokens["access_token"] is String)
        }
    }

    @Test func `attributes are named with type and pattern, and are in the tokens`() async throws {
        try await FlowApp.run { app in
            var app = app
            app.clientID = app.emulator.seed.attributesClientID
            let asked = try await verified(app)
            let done = try await submit(
                app,
                to: asked,
                [
                    "displayName": "Nia New", "postalCode": "01234", "country": ["Austria", "Germany"],
                    "password": Self.password,
                ]
            )
            let tokens = try await app.tokens(done)
            let all = try attributes(asked)

            #expect(
                all.map { $0["inputType"] as? String } == [
                    "text", "text", "checkboxMultiSelect", "boolean", "password",
                ]
            )
            #expect(all.map { $0["required"] as? Bool } == [true, true, false, false, true])
            #expect(all[1]["regex"] as? String == "^(?:[0-9]{5})$")
            #expect(try Bench.claims(tokens["id_token"])["name"] as? String == "Nia New")
        }
    }

    @Test func `attributes that are missing or refused are named, all at once, and can be given again`() async throws {
        try await FlowApp.run { app in
            var app = app
            app.clientID = app.emulator.seed.attributesClientID
            let asked = try await verified(app)
            let refused = try await submit(
                app,
                to: asked,
                ["postalCode": "x", "country": ["Atlantis"], "password": "short"]
            )
            let done = try await submit(
                app,
                to: asked,
                ["displayName": "Nia", "postalCode": "01234", "password": Self.password]
            )

            #expect(
                try refused.flowFailure()
                    == FlowFailure("invalidRequest", "attributeValidationError", number: 1_002_027)
            )
            #expect(
                try refused.details() == [
                    "displayName": "attributeRequired", "postalCode": "attributeInvalid", "country": "attributeInvalid",
                    "password": "passwordPolicyViolation",
                ]
            )
            #expect(try done.state() == "continue")
        }
    }

    @Test func `values of all JSON types are taken where they fit`() async throws {
        let rules = [
            AttributeRule(name: "terms", kind: .boolean), AttributeRule(name: "age", kind: .integer),
            AttributeRule(name: "birthday", kind: .date), AttributeRule(name: "hobbies", options: ["a", "b", "c"]),
        ]
        try await FlowApp.run(with: { $0.attributesRequested = rules }) { app in
            var app = app
            app.clientID = app.emulator.seed.codeClientID
            let asked = try await verified(app)
            let refused = try await submit(
                app,
                to: asked,
                ["terms": "maybe", "age": "old", "birthday": "yesterday", "hobbies": ["a", "d"]]
            )
            let done = try await submit(
                app,
                to: asked,
                ["terms": true, "age": 42, "birthday": "1984-02-29", "hobbies": ["a", "c"]]
            )
            let account = try await app.emulator.directory().users.first { $0.userPrincipalName == Self.user }

            #expect(try Set(refused.details().values) == ["attributeInvalid"])
            #expect(try refused.details().count == 4)
            #expect(try done.state() == "continue")
            #expect(
                account?.customer?.attributes == [
                    "terms": "true", "age": "42", "birthday": "1984-02-29", "hobbies": "a,c",
                ]
            )
        }
    }

    @Test func `the same attributes can be asked for a second time`() async throws {
        try await FlowApp.run(with: { $0.asksAgain = true }) { app in
            let first = try await verified(app)
            let second = try await submit(app, to: first, ["password": Self.password])
            let done = try await submit(app, to: second, ["password": Self.password])

            #expect(try second.action() == "collectAttributes")
            #expect(try done.state() == "continue")
        }
    }

    @Test func `attributes can be asked for at a sign-in`() async throws {
        try await FlowApp.run { app in
            let user = "attributes@fabrikam.example"
            let asked = try await app.signIn(user)
            let refused = try await submit(app, to: asked, ["displayName": "Ada", "city": "oslo"])
            let done = try await submit(app, to: asked, ["displayName": "Ada", "city": "Oslo"])
            let next = try await app.signIn(user)

            #expect(try attributes(asked).map { $0["attributeId"] as? String } == ["displayName", "city"])
            #expect(try refused.details() == ["city": "attributeInvalid"])
            #expect(try done.state() == "continue")
            #expect(try next.state() == "continue")
        }
    }

    // MARK: The account is there

    @Test func `an address that has an account is refused, or signs in`() async throws {
        try await FlowApp.run { app in
            let user = "method-choice@fabrikam.example"
            let refused = try await app.start("sign_up", as: user)
            try await app.emulator.changeNativeAuth { $0.v2.existingAccountAtSignUp = .continueAsSignIn }
            let offered = try await app.start("sign_up", as: user)
            let done = try await app.follow(
                "verify",
                of: offered,
                method: "password",
                adding: ["password": FlowApp.password]
            )
            let tokens = try await app.tokens(done)

            #expect(try refused.flowFailure() == FlowFailure("invalidRequest", "userAlreadyExists", number: 1_003_037))
            #expect(try offered.types() == ["email", "password"])
            #expect(try Bench.claims(tokens["id_token"])["preferred_username"] as? String == user)
        }
    }

    @Test func `of two sign-ups with one address, the first makes the account`() async throws {
        try await FlowApp.run { app in
            let one = try await verified(app)
            let other = try await verified(app)
            let first = try await submit(app, to: one, ["password": Self.password])
            let second = try await submit(app, to: other, ["password": Self.password])

            #expect(try first.state() == "continue")
            #expect(try second.flowFailure().number == 1_003_037)
        }
    }

    @Test(arguments: ["", "nobody", "a@b..c", "a b@c.example"])
    func `a name that is not an email address is rejected`(name: String) async throws {
        try await FlowApp.run { app in
            let refused = try await app.start("sign_up", as: name)

            #expect(try refused.flowFailure() == FlowFailure("invalidRequest", number: 90_100))
        }
    }

    @Test func `after a sign-up the app may ask for other scopes, which were consented to`() async throws {
        try await FlowApp.run { app in
            var app = app
            app.clientID = app.emulator.seed.codeClientID
            func code(_ user: String) async throws -> Bench.Response {
                try await app.resume(app.prove(app.start("sign_up", as: user), by: "email", to: user))
            }
            let given = try await app.redeem(
                code("one@customer.example"),
                scope: app.emulator.seed.toDoReadScope + " " + FlowApp.scope
            )
            let refused = try await app.redeem(code("two@customer.example"), scope: app.emulator.seed.payrollScope)
            let spared = try await app.redeem(code("three@customer.example"), scope: app.emulator.seed.vaultScope)
            // A code by e-mail is a second factor for people with a password only.
            var withPassword = app
            withPassword.clientID = app.emulator.seed.clientID
            let done = try await submit(withPassword, to: verified(withPassword), ["password": Self.password])
            let strong = try await withPassword.redeem(
                withPassword.resume(done),
                scope: app.emulator.seed.vaultScope
            )

            #expect(try given.json()["scope"] as? String == app.emulator.seed.toDoReadScope)
            #expect(try refused.refusal().number == 65_001)
            #expect(spared.status == 200)
            #expect(try strong.refusal() == Refusal("invalid_grant", number: 50_079))
        }
    }
}
