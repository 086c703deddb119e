// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// Claims that a test sets in tokens: their scope, where they are visible, and when they end.
struct TokenClaimsTests {
    private static let megan = "megan@contoso.example"

    @Test func `the next sign-in of a user has the claims, as long as it lasts`() async throws {
        try await Bench.run { bench in
            var setting = EmulatorDirectory.TokenClaims(["department": "Sales", "name": .none], user: Self.megan)
            setting.isOnce = true
            try await bench.emulator.setClaims(setting)
            let shaped = try await bench.tokens()
            let renewed = try await bench.refresh(try #require(shaped["refresh_token"] as? String)).json()
            let next = try await bench.tokens()

            for token in [shaped["id_token"], shaped["access_token"], renewed["id_token"], renewed["access_token"]] {
                let claims = try Bench.claims(token)
                #expect(claims["department"] as? String == "Sales" && claims["name"] == nil)
            }
            #expect(try Bench.claims(next["id_token"])["department"] == nil)
            #expect(try await bench.emulator.directory().tokenClaims.isEmpty)
        }
    }

    @Test(
        arguments: [
            (#""user": "megan@contoso.example""#, true, true), (#""user": "alex@contoso.example""#, false, false),
            (#""api": "https://graph.microsoft.com""#, false, true),
            (#""api": "api://00000000-0000-4000-8000-0000000000a1""#, false, false),
            (#""token": "idToken""#, true, false),
            (#""application": "00000000-0000-4000-8000-000000000001""#, true, true),
            (#""application": "00000000-0000-4000-8000-000000000010""#, false, false),
        ]
    )
    func `a setting applies to its user, application, API, and type of token`(
        scope: String,
        inIDToken: Bool,
        inAccessToken: Bool
    ) async throws {
        try await Bench.run({ $0.controlPort = 0 }) { bench in
            let control = try ControlPort(bench)
            let set = try await control.send(
                .POST,
                "/claims",
                #"{"claims": {"tier": {"level": [1, null]}}, \#(scope)}"#
            )
            let tokens = try await bench.tokens()
            let claims = try (Bench.claims(tokens["id_token"]), Bench.claims(tokens["access_token"]))
            let listed = try await control.call(.GET, "/tokenClaims")

            #expect(set.status == 201, "\(set.text)")
            #expect((claims.0["tier"] != nil) == inIDToken)
            #expect((claims.1["tier"] != nil) == inAccessToken)
            #expect(listed.text.contains("\"tier\""))
            let remarks = bench.emulator.journal.compactMap(\.remark)
            #expect(remarks.contains { $0.contains("claims set for a test: tier") } == (inIDToken || inAccessToken))
            _ = try await control.call(.POST, "/reset", [:])
            #expect(try Bench.claims(try await bench.tokens()["id_token"])["tier"] == nil)
        }
    }

    @Test(arguments: ["iss", "aud", "exp", "tid", "roles", "xms_cc", "extn.skypeId", "wids"])
    func `a restricted claim is only set by force`(name: String) async throws {
        try await Bench.run({ $0.controlPort = 0 }) { bench in
            let control = try ControlPort(bench)
            let refused = try await control.send(.POST, "/claims", #"{"claims": {"\#(name)": "x"}}"#)
            let forced = try await control.send(.POST, "/claims", #"{"claims": {"\#(name)": "x"}, "force": true}"#)
            let claims = try Bench.claims(try await bench.tokens()["id_token"])

            #expect(refused.status == 400 && refused.text.contains("restricted claim '\(name)'"))
            #expect(forced.status == 201 && claims[name] as? String == "x")
        }
    }

    @Test(
        arguments: [
            ("{}", 400), (#"{"claims": {}}"#, 400), (#"{"claims": ["a"]}"#, 400),
            (#"{"claims": {"a": 1}, "user": "x"}"#, 400),
            (#"{"claims": {"a": 1}, "api": "x"}"#, 400), (#"{"claims": {"a": 1}, "token": "x"}"#, 400),
            (#"{"claims": {"a": 1}, "once": "yes"}"#, 400), (#"{"claims": {"": 1}}"#, 400),
        ]
    )
    func `an invalid setting is rejected`(body: String, status: Int) async throws {
        try await Bench.run({ $0.controlPort = 0 }) { bench in
            let response = try await ControlPort(bench).send(.POST, "/claims", body)

            #expect(response.status == status)
        }
    }

    @Test func `a directory file sets claims, and an export has them again`() async throws {
        let text = """
            tenants: [{domain: a.example}]
            tokenClaims:
              - user: ada@a.example
                once: true
                claims: {department: Sales, level: 3, ok: true, none: null, list: [a, {b: 1}], date: "2030"}
            """
        let directory = try EmulatorDirectory(text: text)
        let again = try EmulatorDirectory(text: directory.text(withSecrets: true))

        #expect(again.tokenClaims == directory.tokenClaims)
        #expect(directory.tokenClaims[0].claims["level"] == .number(3))
        #expect(directory.tokenClaims[0].claims["none"] == TestToken.Claim.none)
        #expect(directory.tokenClaims[0].claims["date"] == .text("2030"))
        #expect(throws: EmulatorDirectory.InvalidFile.self) {
            try EmulatorDirectory(text: text.replacing("department", with: "iss"))
        }
    }

    @Test func `an application's own token has the claims of its API`() async throws {
        try await Bench.run { bench in
            var setting = EmulatorDirectory.TokenClaims(["plan": "gold"])
            setting.api = bench.emulator.seed.apiIdentifier
            try await bench.emulator.setClaims(setting)
            let response = try await bench.send(
                .POST,
                to: "/\(Bench.tenant)/oauth2/v2.0/token",
                form: [
                    "grant_type": "client_credentials", "client_id": bench.emulator.seed.serviceClientID,
                    "client_secret": bench.emulator.seed.serviceSecret,
                    "scope": "\(bench.emulator.seed.apiIdentifier)/.default",
                ]
            )

            #expect(try Bench.claims(response.json()["access_token"])["plan"] as? String == "gold")
        }
    }
}
