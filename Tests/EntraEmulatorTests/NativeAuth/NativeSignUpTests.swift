// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import Testing

struct NativeSignUpTests {
    static let address = "new@customer.example"

    private func submit(
        _ app: NativeApp,
        grantType: String,
        token: String,
        value: String
    ) async throws
        -> Bench.Response
    {
        try await app.next("signup/v1.0/continue", token: token, adding: ["grant_type": grantType, grantType: value])
    }

    @Test func `a code and then a password make an account that can sign in`() async throws {
        try await NativeApp.run { app in
            let sent = try await app.signUpChallenged(Self.address)
            let wrong = try await submit(app, grantType: "oob", token: sent, value: "wrong")
            let asked = try await submit(app, grantType: "oob", token: sent, value: app.code(Self.address))
            let challenge = try await app.challenge("signup/v1.0/challenge", token: asked.token())
            let weak = try await submit(app, grantType: "password", token: challenge.token(), value: "aaaaaaaaaa")
            let done = try await submit(app, grantType: "password", token: challenge.token(), value: "Gr8-secret!")
            let tokens = try await app.redeem(
                "continuation_token",
                token: done.token(),
                adding: ["username": Self.address]
            )
            let again = try await app.redeem(
                "continuation_token",
                token: done.token(),
                adding: ["username": Self.address]
            )
            let later = try await app.redeem(
                "password",
                token: try await app.challenged(Self.address),
                adding: ["password": "Gr8-secret!"]
            )

            #expect(try wrong.refusal() == Refusal("invalid_grant", number: 50_181, suberror: "invalid_oob_value"))
            #expect(try asked.refusal() == Refusal("credential_required", number: 55_103))
            #expect(try challenge.json()["challenge_type"] as? String == "password")
            #expect(try weak.refusal() == Refusal("invalid_grant", number: 399_246, suberror: "password_too_weak"))
            #expect(try done.json()["expires_in"] as? Int == 600)
            #expect(tokens.status == 200)
            #expect(try again.refusal() == Refusal("invalid_request", number: 55_200))
            #expect(later.status == 200)
        }
    }

    @Test func `values from the start are not requested again`() async throws {
        try await NativeApp.run { app in
            var app = app
            app.clientID = app.emulator.seed.attributesClientID
            let attributes = #"{"displayName":"Nia New","postalCode":"01234","unknown":"ignored"}"#
            let sent = try await app.signUpChallenged(
                Self.address,
                adding: ["password": "Gr8-secret!", "attributes": attributes]
            )
            let done = try await submit(app, grantType: "oob", token: sent, value: app.code(Self.address))
            let body = try await app.redeem("continuation_token", token: done.token()).json()

            #expect(done.status == 200)
            #expect(try Bench.claims(body["id_token"])["name"] as? String == "Nia New")
        }
    }

    @Test func `attributes are requested after the password, with their rules, until all are present`() async throws {
        try await NativeApp.run { app in
            var app = app
            app.clientID = app.emulator.seed.attributesClientID
            let sent = try await app.signUpChallenged(Self.address)
            let asked = try await submit(app, grantType: "oob", token: sent, value: app.code(Self.address))
            let challenge = try await app.challenge("signup/v1.0/challenge", token: asked.token())
            let missing = try await submit(app, grantType: "password", token: challenge.token(), value: "Gr8-secret!")
            let invalid = try await submit(
                app,
                grantType: "attributes",
                token: missing.token(),
                value: #"{"displayName":"Nia","postalCode":"x","country":"Atlantis"}"#
            )
            let half = try await submit(
                app,
                grantType: "attributes",
                token: missing.token(),
                value: #"{"displayName":"Nia"}"#
            )
            let malformed = try await submit(app, grantType: "attributes", token: half.token(), value: "[]")
            let done = try await submit(
                app,
                grantType: "attributes",
                token: half.token(),
                value: #"{"postalCode":"12345","country":"Austria,Germany"}"#
            )
            let rules = try #require(try missing.json()["required_attributes"] as? [[String: Any]])

            #expect(try missing.refusal() == Refusal("attributes_required", number: 55_106))
            #expect(try missing.names("required_attributes") == ["displayName", "postalCode"])
            #expect(rules[1]["type"] as? String == "string")
            #expect(rules[1]["required"] as? Bool == true)
            #expect((rules[1]["options"] as? [String: String])?["regex"] == "^(?:[0-9]{5})$")
            #expect(
                try invalid.refusal()
                    == Refusal("invalid_grant", number: 55_104, suberror: "attribute_validation_failed")
            )
            #expect(try invalid.names("invalid_attributes") == ["postalCode", "country"])
            #expect(try half.names("required_attributes") == ["postalCode"])
            #expect(try malformed.refusal() == Refusal("invalid_request", number: 90_100))
            #expect(done.status == 200)
        }
    }

    @Test func `attributes before the code wait for the code`() async throws {
        try await NativeApp.run { app in
            var app = app
            app.clientID = app.emulator.seed.attributesClientID
            let begun = try await app.begin("signup/v1.0/start", user: Self.address).token()
            let early = try await submit(
                app,
                grantType: "attributes",
                token: begun,
                value: #"{"displayName":"Nia","postalCode":"12345"}"#
            )
            let sent = try await app.challenge("signup/v1.0/challenge", token: early.token()).token()
            let asked = try await submit(app, grantType: "oob", token: sent, value: app.code(Self.address))

            #expect(try early.refusal() == Refusal("verification_required", number: 55_105))
            #expect(try early.names("unverified_attributes") == ["username"])
            #expect(try asked.refusal().error == "credential_required")
        }
    }

    @Test func `an app without passwords asks for none`() async throws {
        try await NativeApp.run { app in
            var app = app
            app.clientID = app.emulator.seed.codeClientID
            app.challengeTypes = "oob redirect"
            let sent = try await app.signUpChallenged(Self.address, adding: ["password": "short"])
            let done = try await submit(app, grantType: "oob", token: sent, value: app.code(Self.address))
            let challenge = try await app.begin("oauth2/v2.0/initiate", user: Self.address)

            #expect(done.status == 200)
            #expect(challenge.status == 200)
        }
    }

    @Test func `refusals at the start`() async throws {
        try await NativeApp.run { app in
            let path = "signup/v1.0/start"
            let existing = try await app.begin(path, user: "password@fabrikam.example")
            let social = try await app.begin(path, user: "social@fabrikam.example")
            let noCode = try await app.begin(path, user: Self.address, adding: ["challenge_type": "password redirect"])
            let noPassword = try await app.begin(path, user: Self.address, adding: ["challenge_type": "oob redirect"])
            let short = try await app.begin(path, user: Self.address, adding: ["password": "a"])
            let malformed = try await app.begin(path, user: Self.address, adding: ["attributes": "nonsense"])
            var other = app
            other.clientID = app.emulator.seed.attributesClientID
            let invalid = try await other.begin(
                path,
                user: Self.address,
                adding: ["attributes": #"{"postalCode":"x"}"#]
            )

            #expect(try existing.refusal() == Refusal("user_already_exists", number: 1_003_037))
            #expect(try social.refusal() == Refusal("user_already_exists", number: 1_003_037))
            #expect(try noCode.json()["challenge_type"] as? String == "redirect")
            #expect(try noPassword.json()["challenge_type"] as? String == "redirect")
            #expect(try short.refusal() == Refusal("invalid_grant", number: 399_246, suberror: "password_too_short"))
            #expect(try malformed.refusal() == Refusal("invalid_request", number: 90_100))
            #expect(
                try invalid.refusal()
                    == Refusal("invalid_grant", number: 55_104, suberror: "attribute_validation_failed")
            )
        }
    }

    @Test func `a concurrent sign-up of the same address can win`() async throws {
        try await NativeApp.run { app in
            let sent = try await app.signUpChallenged(Self.address, adding: ["password": "Gr8-secret!"])
            try await app.emulator.addCustomer(Self.address, password: nil)
            let late = try await submit(app, grantType: "oob", token: sent, value: app.code(Self.address))

            #expect(try late.refusal() == Refusal("user_already_exists", number: 1_003_037))
        }
    }

    @Test func `a grant type that does not fit is refused`() async throws {
        try await NativeApp.run { app in
            let sent = try await app.signUpChallenged(Self.address)
            let foreign = try await app.next(
                "signup/v1.0/continue",
                token: sent,
                adding: ["grant_type": "refresh_token"]
            )
            let early = try await submit(app, grantType: "password", token: sent, value: "Gr8-secret!")

            #expect(try foreign.refusal() == Refusal("invalid_grant", number: 70_003))
            #expect(try early.refusal() == Refusal("invalid_request", number: 55_200))
        }
    }

    @Test func `after sign-up the app's policy may want a strong method`() async throws {
        try await NativeApp.run { app in
            var app = app
            app.clientID = app.emulator.seed.secondFactorClientID
            let sent = try await app.signUpChallenged(Self.address, adding: ["password": "Gr8-secret!"])
            let done = try await submit(app, grantType: "oob", token: sent, value: app.code(Self.address))
            let needed = try await app.redeem("continuation_token", token: done.token())
            let listed = try await app.next("register/v1.0/introspect", token: needed.token())

            #expect(try needed.refusal() == Refusal("invalid_grant", number: 50_079, suberror: "registration_required"))
            #expect(try (listed.json()["methods"] as? [[String: String]])?.count == 2)
        }
    }
}
