// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// Parameters that are missing or wrong, and continuation tokens that do not fit.
struct NativeRequestTests {
    static let starts = ["oauth2/v2.0/initiate", "signup/v1.0/start", "resetpassword/v1.0/start"]
    static let all =
        starts + [
            "oauth2/v2.0/challenge", "oauth2/v2.0/introspect", "signup/v1.0/challenge", "signup/v1.0/continue",
            "resetpassword/v1.0/challenge", "resetpassword/v1.0/continue", "resetpassword/v1.0/submit",
            "resetpassword/v1.0/poll_completion", "register/v1.0/introspect", "register/v1.0/challenge",
            "register/v1.0/continue",
        ]

    @Test(arguments: all)
    func `the client is checked first`(path: String) async throws {
        try await NativeApp.run { app in
            let missing = try await app.post(path, form: ["client_id": nil])
            let malformed = try await app.post(path, form: ["client_id": "nobody"])
            let unknown = try await app.post(path, form: ["client_id": "99999999-9999-4999-8999-999999999999"])
            let disabled = try await app.post(path, form: ["client_id": app.emulator.seed.browserOnlyClientID])
            let read = try await app.bench.get("/fabrikam/\(path)")

            #expect(try missing.refusal() == Refusal("invalid_request", number: 90_100))
            #expect(missing.text.contains("client_id parameter is empty or not valid"))
            #expect(try malformed.refusal() == Refusal("invalid_request", number: 90_100))
            #expect(try unknown.refusal() == Refusal("unauthorized_client", number: 700_016))
            #expect(
                try disabled.refusal()
                    == Refusal("invalid_client", number: 9_999_001, suberror: "nativeauthapi_disabled")
            )
            #expect(read.status == 405)
        }
    }

    @Test func `an organization has no native authentication`() async throws {
        try await NativeApp.run { app in
            var app = app
            app.tenant = "contoso.example"
            let response = try await app.begin("oauth2/v2.0/initiate", user: "megan@contoso.example")
            let grant = try await app.redeem("password", token: "x")

            #expect(
                try response.refusal()
                    == Refusal("invalid_client", number: 9_999_001, suberror: "nativeauthapi_disabled")
            )
            #expect(try grant.refusal() == Refusal("unsupported_grant_type", number: 70_003))
        }
    }

    @Test(arguments: starts)
    func `challenge types must be known and hold redirect`(path: String) async throws {
        try await NativeApp.run { app in
            let user = "somebody@fabrikam.example"
            let missing = try await app.begin(path, user: user, adding: ["challenge_type": nil])
            let unknown = try await app.begin(path, user: user, adding: ["challenge_type": "oob pigeon redirect"])
            let incomplete = try await app.begin(path, user: user, adding: ["challenge_type": "oob password"])

            #expect(try missing.refusal() == Refusal("invalid_request", number: 901_007))
            #expect(try unknown.refusal() == Refusal("invalid_request", number: 901_007))
            #expect(try incomplete.refusal() == Refusal("unsupported_challenge_type", number: 901_007))
        }
    }

    @Test(arguments: starts)
    func `a user name is needed`(path: String) async throws {
        try await NativeApp.run { app in
            let missing = try await app.begin(path, user: "")
            let unknown = try await app.begin(path, user: "nobody@fabrikam.example")
            let blank = try await app.begin(path, user: "  ")

            #expect(try missing.refusal() == Refusal("invalid_request", number: 90_100))
            #expect(missing.text.contains("username parameter is empty or not valid"))
            if path == "signup/v1.0/start" {
                #expect(unknown.status == 200)
                #expect(try blank.refusal() == Refusal("invalid_request", number: 90_100))
            } else {
                #expect(try unknown.refusal() == Refusal("user_not_found", number: 50_034))
                #expect(try blank.refusal() == Refusal("user_not_found", number: 50_034))
            }
        }
    }

    @Test(arguments: all.filter { !starts.contains($0) })
    func `a continuation token is needed and must be known`(path: String) async throws {
        try await NativeApp.run { app in
            let more: [String: String?] = ["challenge_type": "oob redirect", "grant_type": "oob", "oob": "1"]
            let missing = try await app.post(path, form: more)
            let unknown = try await app.next(path, token: "unknown", adding: more)
            let hasOwnError = ["oauth2/v2.0/challenge", "signup/v1.0/challenge"].contains(path)
            let expected = Refusal(hasOwnError ? "invalid_grant" : "invalid_request", number: 55_200)

            #expect(try missing.refusal() == expected)
            #expect(try unknown.refusal() == expected)
        }
    }

    @Test func `a continuation token is bound to step, flow, client, tenant, user and time`() async throws {
        try await NativeApp.run { app in
            let user = "password@fabrikam.example"
            let begun = try await app.begin("oauth2/v2.0/initiate", user: user).token()
            let invalid = Refusal("invalid_request", number: 55_200)
            let wrongStep = try await app.redeem("password", token: begun, adding: ["password": NativeApp.password])
            let wrongFlow = try await app.challenge("resetpassword/v1.0/challenge", token: begun)
            var other = app
            other.clientID = app.emulator.seed.codeClientID
            let wrongClient = try await other.challenge("oauth2/v2.0/challenge", token: begun)
            let challenged = try await app.challenge("oauth2/v2.0/challenge", token: begun).token()
            let reused = try await app.challenge("oauth2/v2.0/challenge", token: begun)
            let wrongUser = try await app.redeem(
                "password",
                token: challenged,
                adding: ["password": NativeApp.password, "username": "guest@fabrikam.example"]
            )
            await app.emulator.advanceClock(by: .seconds(601))
            let expired = try await app.redeem("password", token: challenged, adding: ["password": NativeApp.password])

            #expect(try wrongStep.refusal() == invalid)
            #expect(try wrongFlow.refusal() == invalid)
            #expect(try wrongClient.refusal() == Refusal("invalid_grant", number: 55_200))
            #expect(try reused.refusal() == Refusal("invalid_grant", number: 55_200))
            #expect(try wrongUser.refusal() == invalid)
            #expect(try expired.refusal() == Refusal("expired_token", number: 552_003))
        }
    }

    @Test func `a code of a sign-up or a reset cannot be used to sign in`() async throws {
        try await NativeApp.run { app in
            let user = "password@fabrikam.example"
            let begun = try await app.begin("resetpassword/v1.0/start", user: user).token()
            let challenged = try await app.challenge("oauth2/v2.0/challenge", token: begun)
            let sent = try await app.challenge("resetpassword/v1.0/challenge", token: begun).token()
            let reset = try await app.redeem("oob", token: sent, adding: ["oob": app.code(user)])
            let signUp = try await app.redeem(
                "oob",
                token: try await app.signUpChallenged("new@customer.example"),
                adding: ["oob": app.code("new@customer.example")]
            )

            #expect(try challenged.refusal() == Refusal("invalid_grant", number: 55_200))
            #expect(try reset.refusal() == Refusal("invalid_request", number: 55_200))
            #expect(try signUp.refusal() == Refusal("invalid_request", number: 55_200))
        }
    }

    @Test func `two requests at once with one continuation token give one response`() async throws {
        try await NativeApp.run { app in
            let token = try await app.challenged("password@fabrikam.example")
            async let first = app.redeem("password", token: token, adding: ["password": NativeApp.password])
            async let second = app.redeem("password", token: token, adding: ["password": NativeApp.password])
            let statuses = try await [first.status, second.status]

            #expect(statuses.sorted() == [200, 400])
        }
    }

    @Test func `error numbers of which the service has two can be chosen`() async throws {
        try await NativeApp.run({
            $0.nativeAuth.invalidContinuationNumber = 55_000
            $0.nativeAuth.missingRedirectError = "invalid_request"
        }) { app in
            let token = try await app.next("oauth2/v2.0/introspect", token: "unknown")
            let types = try await app.begin("oauth2/v2.0/initiate", user: "a@b.c", adding: ["challenge_type": "oob"])

            #expect(try token.refusal() == Refusal("invalid_request", number: 55_000))
            #expect(try types.refusal() == Refusal("invalid_request", number: 901_007))
        }
    }

    @Test(arguments: ["mfa_required,registration_required", "registration_required mfa_required"])
    func `capabilities are read under both names with both separators`(text: String) async throws {
        try await NativeApp.run { app in
            let begun = try await app.begin(
                "oauth2/v2.0/initiate",
                user: "mfa@fabrikam.example",
                adding: ["capabilities": nil, "capability": text]
            ).token()
            let token = try await app.challenge("oauth2/v2.0/challenge", token: begun).token()
            let response = try await app.redeem("password", token: token, adding: ["password": NativeApp.password])

            #expect(try response.refusal().suberror == "mfa_required")
        }
    }

    @Test func `the correlation ID comes back and nothing is stored`() async throws {
        try await NativeApp.run { app in
            let id = "0A1B2C3D-1111-4111-8111-ABCDEFABCDEF"
            let response = try await app.bench.send(
                .POST,
                to: "/fabrikam/oauth2/v2.0/initiate",
                form: ["client_id": app.clientID],
                headers: ["client-request-id": id, "return-client-request-id": "true"]
            )

            #expect(response.headers.first(name: "client-request-id")?.uppercased() == id)
            #expect(response.headers.first(name: "cache-control") == "no-store")
            #expect(try (response.json()["correlation_id"] as? String)?.uppercased() == id)
        }
    }

    @Test func `the journal shows no password, code or continuation token`() async throws {
        try await NativeApp.run { app in
            let token = try await app.challenged("code@fabrikam.example")
            _ = try await app.redeem("oob", token: token, adding: ["oob": app.code("code@fabrikam.example")])
            let printed = app.emulator.journal.map(\.description).joined(separator: "\n")

            #expect(!printed.contains(token))
            #expect(!printed.contains(try app.code("code@fabrikam.example")))
        }
    }
}
