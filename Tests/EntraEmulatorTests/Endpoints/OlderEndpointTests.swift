// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// The endpoints of version 1.0.
struct OlderEndpointTests {
    @Test(arguments: ["openid some.thing", "some.thing", "openid api://nowhere/Read profile"])
    func `unknown scopes are ignored if a resource is given`(scope: String) async throws {
        try await Bench.run { bench in
            let address = bench.authorizeURL(changing: ["scope": scope])
            let older = address.replacing("/oauth2/v2.0/authorize", with: "/oauth2/authorize")
            let signedIn = try await Browser(bench).signIn(older)
            let strict = try await bench.get(bench.authorizeURL(changing: ["scope": scope, "prompt": "none"]))

            #expect(signedIn.parameters["code"] != nil, "\(signedIn.parameters)")
            #expect(strict.parameters["error"]?.hasPrefix("invalid_") == true)
        }
    }

    @Test func `a device names the API by its resource`() async throws {
        try await Bench.run { bench in
            let begun = try await bench.send(
                .POST,
                to: "/\(Bench.tenant)/oauth2/devicecode",
                form: ["client_id": bench.emulator.seed.clientID, "resource": "https://graph.microsoft.com"]
            )

            #expect(begun.status == 200)
            #expect(try begun.json()["user_code"] is String)
        }
    }
    @Test func `an id token has the user's names of version 1.0`() async throws {
        try await Bench.run { bench in
            let address = bench.authorizeURL(changing: ["scope": "openid"])
            let signedIn = try await Browser(bench).signIn(
                address.replacing("/oauth2/v2.0/authorize", with: "/oauth2/authorize")
            )
            let redeemed = try await bench.send(
                .POST,
                to: "/\(Bench.tenant)/oauth2/token",
                form: [
                    "grant_type": "authorization_code", "client_id": bench.emulator.seed.clientID,
                    "code": try #require(signedIn.parameters["code"]), "redirect_uri": Bench.redirect,
                    "code_verifier": Bench.verifier,
                ]
            )
            let claims = try Bench.claims(try redeemed.json()["id_token"])

            #expect(claims["ver"] as? String == "1.0")
            #expect(claims["unique_name"] as? String == "megan@contoso.example")
            #expect(claims["upn"] as? String == "megan@contoso.example")
            #expect(claims["preferred_username"] == nil)
        }
    }
}
