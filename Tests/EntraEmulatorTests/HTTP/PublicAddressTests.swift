// Licensed under the MIT License. See LICENSE.

import AsyncHTTPClient
import EntraEmulator
import Foundation
import NIOCore
import NIOHTTP1
import Testing

/// The address by which everybody names the emulator, and the certificate that they have to trust.
struct PublicAddressTests {
    @Test func `the issuer is the public address, whichever name a client uses`() async throws {
        try await Bench.run {
            $0.publicURL = URL(string: "https://idp.contoso.example:9443")
            $0.additionalHosts = ["emulator"]
        } _: { bench in
            try await bench.withClient(reaching: ["emulator"]) { other in
                let base = "https://emulator:\(bench.emulator.port)"
                let document = try await other.get("\(base)/\(Bench.tenant)/v2.0/.well-known/openid-configuration")
                    .json()
                let tokens = try await bench.tokens()
                let claims = try Bench.claims(tokens["id_token"])
                let me = try await bench.get("/v1.0/me", token: tokens["access_token"] as? String)
                let issuer = "https://idp.contoso.example:9443/\(Bench.tenant)/v2.0"

                #expect(document["issuer"] as? String == issuer)
                #expect(claims["iss"] as? String == issuer)
                #expect((document["jwks_uri"] as? String)?.hasPrefix(base) == true)
                #expect((document["token_endpoint"] as? String)?.hasPrefix(base) == true)
                let pages = document["authorization_endpoint"] as? String
                #expect(pages?.hasPrefix("https://idp.contoso.example:9443/") == true)
                #expect(me.status == 200)
            }
        }
    }

    @Test(arguments: ["http://localhost:8443", "https://localhost/path", "https://a@localhost"])
    func `an invalid address is rejected at the start`(address: String) async throws {
        await #expect(throws: Emulator.StartFailure.self) {
            try await Bench.run {
                $0.publicURL = URL(string: address)
            } _: { _ in
            }
        }
    }

    @Test func `the certificate is public, and a port without TLS has nothing else`() async throws {
        try await Bench.run {
            $0.trustPort = 0
            $0.controlPort = 0
        } _: { bench in
            let file = try String(contentsOf: bench.emulator.certificateAuthorityFile, encoding: .utf8)
            let plain = "http://localhost:\(try #require(bench.emulator.trustPort))"
            let fetched = try await Self.get("\(plain)/ca.pem", with: bench)
            let other = try await Self.get("\(plain)/\(Bench.tenant)/oauth2/v2.0/authorize", with: bench)
            let encrypted = try await bench.get("/ca.pem")
            let control = try #require(bench.emulator.controlPort)
            let atControl = try await bench.send(.GET, to: "https://localhost:\(control)/ca.pem")
            let fingerprint = try bench.emulator.certificateAuthorityFingerprint

            #expect(fetched.text == file)
            #expect(other.status == 404)
            #expect(encrypted.text == file)
            #expect(atControl.text == file)
            #expect(fingerprint.wholeMatch(of: /([0-9A-F]{2}:){31}[0-9A-F]{2}/) != nil)
        }
    }

    private static func get(_ url: String, with bench: Bench) async throws -> Bench.Response {
        let response = try await bench.client.get(url: url).get()
        return Bench.Response(
            status: Int(response.status.code),
            headers: response.headers,
            text: response.body.map { String(buffer: $0) } ?? ""
        )
    }
}
