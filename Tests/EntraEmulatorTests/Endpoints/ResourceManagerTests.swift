// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// What the Azure command line reads after a sign-in.
struct ResourceManagerTests {
    private static let seed = Seed()
    private static let resource = "https://management.core.windows.net/"

    private func list(_ bench: Bench, _ path: String, token: Any?) async throws -> [[String: Any]] {
        let response = try await bench.get(path + "?api-version=2022-12-01", token: try #require(token as? String))
        #expect(response.status == 200)
        return try #require(try response.json()["value"] as? [[String: Any]])
    }

    private func daemon(_ bench: Bench, resource: String = resource) async throws -> String {
        let form = [
            "grant_type": "client_credentials", "client_id": Self.seed.serviceClientID,
            "client_secret": Self.seed.serviceSecret, "scope": "\(resource)/.default",
        ]
        let response = try await bench.send(.POST, to: "/\(Bench.tenant)/oauth2/v2.0/token", form: form)
        return try #require(try response.json()["access_token"] as? String)
    }

    @Test func `the endpoints of the cloud need no token and name this address`() async throws {
        try await Bench.run { bench in
            let cloud = try await bench.get("/metadata/endpoints?api-version=2022-09-01").json()
            let authentication = try #require(cloud["authentication"] as? [String: Any])

            #expect(cloud["resourceManager"] as? String == bench.base)
            #expect(authentication["loginEndpoint"] as? String == bench.base)
            #expect((authentication["audiences"] as? [String])?.first == Self.resource)
        }
    }

    @Test func `a user's token lists the tenants and the subscription`() async throws {
        try await Bench.run { bench in
            let token = try await bench.tokens(["scope": "\(Self.resource)/user_impersonation"])["access_token"]
            let tenants = try await list(bench, "/tenants", token: token)
            let subscriptions = try await list(bench, "/subscriptions", token: token)

            #expect(tenants.map { $0["tenantId"] as? String } == [Bench.tenant])
            #expect(tenants.first?["tenantCategory"] as? String == "Home")
            #expect(subscriptions.count == 1)
            #expect(subscriptions.first?["tenantId"] as? String == Bench.tenant)
            #expect(subscriptions.first?["state"] as? String == "Enabled")
        }
    }

    @Test func `a guest sees both tenants`() async throws {
        try await Bench.run { bench in
            let browser = Browser(bench)
            let address = bench.authorizeURL(changing: ["scope": "\(Self.resource)/user_impersonation"])
            let code = try await browser.signIn(address, as: Self.seed.guest.userPrincipalName).parameters["code"]
            let token = try await bench.redeem(try #require(code)).json()["access_token"]
            let tenants = try await list(bench, "/tenants", token: token)

            #expect(tenants.map { $0["tenantId"] as? String } == [Bench.tenant, Self.seed.externalTenantID])
            #expect(tenants.map { $0["tenantCategory"] as? String } == ["ProjectedBy", "Home"])
        }
    }

    @Test func `an application's token lists its tenant and the subscription`() async throws {
        try await Bench.run { bench in
            let token = try await daemon(bench)
            let tenants = try await list(bench, "/tenants", token: token)
            let subscriptions = try await list(bench, "/subscriptions", token: token)

            #expect(tenants.map { $0["tenantId"] as? String } == [Bench.tenant])
            #expect(subscriptions.count == 1)
        }
    }

    @Test func `no token, and a token for another API, are refused`() async throws {
        try await Bench.run { bench in
            let other = try await daemon(bench, resource: "https://graph.microsoft.com")
            for (token, code) in [(nil, "AuthenticationFailed"), (other, "InvalidAuthenticationToken")] {
                let refused = try await bench.get("/subscriptions", token: token)

                #expect(refused.status == 401)
                #expect((try refused.json()["error"] as? [String: Any])?["code"] as? String == code)
                #expect(refused.headers.first(name: "www-authenticate")?.contains("authorization_uri=") == true)
            }
        }
    }
}
