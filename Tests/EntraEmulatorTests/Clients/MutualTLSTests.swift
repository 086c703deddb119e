// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// Clients that show a certificate in the TLS handshake, and the tokens that are bound to it.
struct MutualTLSTests {
    private static let service = Seed().serviceClientID
    private static let path = "/\(Bench.tenant)/oauth2/v2.0/token"
    private static let own = Result { try AssertionSigner() }
    private static let stranger = Result { try AssertionSigner(commonName: "stranger", key: "stranger") }

    private static func form(_ changes: [String: String?] = [:]) -> [String: String] {
        var form: [String: String] = [
            "grant_type": "client_credentials", "scope": "https://graph.microsoft.com/.default", "client_id": service,
            "token_type": "mtls_pop",
        ]
        for (name, value) in changes { form[name] = value }
        return form
    }

    /// Runs an emulator where the service app of the seed has these certificates.
    private func run(
        _ certificates: [EmulatorDirectory.ClientCertificate]? = nil,
        body: (Bench, String) async throws -> Void
    ) async throws {
        let certificates = try certificates ?? [.init(pem: Self.own.get().pem)]
        try await Bench.run {
            let index = $0.directory.applications.firstIndex { $0.clientID == Self.service }
            $0.directory.applications[index ?? 0].certificates = certificates
            $0.mutualTLSPort = 0
            $0.certifiesServiceNames = true
        } _: { bench in
            let port = try #require(bench.emulator.mutualTLSPort)
            try await body(bench, "https://localhost:\(port)")
        }
    }

    /// Lets a client act that shows this certificate.
    private func showing(
        _ signer: AssertionSigner?,
        to bench: Bench,
        act: (Bench) async throws -> Void
    ) async throws {
        let hosts = ["mtlsauth.microsoft.com", "westus2.mtlsauth.microsoft.com", "login.microsoftonline.com"]
        try await bench.withClient(reaching: hosts, showing: signer, act: act)
    }

    // MARK: Tokens

    @Test func `the application's certificate leads to a token that is bound to it`() async throws {
        let signer = try Self.own.get()
        try await run { bench, secure in
            try await showing(signer, to: bench) { client in
                let body = try await client.send(.POST, to: secure + Self.path, form: Self.form()).json()
                let claims = try Bench.claims(body["access_token"])

                #expect(body["token_type"] as? String == "mtls_pop")
                #expect(try claims["cnf"] as? [String: String] == ["x5t#S256": signer.sha256Thumbprint])
                #expect(claims["appidacr"] as? String == "2")
            }
        }
    }

    @Test func `without a token type, the same certificate leads to a bearer token`() async throws {
        try await run { bench, secure in
            try await showing(Self.own.get(), to: bench) { client in
                let form = Self.form(["token_type": nil])
                let body = try await client.send(.POST, to: secure + Self.path, form: form).json()

                #expect(body["token_type"] as? String == "Bearer")
                #expect(try Bench.claims(body["access_token"])["cnf"] == nil)
            }
        }
    }

    @Test func `a renewed certificate is accepted by its subject and issuer`() async throws {
        let authority = try AssertionSigner(commonName: "Contoso CA", key: "authority")
        let renewed = try AssertionSigner(issuer: authority)
        try await run([.init(pem: authority.pem, subject: "contoso-service")]) { bench, secure in
            try await showing(renewed, to: bench) { client in
                let status = try await client.send(.POST, to: secure + Self.path, form: Self.form()).status
                #expect(status == 200)
            }
            // The issuer's own certificate is registered as one that vouches, and not as one of the application.
            try await showing(authority, to: bench) { client in
                let refused = try await client.send(.POST, to: secure + Self.path, form: Self.form())
                #expect(try refused.errorCode() == 700_027)
            }
        }
    }

    @Test(arguments: ["mtlsauth.microsoft.com", "westus2.mtlsauth.microsoft.com"])
    func `the service's hosts for it request a certificate on the ordinary port`(host: String) async throws {
        try await run { bench, _ in
            try await showing(Self.own.get(), to: bench) { client in
                let url = "https://\(host):\(bench.emulator.port)"
                let scope = "api://00000000-0000-4000-8000-0000000000a2/.default"
                let body = try await client.send(.POST, to: url + Self.path, form: Self.form(["scope": scope])).json()
                let claims = try Bench.claims(body["access_token"])

                #expect(body["token_type"] as? String == "mtls_pop")
                #expect((claims["iss"] as? String)?.contains("mtlsauth") == false)
            }
        }
    }

    @Test func `a token has the issuer of the ordinary port`() async throws {
        let scope = "api://00000000-0000-4000-8000-0000000000a2/.default"
        try await run { bench, secure in
            try await showing(Self.own.get(), to: bench) { client in
                let form = Self.form(["scope": scope])
                let body = try await client.send(.POST, to: secure + Self.path, form: form).json()
                let issuer = try Bench.claims(body["access_token"])["iss"] as? String

                #expect(issuer == "\(bench.base)/\(Bench.tenant)/v2.0")
            }
        }
    }

    // MARK: Refusals

    @Test(
        arguments: [
            (["client_secret": "s"], 9_002_313), (["client_assertion": "a.b.c"], 9_002_313),
            (["req_cnf": "eyJ9"], 9_002_313), (["client_id": Seed().clientID], 7_000_218),
            (["grant_type": "password"], 90_023), (["client_id": "nobody"], 700_016),
        ] as [([String: String], Int)]
    )
    func `a request that does not match a certificate is rejected`(changes: [String: String], number: Int) async throws
    {
        let jwtBearer = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
        var changes: [String: String?] = changes
        if changes["client_assertion"] != nil { changes["client_assertion_type"] = jwtBearer }
        try await run { bench, secure in
            try await showing(Self.own.get(), to: bench) { client in
                let refused = try await client.send(.POST, to: secure + Self.path, form: Self.form(changes))

                #expect(try refused.errorCode() == number)
                #expect(!refused.text.contains("access_token"))
            }
        }
    }

    @Test func `a missing, unknown or expired certificate is rejected`() async throws {
        try await run { bench, secure in
            func number(showing signer: AssertionSigner?, at path: String = Self.path) async throws -> Int? {
                var number: Int?
                try await showing(signer, to: bench) { client in
                    let response = try await client.send(.POST, to: secure + path, form: Self.form())
                    number = try response.errorCode()
                }
                return number
            }
            let missing = try await number(showing: nil)
            #expect(missing == 7_000_218)
            let unknown = try await number(showing: Self.stranger.get())
            #expect(unknown == 700_027)
            let tenantless = try await number(showing: Self.own.get(), at: "/common/oauth2/v2.0/token")
            #expect(tenantless == 50_059)
            await bench.emulator.advanceClock(by: .seconds(2 * 86_400))
            let expired = try await number(showing: Self.own.get())
            #expect(expired == 700_027)
        }
    }

    @Test func `the ordinary port requests no certificate`() async throws {
        try await run { bench, _ in
            try await showing(Self.own.get(), to: bench) { client in
                let refused = try await client.send(.POST, to: Self.path, form: Self.form())
                let named = "https://login.microsoftonline.com:\(bench.emulator.port)"
                let refusedByName = try await client.send(.POST, to: named + Self.path, form: Self.form())

                #expect(try refused.errorCode() == 7_000_218)
                #expect(try refusedByName.errorCode() == 7_000_218)
            }
        }
    }

    // MARK: APIs

    @Test func `an API accepts a bound token only over a connection with its certificate`() async throws {
        try await run { bench, secure in
            var token = ""
            func status(_ client: Bench, of scheme: String, at base: String) async throws -> (Int, String) {
                let header = ["authorization": "\(scheme) \(token)"]
                let response = try await client.send(.GET, to: base + "/v1.0/users", headers: header)
                return (response.status, response.headers.first(name: "www-authenticate") ?? "")
            }
            try await showing(Self.own.get(), to: bench) { client in
                let body = try await client.send(.POST, to: secure + Self.path, form: Self.form()).json()
                token = try #require(body["access_token"] as? String)

                let bound = try await status(client, of: "mtls_pop", at: secure).0
                #expect(bound == 200)
                let inCapitals = try await status(client, of: "MTLS_POP", at: secure).0
                #expect(inCapitals == 200)
                let asBearer = try await status(client, of: "Bearer", at: secure)
                #expect(asBearer.0 == 401 && asBearer.1.hasPrefix("mtls_pop "))
                let atOrdinaryPort = try await status(client, of: "mtls_pop", at: bench.base)
                #expect(atOrdinaryPort.0 == 401 && atOrdinaryPort.1.contains("presented no certificate"))
            }
            try await showing(Self.stranger.get(), to: bench) { client in
                let other = try await status(client, of: "mtls_pop", at: secure)
                #expect(other.0 == 401 && other.1.contains("different certificate"))
            }
            try await showing(nil, to: bench) { client in
                let bare = try await status(client, of: "mtls_pop", at: secure).0
                #expect(bare == 401)
            }
        }
    }

    @Test func `an API does not accept a bearer token as a bound one`() async throws {
        try await run { bench, secure in
            try await showing(Self.own.get(), to: bench) { client in
                let form = Self.form(["token_type": nil])
                let token = try await client.send(.POST, to: secure + Self.path, form: form).json()["access_token"]
                let header = ["authorization": "mtls_pop \(try #require(token as? String))"]
                let response = try await client.send(.GET, to: secure + "/v1.0/users", headers: header)

                #expect(response.status == 401)
                #expect(response.headers.first(name: "www-authenticate")?.contains("not bound") == true)
            }
        }
    }

    // MARK: Metadata

    @Test func `the metadata contain the address for client certificates`() async throws {
        try await run { bench, secure in
            let path = "/\(Bench.tenant)/v2.0/.well-known/openid-configuration"
            let own = try await bench.get(path).json()
            #expect(own["mtls_endpoint_aliases"] as? [String: String] == ["token_endpoint": secure + Self.path])
            #expect(own["tls_client_certificate_bound_access_tokens"] as? Bool == true)

            try await showing(nil, to: bench) { client in
                let port = bench.emulator.port
                let named = try await client.send(.GET, to: "https://login.microsoftonline.com:\(port)" + path).json()
                let alias = (named["mtls_endpoint_aliases"] as? [String: String])?["token_endpoint"]
                #expect(alias == "https://mtlsauth.microsoft.com:\(port)\(Self.path)")
            }
        }
        try await Bench.run { bench in
            let path = "/\(Bench.tenant)/v2.0/.well-known/openid-configuration"
            let alias = try await bench.get(path).json()["mtls_endpoint_aliases"]
            #expect(alias == nil)
        }
    }
}
