// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// The endpoints of version 1.0.
struct OlderEndpointTests {
    @Test(arguments: ["openid some.thing", "some.thing", "openid api://nowhere/Read profile"])
    func `scopes that do not exist are passed over where a resource is what counts`(scope: String) async throws {
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
}
