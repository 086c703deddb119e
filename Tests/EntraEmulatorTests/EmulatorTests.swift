// Licensed under the MIT License. See LICENSE.

import Crypto
import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// A running emulator over its sockets.
struct EmulatorTests {
    @Test func `metadata, keys and instance discovery are consistent`() async throws {
        try await Bench.run { bench in
            let metadata = try await bench.get("/\(Bench.tenant)/v2.0/.well-known/openid-configuration").json()
            let common = try await bench.get("/common/v2.0/.well-known/openid-configuration").json()
            let keys = try await bench.get("/common/discovery/v2.0/keys").json()
            let instance = try await bench.get(
                "/common/discovery/instance?api-version=1.1&authorization_endpoint="
                    + "https%3A%2F%2Flogin.microsoftonline.com%2Fcommon%2Foauth2%2Fv2.0%2Fauthorize"
            ).json()

            #expect(metadata["issuer"] as? String == "\(bench.base)/\(Bench.tenant)/v2.0")
            #expect(common["issuer"] as? String == "\(bench.base)/{tenantid}/v2.0")
            #expect(metadata["response_modes_supported"] as? [String] == ["query", "fragment", "form_post"])
            let key = try #require((keys["keys"] as? [[String: Any]])?.first)
            let certificate = try #require((key["x5c"] as? [String])?.first.flatMap { Data(base64Encoded: $0) })
            let thumbprint = Data(Insecure.SHA1.hash(data: certificate)).base64EncodedString()
            #expect(key["kty"] as? String == "RSA")
            #expect(key["kid"] as? String == Bench.base64URL(thumbprint))
            #expect(key["x5t"] as? String == Bench.base64URL(thumbprint))
            let clouds = instance["metadata"] as? [[String: Any]]
            #expect(clouds?.first?["preferred_cache"] as? String == "login.windows.net")
        }
    }

    @Test(arguments: ["login.microsoftonline.de", "login.sovcloud-identity.fr", "login.usgovcloudapi.net"])
    func `the other clouds are known, by name and by certificate`(host: String) async throws {
        try await Bench.run { bench in
            let path = "/common/discovery/instance?api-version=1.1&authorization_endpoint="
            let instance = try await bench.get(path + "https%3A%2F%2F\(host)%2Fcommon%2Foauth2%2Fv2.0%2Fauthorize")
                .json()
            let clouds = try #require(instance["metadata"] as? [[String: Any]])
            let metadata = try await bench.send(
                .GET,
                to: "/common/v2.0/.well-known/openid-configuration",
                headers: ["host": host]
            ).json()

            #expect(clouds.contains { ($0["aliases"] as? [String])?.contains(host) == true })
            #expect(metadata["issuer"] as? String == "https://\(host)/{tenantid}/v2.0")
        }
    }

    @Test func `unknown tenants and hosts are refused`() async throws {
        try await Bench.run { bench in
            let tenant = try await bench.get("/nobody/v2.0/.well-known/openid-configuration")
            let host = try await bench.get(
                "/common/discovery/instance?authorization_endpoint=https%3A%2F%2Fevil.example%2Fcommon"
            )

            #expect(tenant.status == 400)
            #expect(try tenant.errorCode() == 90_002)
            #expect(try tenant.json()["error"] as? String == "invalid_tenant")
            #expect(try host.errorCode() == 50_049)
        }
    }

    @Test func `a Host header counts only if it is a name of the emulator or of the service`() async throws {
        try await Bench.run { bench in
            let path = "/common/v2.0/.well-known/openid-configuration"
            let known = try await bench.send(.GET, to: path, headers: ["host": "login.microsoftonline.com"]).json()
            let foreign = try await bench.send(.GET, to: path, headers: ["host": "evil.example"]).json()

            #expect(known["issuer"] as? String == "https://login.microsoftonline.com/{tenantid}/v2.0")
            #expect(foreign["issuer"] as? String == "\(bench.base)/{tenantid}/v2.0")
        }
    }

    @Test func `Microsoft Graph is here, or where the service has it under the service's own names`() async throws {
        try await Bench.run { bench in
            func graph(_ host: String?) async throws -> String? {
                let headers = host.map { ["host": $0] } ?? [:]
                let path = "/common/v2.0/.well-known/openid-configuration"
                return try await bench.send(.GET, to: path, headers: headers).json()["msgraph_host"] as? String
            }

            let own = try await graph(nil)
            #expect(own == String(bench.base.dropFirst("https://".count)))
            for (host, expected) in [
                ("127.0.0.1:8443", "127.0.0.1:8443"), ("login.microsoftonline.com", "graph.microsoft.com"),
                ("login.microsoftonline.us", "graph.microsoft.us"), ("contoso.ciamlogin.com", "graph.microsoft.com"),
                ("login.chinacloudapi.cn", "microsoftgraph.chinacloudapi.cn"),
            ] {
                let named = try await graph(host)
                #expect(named == expected)
            }
        }
    }

    @Test(arguments: ["contoso.ciamlogin.com", "22222222-2222-2222-2222-222222222222.ciamlogin.com"])
    func `the issuer of External ID has the tenant's ID as its host`(host: String) async throws {
        try await Bench.run { bench in
            let path = "/fabrikam.onmicrosoft.com/v2.0/.well-known/openid-configuration"
            let metadata = try await bench.send(.GET, to: path, headers: ["host": host]).json()
            let id = bench.emulator.seed.externalTenantID

            #expect(metadata["issuer"] as? String == "https://\(id).ciamlogin.com/\(id)/v2.0")
            #expect((metadata["token_endpoint"] as? String)?.hasPrefix("https://\(host)/") == true)
        }
    }

    @Test func `a fault happens once`() async throws {
        try await Bench.run { bench in
            let path = "/common/discovery/v2.0/keys"
            bench.emulator.enqueueFault(
                Fault(pathSuffix: "/keys", status: 503, headers: ["Retry-After": "7"], body: "busy")
            )
            let first = try await bench.get(path)
            let second = try await bench.get(path)
            bench.emulator.enqueueFault(Fault(pathSuffix: "/keys", dropsConnection: true))

            #expect(first.status == 503)
            #expect(first.headers.first(name: "retry-after") == "7")
            #expect(first.text == "busy")
            #expect(second.status == 200)
            await #expect(throws: (any Error).self) { try await bench.get(path) }
        }
    }

    @Test func `the journal prints no secret, but returns each on request`() async throws {
        try await Bench.run { bench in
            let body = try await bench.tokens()
            _ = try await bench.get("/v1.0/me", token: body["access_token"] as? String)
            _ = try await bench.send(.POST, to: "/devicelogin", form: ["otc": "TYPED-CODE"])
            let entries = bench.emulator.journal
            let redemption = try #require(entries.last { $0.path.hasSuffix("/token") })
            var printed = entries.map(\.description).joined()
            dump(entries, to: &printed)
            let code = try #require(redemption.revealedParameter("code"))

            #expect(!printed.contains(code))
            #expect(!printed.contains("Pa55-word!"))
            #expect(!printed.contains(Bench.verifier))
            #expect(!printed.contains("TYPED-CODE"))
            #expect(redemption.form["code"] == "‹redacted›")
            #expect(redemption.form["client_id"] == bench.emulator.seed.clientID)
            #expect(redemption.revealedParameter("code_verifier") == Bench.verifier)
            #expect(redemption.status == 200)
        }
    }

    @Test func `a data folder keeps consents and refresh tokens over a restart`() async throws {
        let folder = Bench.stateDirectory.appendingPathComponent("data-\(UUID().uuidString)")
        var token = ""
        try await Bench.run({ $0.dataDirectory = folder }) { bench in
            token = try #require(try await bench.tokens()["refresh_token"] as? String)
        }
        try await Bench.run({ $0.dataDirectory = folder }) { bench in
            let response = try await bench.refresh(token)
            #expect(response.status == 200)
        }
        try await Bench.run { bench in
            let response = try await bench.refresh(token)
            #expect(try response.errorCode() == 70_000)
        }
        let mode =
            try FileManager.default.attributesOfItem(
                atPath: folder.appendingPathComponent("directory.sqlite").path
            )[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func `a port in use is reported in one sentence with the remedy`() async throws {
        try await Bench.run { bench in
            var configuration = EmulatorConfiguration()
            configuration.stateDirectory = Bench.stateDirectory
            configuration.port = bench.emulator.port
            let failure = await #expect(throws: Emulator.StartFailure.self) {
                _ = try await Emulator.start(configuration)
            }
            #expect(failure?.description.contains("--port") == true)
        }
    }

    @Test func `the control API requires its token`() async throws {
        try await Bench.run({ $0.controlPort = 0 }) { bench in
            let port = try #require(bench.emulator.controlPort)
            let token = try #require(bench.emulator.controlToken)
            let control = "https://localhost:\(port)"
            let before = bench.emulator.now
            let refused = try await bench.get("\(control)/users", token: "wrong")
            let users = try await bench.get("\(control)/users", token: token)
            let clock = try await bench.send(
                .POST,
                to: "\(control)/clock",
                headers: ["authorization": "Bearer \(token)"],
                body: "{\"advance\":3600}"
            )

            #expect(refused.status == 401)
            #expect(users.text.contains("megan@contoso.example"))
            #expect(users.headers.first(name: "cache-control") == "no-store")
            #expect(clock.status == 200)
            #expect(bench.emulator.now.timeIntervalSince(before) >= 3600)
        }
    }

    @Test func `a body that is too large is rejected`() async throws {
        try await Bench.run { bench in
            let response = try await bench.send(
                .POST,
                to: "/common/oauth2/v2.0/token",
                form: ["x": String(repeating: "a", count: 100_000)]
            )
            #expect(response.status == 413)
        }
    }
}
