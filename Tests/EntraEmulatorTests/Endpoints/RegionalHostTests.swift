// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// The hosts of regions, which serve what the host of their cloud serves.
struct RegionalHostTests {
    @Test(
        arguments: [
            ("westus2.login.microsoft.com", "login.microsoftonline.com"),
            ("usgovvirginia.login.microsoftonline.us", "login.microsoftonline.us"),
            ("chinanorth3.login.partner.microsoftonline.cn", "login.partner.microsoftonline.cn"),
            ("francecentral.login.sovcloud-identity.fr", "login.sovcloud-identity.fr"),
        ]
    )
    func `an application gets its token from a region with the issuer of the whole cloud`(
        host: String,
        cloud: String
    ) async throws {
        try await Bench.run({ $0.certifiesServiceNames = true }) { bench in
            try await bench.withClient(reaching: [host]) { client in
                let seed = bench.emulator.seed
                let response = try await client.send(
                    .POST,
                    to: "https://\(host):\(bench.emulator.port)/\(Bench.tenant)/oauth2/v2.0/token",
                    form: [
                        "grant_type": "client_credentials", "client_id": seed.serviceClientID,
                        "client_secret": seed.serviceSecret,
                        "scope": "api://00000000-0000-4000-8000-0000000000a2/.default",
                    ]
                )
                let issuer = try Bench.claims(response.json()["access_token"])["iss"] as? String

                #expect(response.status == 200)
                #expect(issuer == "https://\(cloud):\(bench.emulator.port)/\(Bench.tenant)/v2.0")
            }
        }
    }

    @Test func `a custom host name is not a region`() async throws {
        try await Bench.run {
            $0.additionalHosts = ["entra.localhost"]
        } _: { bench in
            try await bench.withClient(reaching: ["entra.localhost"]) { client in
                let base = "https://entra.localhost:\(bench.emulator.port)"
                let path = "/\(Bench.tenant)/v2.0/.well-known/openid-configuration"
                let document = try await client.send(.GET, to: base + path).json()

                #expect(document["issuer"] as? String == "\(base)/\(Bench.tenant)/v2.0")
            }
        }
    }
}
