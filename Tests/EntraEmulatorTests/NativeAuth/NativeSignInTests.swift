// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

struct NativeSignInTests {
    @Test(arguments: ["fabrikam.onmicrosoft.com", "fabrikam", "22222222-2222-2222-2222-222222222222"])
    func `a password leads to tokens`(tenant: String) async throws {
        try await NativeApp.run { app in
            var app = app
            app.tenant = tenant
            let body = try await app.signIn("password@fabrikam.example").json()
            let idToken = try Bench.claims(body["id_token"])

            #expect(body["token_type"] as? String == "Bearer")
            #expect(body["scope"] as? String == "openid profile")
            #expect(body["refresh_token"] is String)
            #expect(body["client_info"] is String)
            #expect(idToken["aud"] as? String == app.clientID)
            #expect(idToken["tid"] as? String == app.emulator.seed.externalTenantID)
            #expect(idToken["preferred_username"] as? String == "password@fabrikam.example")
        }
    }

    @Test func `a code leads to tokens, and works once`() async throws {
        try await NativeApp.run { app in
            let begun = try await app.begin("oauth2/v2.0/initiate", user: "code@fabrikam.example").token()
            let sent = try await app.challenge("oauth2/v2.0/challenge", token: begun).json()
            let token = try #require(sent["continuation_token"] as? String)
            let code = try app.code("code@fabrikam.example")
            let tokens = try await app.redeem("oob", token: token, adding: ["oob": code])
            let again = try await app.redeem("oob", token: token, adding: ["oob": code])

            #expect(sent["challenge_type"] as? String == "oob")
            #expect(sent["binding_method"] as? String == "prompt")
            #expect(sent["challenge_channel"] as? String == "email")
            #expect(sent["challenge_target_label"] as? String == "c***e@fa******.example")
            #expect(sent["code_length"] as? Int == 8)
            #expect(sent["interval"] as? Int == 300)
            #expect(code.count == 8)
            #expect(token.count >= 100)
            #expect(tokens.status == 200)
            #expect(try again.refusal() == Refusal("invalid_request", number: 55_200))
        }
    }

    @Test(
        arguments: [
            ("disabled", Refusal("invalid_grant", number: 50_057)),
            ("locked", Refusal("invalid_grant", number: 50_053)),
            ("expired", Refusal("invalid_grant", number: 50_055)),
            ("change", Refusal("invalid_request", number: 50_142)),
            ("mfa", Refusal("invalid_grant", number: 50_076, suberror: "mfa_required")),
            ("register", Refusal("invalid_grant", number: 50_079, suberror: "registration_required")),
        ]
    )
    func `sign-ins with a password can be blocked`(user: String, expected: Refusal) async throws {
        try await NativeApp.run { app in
            let response = try await app.signIn("\(user)@fabrikam.example")

            #expect(try response.refusal() == expected)
        }
    }

    @Test(arguments: [.expired, .mustChange] as [CustomerProfile.PasswordState])
    func `of a disabled account with an old password the app learns that it is disabled`(
        state: CustomerProfile.PasswordState
    ) async throws {
        try await NativeApp.run { app in
            try await app.emulator.changeCustomer("disabled@fabrikam.example") { $0.passwordState = state }
            let response = try await app.signIn("disabled@fabrikam.example")

            #expect(try response.refusal() == Refusal("invalid_grant", number: 50_057))
        }
    }

    @Test func `a wrong password can be followed by the right one`() async throws {
        try await NativeApp.run { app in
            let token = try await app.challenged("password@fabrikam.example")
            let wrong = try await app.redeem("password", token: token, adding: ["password": "no"])
            let right = try await app.redeem("password", token: token, adding: ["password": NativeApp.password])

            #expect(try wrong.refusal() == Refusal("invalid_grant", number: 50_126))
            #expect(right.status == 200)
        }
    }

    @Test func `ten wrong passwords lock the account for a minute`() async throws {
        try await NativeApp.run { app in
            let token = try await app.challenged("password@fabrikam.example")
            for _ in 0..<10 { _ = try await app.redeem("password", token: token, adding: ["password": "no"]) }
            let locked = try await app.redeem("password", token: token, adding: ["password": NativeApp.password])
            await app.emulator.advanceClock(by: .seconds(61))
            let later = try await app.redeem("password", token: token, adding: ["password": NativeApp.password])

            #expect(try locked.refusal() == Refusal("invalid_grant", number: 50_053))
            #expect(later.status == 200)
        }
    }

    @Test func `a person who is deleted meanwhile is not found`() async throws {
        try await NativeApp.run { app in
            let token = try await app.challenged("password@fabrikam.example")
            try await app.emulator.removeUser("password@fabrikam.example")
            let response = try await app.redeem("password", token: token, adding: ["password": NativeApp.password])

            #expect(try response.refusal() == Refusal("invalid_grant", number: 50_034))
        }
    }

    // MARK: The browser is needed

    @Test(
        arguments: [
            ("social", "oob password redirect"), ("password", "oob redirect"), ("code", "password redirect"),
            ("password", "redirect"),
        ]
    )
    func `steps that an app cannot show are redirects`(user: String, types: String) async throws {
        try await NativeApp.run { app in
            var app = app
            app.challengeTypes = types
            let response = try await app.begin("oauth2/v2.0/initiate", user: "\(user)@fabrikam.example")

            #expect(response.status == 200)
            #expect(try response.json()["challenge_type"] as? String == "redirect")
        }
    }

    @Test(arguments: [("mfa", "mfa_required"), ("register", "registration_required")])
    func `a capability that is missing is named`(user: String, capability: String) async throws {
        try await NativeApp.run { app in
            var app = app
            app.capabilities = ""
            let response = try await app.signIn("\(user)@fabrikam.example")

            #expect(response.status == 200)
            #expect(try response.json()["challenge_type"] as? String == "redirect")
            #expect(try response.json()["redirect_reason"] as? String == "Client is missing \(capability) capability")
        }
    }

    // MARK: Codes

    @Test func `five wrong codes invalidate the right one, another code works`() async throws {
        try await NativeApp.run { app in
            let user = "code@fabrikam.example"
            let token = try await app.challenged(user)
            let first = try app.code(user)
            for _ in 0..<5 {
                let wrong = try await app.redeem("oob", token: token, adding: ["oob": "wrong"])
                #expect(try wrong.refusal() == Refusal("invalid_grant", number: 50_181, suberror: "invalid_oob_value"))
            }
            let void = try await app.redeem("oob", token: token, adding: ["oob": first])
            let resent = try await app.challenge("oauth2/v2.0/challenge", token: token).token()
            let right = try await app.redeem("oob", token: resent, adding: ["oob": app.code(user)])

            #expect(try void.refusal() == Refusal("invalid_grant", number: 50_181, suberror: "invalid_oob_value"))
            #expect(right.status == 200)
        }
    }

    @Test func `another code replaces the one before, with either token`() async throws {
        try await NativeApp.run { app in
            let user = "code@fabrikam.example"
            let token = try await app.challenged(user)
            let first = try app.code(user)
            let resent = try await app.challenge("oauth2/v2.0/challenge", token: token).token()
            let second = try app.code(user)
            let old = try await app.redeem("oob", token: resent, adding: ["oob": first])
            let new = try await app.redeem("oob", token: token, adding: ["oob": second])

            let isRefused = try old.status == 400 && old.refusal().suberror == "invalid_oob_value"
            // One time in a hundred million the two codes are the same.
            #expect(first == second || isRefused)
            #expect(new.status == 200)
        }
    }

    @Test func `a code grows old before its token when it lives shorter`() async throws {
        try await NativeApp.run({ $0.nativeAuth.codeLifetime = .seconds(30) }) { app in
            let token = try await app.challenged("code@fabrikam.example")
            await app.emulator.advanceClock(by: .seconds(31))
            let response = try await app.redeem("oob", token: token, adding: ["oob": app.code("code@fabrikam.example")])

            #expect(try response.refusal() == Refusal("invalid_grant", number: 50_184, suberror: "invalid_oob_value"))
        }
    }

    @Test func `codes can be rationed`() async throws {
        try await NativeApp.run({ $0.nativeAuth.codesPerHalfHour = 2 }) { app in
            var token = try await app.challenged("code@fabrikam.example")
            token = try await app.challenge("oauth2/v2.0/challenge", token: token).token()
            let third = try await app.challenge("oauth2/v2.0/challenge", token: token)
            await app.emulator.advanceClock(by: .seconds(1_801))
            let later = try await app.challenged("code@fabrikam.example")

            #expect(try third.refusal() == Refusal("invalid_request", number: 701_014))
            #expect(!later.isEmpty)
        }
    }

    @Test func `the outbox tells who was sent what for, and prints no code`() async throws {
        try await NativeApp.run { app in
            _ = try await app.challenged("code@fabrikam.example")
            let message = try #require(app.emulator.outbox.last)
            var printed = "\(message)"
            dump(message, to: &printed)

            #expect(message.recipient == "code@fabrikam.example")
            #expect(message.purpose == .signIn)
            #expect(message.channel == .email)
            #expect(!printed.contains(message.code))
        }
    }
}
