// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// The form of a token request, beside a good code.
struct TokenRequestTests {
    @Test(arguments: ["short", String(repeating: "a", count: 42), String(repeating: "a", count: 129), "ä ö ü"])
    func `a verifier has 43 to 128 unreserved characters, even if the challenge fits`(verifier: String) async throws {
        try await Bench.run { bench in
            let url = bench.authorizeURL(changing: ["code_challenge": Bench.challenge(verifier)])
            let response = try await Browser(bench).signIn(url)
            let refused = try await bench.redeem(
                try #require(response.parameters["code"]),
                changing: ["code_verifier": verifier]
            )

            #expect(try refused.errorCode() == 501_481)
        }
    }

    @Test func `a code is redeemed in the tenant that was signed in to`() async throws {
        try await Bench.run { bench in
            func redeem(at tenant: String) async throws -> Bench.Response {
                let browser = Browser(bench)
                let response = try await browser.signIn(bench.authorizeURL(), as: "guest@fabrikam.example")
                return try await bench.send(
                    .POST,
                    to: "/\(tenant)/oauth2/v2.0/token",
                    form: [
                        "grant_type": "authorization_code", "client_id": bench.emulator.seed.clientID,
                        "code": try #require(response.parameters["code"]), "redirect_uri": Bench.redirect,
                        "code_verifier": Bench.verifier,
                    ]
                )
            }
            let home = try await redeem(at: "fabrikam.example")
            let same = try await redeem(at: "contoso.example")

            #expect(home.status == 400)
            #expect(try home.errorCode() == 700_005)
            #expect(same.status == 200)
        }
    }

    @Test(arguments: ["{", "[]", "7"])
    func `claims that are not a JSON object are rejected by every grant`(claims: String) async throws {
        try await Bench.run { bench in
            let response = try await Browser(bench).signIn(bench.authorizeURL())
            let code = try await bench.redeem(try #require(response.parameters["code"]), changing: ["claims": claims])
            let refresh = try await bench.send(
                .POST,
                to: "/\(Bench.tenant)/oauth2/v2.0/token",
                form: [
                    "grant_type": "refresh_token", "client_id": bench.emulator.seed.clientID, "claims": claims,
                    "refresh_token": try #require(try await bench.tokens()["refresh_token"] as? String),
                ]
            )

            #expect(try code.errorCode() == 90_023)
            #expect(try refresh.errorCode() == 90_023)
        }
    }

    @Test func `a wrong secret in the header gets a challenge`() async throws {
        try await Bench.run { bench in
            let response = try await bench.send(
                .POST,
                to: "/\(Bench.tenant)/oauth2/v2.0/token",
                form: ["grant_type": "refresh_token", "client_id": bench.emulator.seed.clientID],
                headers: ["authorization": "Basic MDAwMDAwMDAtMDAwMC00MDAwLTgwMDAtMDAwMDAwMDAwMDAxOnk="]
            )

            #expect(response.status == 401)
            #expect(try response.errorCode() == 700_025)
            #expect(response.headers.first(name: "www-authenticate")?.hasPrefix("Basic ") == true)
        }
    }
}
