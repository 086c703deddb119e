// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// How a confidential client shows who it is, at the token endpoint.
struct ClientAuthenticationTests {
    private static let service = Seed().serviceClientID
    private static let path = "/\(Bench.tenant)/oauth2/v2.0/token"
    private static let jwtBearer = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

    private static func request(_ credentials: [String: String]) -> [String: String] {
        ["grant_type": "client_credentials", "scope": "https://graph.microsoft.com/.default"]
            .merging(credentials) { $1 }
    }

    // MARK: Secrets

    @Test func `a secret is accepted in the form and in the header`() async throws {
        try await Bench.run { bench in
            let secret = bench.emulator.seed.serviceSecret
            let posted = try await bench.send(
                .POST,
                to: Self.path,
                form: Self.request(["client_id": Self.service, "client_secret": secret])
            )
            let basic = Data("\(Self.service):\(secret)".utf8).base64EncodedString()
            let inHeader = try await bench.send(
                .POST,
                to: Self.path,
                form: Self.request([:]),
                headers: ["authorization": "Basic \(basic)"]
            )

            #expect(posted.status == 200)
            #expect(inHeader.status == 200)
        }
    }

    @Test(
        arguments: [
            (["client_id": service, "client_secret": "wrong"], 7_000_215), (["client_id": service], 7_000_218),
            (["client_secret": "s"], 900_144), (["client_id": "nobody", "client_secret": "s"], 700_016),
            (["client_id": Seed().clientID, "client_secret": "s"], 700_025),
            (["client_id": Seed().clientID], 7_000_218),
            (["client_id": service, "client_secret": "s", "client_assertion": "a.b.c"], 9_002_313),
            (["client_id": service, "client_assertion": "a.b.c"], 900_144),
            (
                ["client_id": service, "client_assertion": "a.b.c", "client_assertion_type": "saml"],
                90_023
            ),
            (
                ["client_id": service, "client_assertion": "a.b.c", "client_assertion_type": jwtBearer],
                50_027
            ),
        ] as [([String: String], Int)]
    )
    func `wrong credentials have the service's numbers`(credentials: [String: String], number: Int) async throws {
        try await Bench.run { bench in
            let refused = try await bench.send(.POST, to: Self.path, form: Self.request(credentials))

            #expect(try refused.errorCode() == number)
            #expect(!refused.text.contains("access_token"))
        }
    }

    @Test(arguments: ["Basic", "Basic !!!", "Basic bm9jb2xvbg==", "Bearer x"])
    func `an authorization header without a client's credentials is rejected`(header: String) async throws {
        try await Bench.run { bench in
            let refused = try await bench.send(
                .POST,
                to: Self.path,
                form: Self.request([:]),
                headers: ["authorization": header]
            )

            #expect(refused.status == 401)
            #expect(try refused.errorCode() == 9_002_313)
        }
    }

    // The first is form-encoded, as RFC 6749 §2.3.1 has it, the second only by percent signs, the third not at all.
    @Test(arguments: ["50%25+of+a%2Bb", "50%25%20of%20a%2Bb", "50% of a+b"])
    func `a secret in Basic is accepted in each common encoding`(sent: String) async throws {
        try await Bench.run {
            $0.directory.applications[0].kind = .web
            $0.directory.applications[0].secrets = [.init("50% of a+b")]
        } _: { bench in
            let basic = Data("\(bench.emulator.seed.clientID):\(sent)".utf8).base64EncodedString()
            let response = try await bench.send(
                .POST,
                to: Self.path,
                form: Self.request([:]),
                headers: ["authorization": "Basic \(basic)"]
            )

            #expect(response.status == 200)
        }
    }

    @Test func `an expired secret is rejected`() async throws {
        try await Bench.run {
            $0.directory.applications[0].kind = .web
            $0.directory.applications[0].secrets = [.init("short", expiresAt: Date().addingTimeInterval(3_600))]
        } _: { bench in
            let form = Self.request(["client_id": bench.emulator.seed.clientID, "client_secret": "short"])
            let before = try await bench.send(.POST, to: Self.path, form: form)
            await bench.emulator.advanceClock(by: .seconds(7_200))
            let after = try await bench.send(.POST, to: Self.path, form: form)

            #expect(before.status == 200)
            #expect(try after.errorCode() == 7_000_222)
            #expect(!after.text.contains("short"))
        }
    }

    // MARK: Certificates

    private func withCertificate(
        _ certificates: [EmulatorDirectory.ClientCertificate],
        body: (Bench) async throws -> Void
    ) async throws {
        try await Bench.run {
            let index = $0.directory.applications.firstIndex { $0.clientID == Self.service }
            $0.directory.applications[index ?? 0].certificates = certificates
        } _: {
            try await body($0)
        }
    }

    private func present(_ assertion: String, to bench: Bench) async throws -> Bench.Response {
        try await bench.send(
            .POST,
            to: Self.path,
            form: Self.request(["client_assertion": assertion, "client_assertion_type": Self.jwtBearer])
        )
    }

    @Test(arguments: ["RS256", "PS256"], AssertionSigner.Naming.ofThumbprints)
    func `a certificate is identified by either thumbprint`(
        algorithm: String,
        naming: AssertionSigner.Naming
    ) async throws {
        let signer = try AssertionSigner()
        try await withCertificate([.init(pem: signer.pem)]) { bench in
            let assertion = try signer.assertion(
                of: Self.service,
                for: bench.base + Self.path,
                algorithm: algorithm,
                naming: naming
            )
            let response = try await present(assertion, to: bench)

            #expect(response.status == 200)
            #expect(try Bench.claims(response.json()["access_token"])["appidacr"] as? String == "2")
        }
    }

    @Test(arguments: [AssertionSigner.Naming.chain, .chainAsText, .chainWithLineBreaks])
    func `a renewed certificate is accepted by its subject and issuer`(naming: AssertionSigner.Naming) async throws {
        let authority = try AssertionSigner(commonName: "Contoso CA", key: "authority")
        try await withCertificate([.init(pem: authority.pem, subject: "contoso-service")]) { bench in
            let audience = bench.base + Self.path
            func number(of signer: AssertionSigner) async throws -> Int? {
                let assertion = try signer.assertion(of: Self.service, for: audience, naming: naming)
                let response = try await present(assertion, to: bench)
                return response.status == 200 ? nil : try response.errorCode()
            }

            let renewed = try AssertionSigner(issuer: authority)
            let other = try AssertionSigner(commonName: "other", issuer: authority, key: "other client")
            let stranger = try AssertionSigner(key: "stranger")
            #expect(try await number(of: renewed) == nil)
            #expect(try await number(of: other) == 700_027)
            #expect(try await number(of: stranger) == 700_027)
        }
    }

    @Test(
        arguments: [
            (["aud": "https://localhost/other/oauth2/v2.0/token"], 700_023),
            (["aud": "https://foreign.example/"], 700_023),
            (["exp": 1], 700_024), (["nbf": 4_000_000_000], 700_024), (["exp": NSNull()], 50_027),
            (["iss": NSNull()], 50_027), (["sub": "another"], 50_027), (["iss": "https://foreign.example"], 700_211),
        ] as [([String: any Sendable], Int)]
    )
    func `a wrong assertion has the service's numbers`(changes: [String: any Sendable], number: Int) async throws {
        let signer = try AssertionSigner()
        try await withCertificate([.init(pem: signer.pem)]) { bench in
            let assertion = try signer.assertion(of: Self.service, for: bench.base + Self.path, changing: changes)
            let form = Self.request([
                "client_id": Self.service, "client_assertion": assertion, "client_assertion_type": Self.jwtBearer,
            ])
            let refused = try await bench.send(.POST, to: Self.path, form: form)

            #expect(refused.status == 401)
            #expect(try refused.errorCode() == number)
        }
    }

    @Test func `an expired certificate is rejected`() async throws {
        let signer = try AssertionSigner()
        try await withCertificate([.init(pem: signer.pem)]) { bench in
            await bench.emulator.advanceClock(by: .seconds(2 * 86_400))
            let assertion = try signer.assertion(
                of: Self.service,
                for: bench.base + Self.path,
                at: bench.emulator.now
            )

            #expect(try await present(assertion, to: bench).errorCode() == 700_027)
        }
    }

    @Test func `times may be fractions or strings, and 'nbf' may be missing`() async throws {
        let signer = try AssertionSigner()
        try await withCertificate([.init(pem: signer.pem)]) { bench in
            let end = Date().timeIntervalSince1970 + 600
            for changes in [["exp": end], ["exp": String(Int(end))], ["nbf": NSNull()]] as [[String: Any]] {
                let assertion = try signer.assertion(of: Self.service, for: bench.base + Self.path, changing: changes)
                #expect(try await present(assertion, to: bench).status == 200)
            }
        }
    }

    @Test func `an assertion signed with another key is rejected, whatever it names`() async throws {
        let (signer, stranger) = (try AssertionSigner(), try AssertionSigner(key: "stranger"))
        try await withCertificate([.init(pem: signer.pem)]) { bench in
            let good = try signer.assertion(of: Self.service, for: bench.base + Self.path)
            let other = try stranger.assertion(of: Self.service, for: bench.base + Self.path)
            let parts = (good.split(separator: "."), other.split(separator: "."))
            let mixed = "\(parts.0[0]).\(parts.0[1]).\(parts.1[2])"
            let unnamed = try signer.assertion(of: Self.service, for: bench.base + Self.path, naming: .nothing)
            let none = try signer.assertion(of: Self.service, for: bench.base + Self.path, algorithm: "none")

            for assertion in [other, mixed, unnamed, none] {
                #expect(try await present(assertion, to: bench).errorCode() == 700_027)
            }
        }
    }
}
