// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// Tokens of an app for itself: client and API are one registration.
struct OwnTokenTests {
    private static let uri = "api://own"

    /// Starts an emulator in which the default public client is also an API.
    private static func run(_ body: (Bench) async throws -> Void) async throws {
        try await Bench.run {
            let client = $0.directory.applications[0].clientID
            $0.directory.apis.append(
                .init(
                    audience: client,
                    identifiers: [uri],
                    displayName: "Own",
                    scopes: [.init(name: "Own.Read", summary: "Read")]
                )
            )
        } _: {
            try await body($0)
        }
    }

    @Test(arguments: [true, false])
    func `a refresh without scope needs the client ID`(isURI: Bool) async throws {
        try await Self.run { bench in
            let name = isURI ? Self.uri : bench.emulator.seed.clientID
            let tokens = try await bench.tokens(["scope": "openid offline_access \(name)/Own.Read"])
            let token = try #require(tokens["refresh_token"] as? String)
            let form = [
                "grant_type": "refresh_token", "client_id": bench.emulator.seed.clientID, "refresh_token": token,
            ]
            let without = try await bench.send(.POST, to: "/\(Bench.tenant)/oauth2/v2.0/token", form: form)
            let with = try await bench.refresh(token, scope: "\(name)/Own.Read")

            #expect(try without.errorCode() == (isURI ? 90_009 : nil))
            #expect(with.status == 200)
        }
    }

    @Test func `version 1 needs the client ID`() async throws {
        try await Self.run { bench in
            func address(_ resource: String) -> String {
                bench.authorizeURL(changing: ["scope": nil, "resource": resource])
                    .replacing("/oauth2/v2.0/", with: "/oauth2/")
            }
            let refused = try await bench.get(address(Self.uri))
            let signedIn = try await Browser(bench).signIn(address(bench.emulator.seed.clientID))

            #expect(refused.parameters["error"] == "invalid_request")
            #expect(refused.parameters["error_description"]?.hasPrefix("AADSTS90009:") == true)
            #expect(signedIn.parameters["code"] != nil)
        }
    }

    @Test func `an app that exposes no API gets a token for itself`() async throws {
        try await Bench.run { bench in
            let client = bench.emulator.seed.clientID
            let tokens = try await bench.tokens(["scope": "openid \(client)/.default"])
            let claims = try Bench.claims(tokens["access_token"])
            let foreign = try await bench.get(
                bench.authorizeURL(changing: ["scope": "\(bench.emulator.seed.serviceClientID)/.default"])
            )
            let appOnly = try await bench.send(
                .POST,
                to: "/\(Bench.tenant)/oauth2/v2.0/token",
                form: [
                    "grant_type": "client_credentials", "client_id": bench.emulator.seed.serviceClientID,
                    "client_secret": bench.emulator.seed.serviceSecret,
                    "scope": "\(bench.emulator.seed.serviceClientID)/.default",
                ]
            )

            #expect(claims["aud"] as? String == client)
            #expect(claims["scp"] == nil)
            #expect(tokens["scope"] as? String == "\(client)/.default")
            #expect(foreign.parameters["error"] == "invalid_resource")
            #expect(
                try Bench.claims(try appOnly.json()["access_token"])["aud"] as? String
                    == bench.emulator.seed.serviceClientID
            )
        }
    }

    @Test func `below a policy the client ID is the scope`() async throws {
        try await Bench.run { bench in
            let client = bench.emulator.seed.clientID
            let tenant = "fabrikam.example/B2C_1_signin"
            let address = bench.authorizeURL(tenant: tenant, changing: ["scope": "openid \(client)"])
            let signedIn = try await Browser(bench).signIn(address, as: "password@fabrikam.example")
            let tokens = try await bench.redeem(try #require(signedIn.parameters["code"]), tenant: tenant).json()
            let claims = try Bench.claims(tokens["access_token"])
            let elsewhere = try await bench.get(bench.authorizeURL(changing: ["scope": "openid \(client)"]))

            #expect(claims["aud"] as? String == client)
            #expect(claims["ver"] as? String == "2.0")
            #expect(elsewhere.parameters["error_description"]?.hasPrefix("AADSTS650053:") == true)
        }
    }
}
