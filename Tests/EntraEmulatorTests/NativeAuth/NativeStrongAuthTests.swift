// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import Testing

/// Second factors, and strong methods that have to be registered.
struct NativeStrongAuthTests {
    private func secondFactorNeeded(_ app: NativeApp, user: String) async throws -> String {
        try await app.signIn(user).token()
    }

    @Test func `a second factor by e-mail or SMS`() async throws {
        try await NativeApp.run { app in
            let user = "mfa-choice@fabrikam.example"
            let needed = try await secondFactorNeeded(app, user: user)
            let listed = try await app.next("oauth2/v2.0/introspect", token: needed)
            let methods = try #require(try listed.json()["methods"] as? [[String: String]])
            let email = try await app.challenge(
                "oauth2/v2.0/challenge",
                token: listed.token(),
                adding: ["id": methods[0]["id"]]
            )
            let sms = try await app.challenge(
                "oauth2/v2.0/challenge",
                token: email.token(),
                adding: ["id": methods[1]["id"]]
            )
            let wrong = try await app.redeem("mfa_oob", token: sms.token(), adding: ["oob": "wrong"])
            let right = try await app.redeem("mfa_oob", token: sms.token(), adding: ["oob": app.code("+15550142")])

            #expect(methods.map { $0["challenge_channel"] } == ["email", "sms"])
            #expect(methods[1]["login_hint"] == "*******42")
            #expect(try email.json()["challenge_channel"] as? String == "email")
            #expect(try sms.json()["challenge_channel"] as? String == "sms")
            #expect(try wrong.refusal() == Refusal("invalid_grant", number: 50_181, suberror: "invalid_oob_value"))
            #expect(right.status == 200)
        }
    }

    @Test func `without an id the only method is taken; of several one must be named`() async throws {
        try await NativeApp.run { app in
            let only = try await secondFactorNeeded(app, user: "mfa@fabrikam.example")
            let sent = try await app.challenge("oauth2/v2.0/challenge", token: only)
            // The documentation calls the second grant `oob` too.
            let tokens = try await app.redeem(
                "oob",
                token: sent.token(),
                adding: ["oob": app.code("mfa-second@fabrikam.example")]
            )
            let several = try await secondFactorNeeded(app, user: "mfa-choice@fabrikam.example")
            let refused = try await app.challenge("oauth2/v2.0/challenge", token: several)
            let unknown = try await app.challenge(
                "oauth2/v2.0/challenge",
                token: several,
                adding: ["id": UUID().uuidString]
            )

            #expect(tokens.status == 200)
            #expect(try refused.refusal().suberror == "introspect_required")
            #expect(try unknown.refusal() == Refusal("invalid_request", number: 901_001))
        }
    }

    @Test func `a code of the first factor is not one of the second`() async throws {
        try await NativeApp.run { app in
            let user = "mfa-code@fabrikam.example"
            let first = try await app.challenged(user)
            let code = try app.code(user)
            let needed = try await app.redeem("oob", token: first, adding: ["oob": code])
            let sent = try await app.challenge("oauth2/v2.0/challenge", token: needed.token()).token()
            let reused = try await app.redeem("mfa_oob", token: sent, adding: ["oob": code])
            let right = try await app.redeem("mfa_oob", token: sent, adding: ["oob": app.code("+15550142")])

            #expect(try needed.refusal() == Refusal("invalid_grant", number: 50_076, suberror: "mfa_required"))
            let second = try app.code("+15550142")
            // One time in a hundred million the two codes are the same.
            #expect(code == second || reused.status == 400)
            #expect(right.status == 200)
        }
    }

    @Test func `a blocked method is refused`() async throws {
        try await NativeApp.run { app in
            let needed = try await secondFactorNeeded(app, user: "mfa-blocked@fabrikam.example")
            let response = try await app.challenge("oauth2/v2.0/challenge", token: needed)

            #expect(
                try response.refusal() == Refusal("access_denied", number: 550_024, suberror: "provider_blocked_by_rep")
            )
        }
    }

    // MARK: Registration

    private func registrationListed(_ app: NativeApp, user: String) async throws -> Bench.Response {
        let needed = try await app.signIn(user).token()
        return try await app.next("register/v1.0/introspect", token: needed)
    }

    private func contact(_ address: String, channel: String = "email") -> [String: String?] {
        ["challenge_type": "oob", "challenge_target": address, "challenge_channel": channel]
    }

    @Test func `a contact is verified with a code, and is the second factor from then on`() async throws {
        try await NativeApp.run { app in
            let user = "register@fabrikam.example"
            let listed = try await registrationListed(app, user: user)
            let sent = try await app.next(
                "register/v1.0/challenge",
                token: listed.token(),
                adding: contact("second@contoso.example")
            )
            let wrong = try await app.next(
                "register/v1.0/continue",
                token: sent.token(),
                adding: ["grant_type": "oob", "oob": "wrong"]
            )
            let done = try await app.next(
                "register/v1.0/continue",
                token: sent.token(),
                adding: ["grant_type": "oob", "oob": app.code("second@contoso.example")]
            )
            let tokens = try await app.redeem("continuation_token", token: done.token())
            let next = try await app.signIn(user)

            #expect(try (listed.json()["methods"] as? [[String: String]])?.first?["id"] == "email")
            #expect(try sent.json()["challenge_target"] as? String == "second@contoso.example")
            #expect(try sent.json()["challenge_target_label"] == nil)
            #expect(try wrong.refusal() == Refusal("invalid_grant", number: 50_181, suberror: "invalid_oob_value"))
            #expect(tokens.status == 200)
            #expect(try next.refusal().suberror == "mfa_required")
        }
    }

    @Test func `the address of the sign-up needs no code`() async throws {
        try await NativeApp.run { app in
            let user = "register@fabrikam.example"
            let listed = try await registrationListed(app, user: user)
            let known = try await app.next("register/v1.0/challenge", token: listed.token(), adding: contact(user))
            let done = try await app.next(
                "register/v1.0/continue",
                token: known.token(),
                adding: ["grant_type": "continuation_token"]
            )
            let tokens = try await app.redeem("continuation_token", token: done.token())

            #expect(try known.json()["challenge_type"] as? String == "preverified")
            #expect(tokens.status == 200)
        }
    }

    @Test func `contacts are checked, and another one can follow`() async throws {
        try await NativeApp.run { app in
            var app = app
            app.clientID = app.emulator.seed.secondFactorClientID
            let token = try await registrationListed(app, user: "password@fabrikam.example").token()
            let path = "register/v1.0/challenge"
            let malformed = try await app.next(path, token: token, adding: contact("nonsense"))
            let blocked = try await app.next(path, token: token, adding: contact("me@blocked.example"))
            let blockedNumber = try await app.next(path, token: token, adding: contact("+1 555 0199", channel: "sms"))
            let pigeon = try await app.next(
                path,
                token: token,
                adding: contact("me@contoso.example", channel: "pigeon")
            )
            let first = try await app.next(path, token: token, adding: contact("me@contoso.example"))
            let second = try await app.next(path, token: first.token(), adding: contact("+1 555 0123", channel: "sms"))
            let done = try await app.next(
                "register/v1.0/continue",
                token: second.token(),
                adding: ["grant_type": "oob", "oob": app.code("+1 555 0123")]
            )

            #expect(try malformed.refusal() == Refusal("invalid_request", number: 901_001))
            #expect(
                try blocked.refusal() == Refusal("access_denied", number: 550_024, suberror: "provider_blocked_by_rep")
            )
            #expect(
                try blockedNumber.refusal()
                    == Refusal("access_denied", number: 550_024, suberror: "provider_blocked_by_rep")
            )
            #expect(try pigeon.refusal() == Refusal("invalid_request", number: 901_001))
            #expect(done.status == 200)
        }
    }

    @Test func `a policy of the app spares people without a password`() async throws {
        try await NativeApp.run { app in
            var app = app
            app.clientID = app.emulator.seed.secondFactorClientID
            let token = try await app.challenged("code@fabrikam.example")
            let spared = try await app.redeem("oob", token: token, adding: ["oob": app.code("code@fabrikam.example")])
            let caught = try await app.signIn("password@fabrikam.example")

            #expect(spared.status == 200)
            #expect(try caught.refusal().suberror == "registration_required")
        }
    }
}
