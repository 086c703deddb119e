// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// Tokens that a test gets without a sign-in, from the control API.
struct TestTokenTests {
    private static let api = Seed().apiIdentifier
    private static let megan = "megan@contoso.example"

    private static func run(_ body: (Bench, ControlPort) async throws -> Void) async throws {
        try await Bench.run({ $0.controlPort = 0 }) { bench in try await body(bench, ControlPort(bench)) }
    }

    @Test func `a user's token is like any other`() async throws {
        try await Self.run { bench, control in
            let graph = try await control.token(["user": Self.megan, "api": "https://graph.microsoft.com"])
            let token = try await control.token([
                "user": Self.megan, "api": Self.api, "scopes": ["ToDoList.Read"], "application": "Contoso service",
                "set": ["roles": "Planner", "department": ["a", "b"], "xms_cc": "cp1"],
            ])
            let claims = try Bench.claims(token)
            let exchange = [
                "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "requested_token_use": "on_behalf_of",
                "assertion": token, "client_id": try #require(claims["aud"] as? String),
                "client_secret": bench.emulator.seed.serviceSecret, "scope": "https://graph.microsoft.com/User.Read",
            ]

            let me = try await bench.get("/v1.0/me", token: graph)
            let list = try await bench.get("/api/todos", token: token)
            let exchanged = try await bench.send(.POST, to: "/\(Bench.tenant)/oauth2/v2.0/token", form: exchange)
            try await bench.emulator.revokeSignIns(of: Self.megan)
            let ended = try await bench.get("/api/todos", token: token)

            #expect(try me.json()["userPrincipalName"] as? String == Self.megan)
            #expect(list.status == 200)
            #expect(exchanged.status == 200)
            #expect(claims["scp"] as? String == "ToDoList.Read")
            #expect(claims["roles"] as? [String] == ["Planner"])
            #expect(claims["department"] as? [String] == ["a", "b"])
            #expect(claims["azp"] as? String == bench.emulator.seed.serviceClientID)
            #expect(claims["azpacr"] as? String == "1")
            #expect(claims["iss"] as? String == "\(bench.base)/\(Bench.tenant)/v2.0")
            #expect(ended.status == 401)
        }
    }

    @Test func `an application's token has the roles that it was given`() async throws {
        try await Self.run { bench, control in
            let token = try await control.token(["application": "Contoso service", "api": Self.api])
            let claims = try Bench.claims(token)

            #expect(claims["roles"] as? [String] == ["ToDoList.Read.All"])
            #expect(claims["scp"] == nil)
            #expect(claims["azp"] as? String == bench.emulator.seed.serviceClientID)
        }
    }

    @Test(arguments: TestToken.Flaw.allCases)
    func `the to-do API accepts a valid token, and rejects each flaw`(flaw: TestToken.Flaw) async throws {
        try await Self.run { bench, control in
            let order: [String: Any] = ["user": Self.megan, "api": Self.api, "flaw": flaw.rawValue]
            let good = try await control.token(order.filter { $0.key != "flaw" })
            let bad = try await control.token(order)

            #expect(try await bench.get("/api/todos", token: good).status == 200)
            #expect([401, 403].contains(try await bench.get("/api/todos", token: bad).status))
        }
    }

    @Test func `a lifetime is counted from now on, and may be over`() async throws {
        try await Self.run { bench, control in
            let short = try await control.call(
                .POST,
                "/tokens",
                ["user": Self.megan, "api": Self.api, "expires": 60] as [String: Any]
            )
            let ended = try await control.token(["user": Self.megan, "api": Self.api, "expires": -300])
            let claims = try Bench.claims(ended)
            let now = bench.emulator.now.timeIntervalSince1970

            #expect(short.status == 201)
            #expect(try short.json()["expires_in"] as? Int == 60)
            #expect(try abs(#require(claims["exp"] as? Double) - now + 300) < 20)
            #expect(try #require(claims["nbf"] as? Double) < now - 300)
            #expect(try await bench.get("/api/todos", token: ended).status == 401)
        }
    }

    @Test(
        arguments: [
            (#"{"api": "api://nowhere", "user": "megan@contoso.example"}"#, "'api://nowhere' in 'api' does not exist"),
            (#"{"api": "API"}"#, "'user' and 'application' are missing"),
            (#"{"api": "API", "user": "nobody@contoso.example"}"#, "choose one of"),
            (#"{"api": "API", "application": "nobody"}"#, "'nobody' in 'application' does not exist"),
            (#"{"api": "API", "user": "megan@contoso.example", "tenant": "fabrikam"}"#, "is not a user of"),
            (#"{"api": "API", "user": "megan@contoso.example", "scopes": ["x"]}"#, "ToDoList.Read, ToDoList.ReadWrite"),
            (#"{"api": "API", "application": "Contoso service", "scopes": ["x"]}"#, "'scopes' requires a 'user'"),
            (#"{"api": "API", "user": "megan@contoso.example", "set": {"aud": "x"}}"#, "'aud' cannot be set"),
            (#"{"api": "API", "user": "megan@contoso.example", "set": {"cnf": {}}}"#, "'cnf' cannot be set"),
            (#"{"api": "API", "user": "megan@contoso.example", "set": 1}"#, "'set' must be an object"),
            (#"{"api": "API", "user": "megan@contoso.example", "flaw": "bent"}"#, "'flaw' must be one of expired"),
            (#"{"api": "API", "user": "megan@contoso.example", "alg": "none"}"#, "'alg' is not known here"),
            (#"{"user": "megan@contoso.example"}"#, "'api' is missing"),
        ]
    )
    func `an unknown name is rejected with a list of the known ones`(body: String, words: String) async throws {
        try await Self.run { _, control in
            let refused = try await control.send(.POST, "/tokens", body.replacing("API", with: Self.api))

            #expect(refused.status == 400)
            #expect(try (refused.json()["error_description"] as? String)?.contains(words) == true, "\(refused.text)")
        }
    }

    @Test func `the journal records that a token was created, but not the token`() async throws {
        try await Self.run { bench, control in
            let token = try await control.token(["user": Self.megan, "api": Self.api, "flaw": "expired"])
            let journal = try await control.call(.GET, "/journal")
            let entry = try #require((journal.json()["entries"] as? [[String: Any]])?.last)
            let minted = try #require(entry["minted"] as? [String: String])

            #expect(minted == ["user": Self.megan, "api": Self.api, "flaw": "expired"])
            #expect(bench.emulator.journal.last?.minted?.user == Self.megan)
            #expect(!journal.text.contains(token))
        }
    }

    @Test func `without the control token no token is created`() async throws {
        try await Self.run { bench, control in
            let refused = try await bench.send(.POST, to: "\(control.address)/tokens", body: "{}")

            #expect(refused.status == 401)
        }
    }

    @Test func `the command prints a token, and says why there is none`() async throws {
        try await Self.run { bench, _ in
            let port = try String(#require(bench.emulator.controlPort))
            let place = ["--control-port", port, "--state", Bench.stateDirectory.path]
            let words = ["token", "--user", Self.megan, "--api", Self.api, "--scope", "ToDoList.Read"] + place
            let changes = ["--set", "roles=Planner", "--set", "roles=Reader", "--set", "level=3"]
            let good = try await CommandRun(words + changes)
            let ended = try await CommandRun(words + ["--expires", "-300"])
            let others = ["token", "--user", "nobody@contoso.example", "--api", Self.api]
            let unknown = try await CommandRun(others + place)
            let nobody = try await CommandRun(["token", "--api", Self.api] + place)
            let stranger = try await CommandRun(words + ["--control-token-file", "/nowhere"])
            let claims = try Bench.claims(good.text)

            #expect(good.status == 0)
            #expect(claims["roles"] as? [String] == ["Planner", "Reader"])
            #expect(claims["level"] as? Int == 3)
            #expect(try await bench.get("/api/todos", token: good.text).status == 200)
            #expect(try await bench.get("/api/todos", token: ended.text).status == 401)
            #expect(unknown.status == 1)
            #expect(unknown.text.contains("'nobody@contoso.example' in 'user' does not exist"), "\(unknown.text)")
            #expect(nobody.status == 2)
            #expect(stranger.status == 1)
        }
    }
}
