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

            let members = try begun.json()
            #expect(begun.status == 200)
            #expect(members["user_code"] is String)
            #expect(members["verification_url"] is String)
            #expect(members["verification_uri"] == nil)
            #expect(members["expires_in"] as? String == "900")
            #expect(members["interval"] as? String == "5")
        }
    }

    private static let nowhere = "https://does-not-exist.example"

    @Test func `an unknown resource is rejected, also with scopes that are ignored`() async throws {
        try await Bench.run { bench in
            let changes = ["resource": Self.nowhere, "scope": "openid some.thing"]
            let address = bench.authorizeURL(changing: changes)
            let asked = try await bench.get(address.replacing("/oauth2/v2.0/", with: "/oauth2/"))
            let device = try await bench.send(
                .POST,
                to: "/\(Bench.tenant)/oauth2/devicecode",
                form: ["client_id": bench.emulator.seed.clientID, "resource": Self.nowhere]
            )
            let application = try await Self.token(bench, ["resource": Self.nowhere])
            let nothing = try await Self.token(bench, [:])

            #expect(asked.parameters["error"] == "invalid_resource")
            #expect(try device.errorCode() == 500_011)
            #expect(try application.errorCode() == 500_011)
            #expect(try nothing.errorCode() == 50_001)
        }
    }

    private static func token(_ bench: Bench, _ form: [String: String]) async throws -> Bench.Response {
        let client = [
            "grant_type": "client_credentials", "client_id": bench.emulator.seed.serviceClientID,
            "client_secret": bench.emulator.seed.serviceSecret,
        ]
        return try await bench.send(
            .POST,
            to: "/\(Bench.tenant)/oauth2/token",
            form: client.merging(form) { own, _ in own }
        )
    }

    @Test(
        arguments: [
            ("https://graph.microsoft.com", "https://graph.microsoft.com/", nil),
            ("https://graph.microsoft.com", "api://00000000-0000-4000-8000-0000000000a1", 70_000),
            ("https://graph.microsoft.com", nowhere, 500_011),
            (nil, "https://graph.microsoft.com", nil), (nil, nowhere, 500_011),
        ] as [(String?, String, Int?)]
    )
    func `the resource of a code cannot be changed`(first: String?, second: String, number: Int?) async throws {
        try await Bench.run { bench in
            _ = try await bench.tokens()  // The consent to Graph.
            let address = bench.authorizeURL(changing: ["scope": nil, "resource": first])
            let signedIn = try await Browser(bench).signIn(address.replacing("/oauth2/v2.0/", with: "/oauth2/"))
            let redeemed = try await bench.send(
                .POST,
                to: "/\(Bench.tenant)/oauth2/token",
                form: [
                    "grant_type": "authorization_code", "client_id": bench.emulator.seed.clientID,
                    "code": try #require(signedIn.parameters["code"]), "redirect_uri": Bench.redirect,
                    "code_verifier": Bench.verifier, "resource": second,
                ]
            )

            #expect(try redeemed.errorCode() == number)
            if number == nil {
                let claims = try Bench.claims(try redeemed.json()["access_token"])
                #expect(claims["acr"] as? String == "1")
                #expect(claims["ipaddr"] as? String == "127.0.0.1" || claims["ipaddr"] as? String == "::1")
            }
        }
    }

    @Test func `an ID token has the user's names of version 1.0`() async throws {
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
            #expect(claims["given_name"] as? String == "Megan")
            #expect(claims["amr"] as? [String] == ["pwd"])
            #expect(claims["preferred_username"] == nil)
        }
    }
}
