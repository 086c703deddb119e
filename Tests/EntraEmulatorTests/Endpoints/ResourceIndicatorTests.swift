// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// What clients of the Model Context Protocol meet: the parameter `resource`, no registration, one place for metadata.
struct ResourceIndicatorTests {
    private static let graph = "https://graph.microsoft.com"

    @Test(arguments: [graph, graph + "/", "00000003-0000-0000-c000-000000000000"])
    func `a resource that fits the scopes changes nothing`(resource: String) async throws {
        try await Bench.run { bench in
            let browser = Browser(bench)
            let address = bench.authorizeURL(changing: ["resource": resource])
            let code = try #require(try await browser.signIn(address).parameters["code"])
            let tokens = try await bench.redeem(code, changing: ["resource": resource]).json()
            let refreshed = try await bench.send(
                .POST,
                to: "/\(Bench.tenant)/oauth2/v2.0/token",
                form: [
                    "grant_type": "refresh_token", "client_id": bench.emulator.seed.clientID, "resource": resource,
                    "refresh_token": try #require(tokens["refresh_token"] as? String),
                ]
            )

            #expect(refreshed.status == 200)
        }
    }

    @Test(arguments: ["https://mcp.contoso.example/mcp", "api://00000000-0000-4000-8000-0000000000a1", "x"])
    func `a resource that differs from that of the scopes is rejected`(resource: String) async throws {
        try await Bench.run { bench in
            let asked = try await bench.get(bench.authorizeURL(changing: ["resource": resource]))
            let browser = Browser(bench)
            let code = try #require(try await browser.signIn(bench.authorizeURL()).parameters["code"])
            let redeemed = try await bench.redeem(code, changing: ["resource": resource])
            let application = try await bench.send(
                .POST,
                to: "/\(Bench.tenant)/oauth2/v2.0/token",
                form: [
                    "grant_type": "client_credentials", "client_id": bench.emulator.seed.serviceClientID,
                    "client_secret": bench.emulator.seed.serviceSecret, "scope": Self.graph + "/.default",
                    "resource": resource,
                ]
            )

            #expect(asked.parameters["error"] == "invalid_target")
            #expect(asked.parameters["error_description"]?.contains("AADSTS9010010") == true)
            for refused in [redeemed, application] {
                #expect(refused.status == 400)
                #expect(try refused.json()["error"] as? String == "invalid_target")
                #expect(try refused.errorCode() == 9_010_010)
            }
        }
    }

    @Test func `a request with only identity scopes is compatible with any resource`() async throws {
        try await Bench.run { bench in
            let address = bench.authorizeURL(changing: ["scope": "openid", "resource": "https://mcp.contoso.example"])

            let signedIn = try await Browser(bench).signIn(address)

            #expect(signedIn.parameters["code"] != nil)
        }
    }

    @Test(arguments: ["/register", "/\(Bench.tenant)/v2.0/register", "/\(Bench.tenant)/oauth2/v2.0/register"])
    func `a client that tries to register itself gets instructions`(path: String) async throws {
        try await Bench.run { bench in
            let refused = try await bench.send(
                .POST,
                to: path,
                headers: ["content-type": "application/json"],
                body: #"{"redirect_uris":["http://localhost:1/callback"]}"#
            )
            let metadata = try await bench.get("/\(Bench.tenant)/v2.0/.well-known/openid-configuration").json()

            #expect(refused.status == 404)
            let words = try #require(try refused.json()["error_description"] as? String)
            #expect(words.contains("Register the application beforehand"))
            #expect(metadata["registration_endpoint"] == nil)
            #expect(metadata["code_challenge_methods_supported"] == nil)
        }
    }

    @Test(
        arguments: [
            "/.well-known/oauth-authorization-server", "/.well-known/oauth-authorization-server/\(Bench.tenant)/v2.0",
            "/.well-known/openid-configuration/\(Bench.tenant)/v2.0",
            "/\(Bench.tenant)/v2.0/.well-known/oauth-authorization-server",
        ]
    )
    func `metadata are only at the address of OpenID Connect`(path: String) async throws {
        try await Bench.run { bench in
            let response = try await bench.get(path)

            #expect(response.status == 404)
        }
    }
}
