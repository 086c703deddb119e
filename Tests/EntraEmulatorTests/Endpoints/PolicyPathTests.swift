// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// Azure AD B2C names a policy between the tenant and the endpoint.
struct PolicyPathTests {
    private static let path = "fabrikam.onmicrosoft.com/B2C_1_susi"

    private static func uid(_ clientInfo: Any?) throws -> String? {
        var text = try #require(clientInfo as? String).replacingOccurrences(of: "-", with: "+")
            .replacingOccurrences(of: "_", with: "/")
        while text.count % 4 != 0 { text += "=" }
        let data = try #require(Data(base64Encoded: text))
        return (try JSONSerialization.jsonObject(with: data) as? [String: String])?["uid"]
    }

    @Test(arguments: [path, "tfp/\(path)", "fabrikam.onmicrosoft.com?p=B2C_1_susi"])
    func `the metadata stay with the policy`(place: String) async throws {
        try await Bench.run { bench in
            let parts = place.split(separator: "?")
            let query = parts.count == 2 ? "?\(parts[1])" : ""
            let metadata = try await bench.get("/\(parts[0])/v2.0/.well-known/openid-configuration\(query)").json()

            #expect(metadata["token_endpoint"] as? String == "\(bench.base)/\(Self.path)/oauth2/v2.0/token")
            #expect(metadata["authorization_endpoint"] as? String == "\(bench.base)/\(Self.path)/oauth2/v2.0/authorize")
            #expect(metadata["issuer"] as? String == "\(bench.base)/\(bench.emulator.seed.externalTenantID)/v2.0/")
        }
    }

    @Test func `a sign-in carries its policy into tokens and refreshes`() async throws {
        try await Bench.run { bench in
            let response = try await Browser(bench)
                .signIn(bench.authorizeURL(tenant: Self.path), as: "password@fabrikam.example")
            let endpoint = "/\(Self.path)/oauth2/v2.0/token"
            let client = bench.emulator.seed.clientID
            let body = try await bench.send(
                .POST,
                to: endpoint,
                form: [
                    "grant_type": "authorization_code", "client_id": client, "client_info": "1",
                    "code": try #require(response.parameters["code"]), "redirect_uri": Bench.redirect,
                    "code_verifier": Bench.verifier,
                ]
            ).json()
            let refreshed = try await bench.send(
                .POST,
                to: endpoint,
                form: [
                    "grant_type": "refresh_token", "client_id": client, "scope": "openid profile User.Read",
                    "refresh_token": try #require(body["refresh_token"] as? String),
                ]
            ).json()
            let idToken = try Bench.claims(body["id_token"])

            #expect(idToken["tfp"] as? String == "B2C_1_susi")
            #expect(idToken["emails"] as? [String] == ["password@fabrikam.example"])
            #expect(idToken["preferred_username"] == nil)
            #expect(try Self.uid(body["client_info"])?.hasSuffix("-b2c_1_susi") == true)
            #expect(try Bench.claims(refreshed["id_token"])["tfp"] as? String == "B2C_1_susi")
        }
    }

    @Test(arguments: ["contoso.example", "common"])
    func `only a tenant of customers has policies`(tenant: String) async throws {
        try await Bench.run { bench in
            let response = try await bench.get("/\(tenant)/B2C_1_susi/v2.0/.well-known/openid-configuration")

            #expect(try response.errorCode() == 90_002)
        }
    }
}
