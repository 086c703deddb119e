// Licensed under the MIT License. See LICENSE.

import AsyncHTTPClient
import Crypto
import Foundation
import Hummingbird
import MSALBase
import MSALCore
import MSALHummingbird
import MSALServer
import NIOHTTP1
import NIOSSL
import TestSupport
import Testing

/// Tokens that are bound to a key or to a certificate.
struct ProofTests {
    private let key: ProofKey
    private let address: URL

    init() throws {
        key = try SharedKeys.proof("app")
        address = try #require(URL(string: "https://api.contoso.example/orders/1"))
    }

    private var facts: MSALRequestFacts {
        MSALRequestFacts(method: "GET", host: "api.contoso.example", path: "/orders/1")
    }

    private func server(_ change: (inout MSALProofSettings) -> Void = { _ in }) throws -> APIServer {
        var proofs = MSALProofSettings()
        change(&proofs)
        return try APIServer { $0.proofs = proofs }
    }

    private func proof(_ api: APIServer, nonce: String? = nil, token: String? = nil) throws -> String {
        let bound = try api.token(["cnf": .object(["kid": .string(key.keyID)])])
        return try SignedHTTPRequest(method: "GET", url: address, nonce: nonce)
            .envelope(of: Secret(token ?? bound), by: key, at: api.time.now, freshNonce: "fresh").exposed
    }

    private func code(
        _ line: String,
        at api: APIServer,
        _ facts: MSALRequestFacts
    ) async -> MSALTokenRejection.Code? {
        do throws(MSALTokenRejection) {
            _ = try await api.validator.validate(authorization: [line], request: facts)
            return nil
        } catch {
            return error.code
        }
    }

    // MARK: Signed requests

    @Test func `a signed request of this library's client is accepted, for this request only`() async throws {
        let api = try server()
        let line = "PoP \(try proof(api))"

        #expect(await code(line, at: api, facts) == nil)
        var other = facts
        other.method = "DELETE"
        #expect(await code(line, at: api, other) == .invalidProof)
        other = facts
        other.path = "/orders/2"
        #expect(await code(line, at: api, other) == .invalidProof)
        other = facts
        other.host = "other.contoso.example"
        #expect(await code(line, at: api, other) == .invalidProof)
        other = facts
        other.host = "api.contoso.example:443"
        #expect(await code(line, at: api, other) == nil)
        other.host = "api.contoso.example:8443"
        #expect(await code(line, at: api, other) == .invalidProof)
        api.time.advance(by: .seconds(301))
        #expect(await code(line, at: api, facts) == .invalidProof)
    }

    @Test func `a token of another key, or of none, is not proven`() async throws {
        let api = try server()
        let stolen = try api.token(["cnf": .object(["kid": .string(try IssuerKey("k1").thumbprint)])])

        #expect(await code("PoP \(try proof(api, token: stolen))", at: api, facts) == .invalidProof)
        #expect(await code("PoP \(try proof(api, token: try api.token()))", at: api, facts) == .invalidProof)
        #expect(await code("PoP x.y.z", at: api, facts) == .invalidProof)
        // Without settings for proofs the scheme is unknown.
        #expect(await code("PoP \(try proof(api))", at: try APIServer(), facts) == .absent)
    }

    @Test func `a signed request is accepted once if proofs are remembered`() async throws {
        let api = try server { $0.maximumRememberedProofs = 4 }
        let first = "PoP \(try proof(api, nonce: "one"))"

        #expect(await code(first, at: api, facts) == nil)
        #expect(await code(first, at: api, facts) == .invalidProof)
        #expect(await code("PoP \(try proof(api, nonce: "two"))", at: api, facts) == nil)
        // A caller that fills half of the memory is rejected, because no proof may be forgotten.
        #expect(await code("PoP \(try proof(api, nonce: "three"))", at: api, facts) == .invalidProof)
    }

    private func bound(_ subject: String, _ nonce: Int, at api: APIServer) throws -> String {
        let token = try api.token(["cnf": .object(["kid": .string(key.keyID)]), "sub": .string(subject)])
        return "PoP \(try proof(api, nonce: "\(subject) \(nonce)", token: token))"
    }

    @Test func `one caller cannot fill the memory of proofs`() async throws {
        let api = try server { $0.maximumRememberedProofs = 8 }

        for nonce in 0..<8 {
            #expect(
                await code(try bound("greedy", nonce, at: api), at: api, facts) == (nonce < 4 ? nil : .invalidProof)
            )
        }
        for subject in ["one", "two"] { #expect(await code(try bound(subject, 0, at: api), at: api, facts) == nil) }
        #expect(await code(try bound("greedy", 8, at: api), at: api, facts) == .invalidProof)
    }

    @Test func `callers together cannot exceed the memory of proofs`() async throws {
        let api = try server { $0.maximumRememberedProofs = 4 }

        for number in 0..<6 {
            let line = try bound("caller \(number)", 0, at: api)
            #expect(await code(line, at: api, facts) == (number < 4 ? nil : .invalidProof))
        }
    }

    @Test func `no proof is forgotten before it expires, and its space is free then`() async throws {
        let api = try server { $0.maximumRememberedProofs = 2 }
        let first = try bound("caller", 0, at: api)
        #expect(await code(first, at: api, facts) == nil)
        api.time.advance(by: .seconds(299))
        #expect(await code(first, at: api, facts) == .invalidProof)
        #expect(await code(try bound("caller", 1, at: api), at: api, facts) == .invalidProof)

        api.time.advance(by: .seconds(301))
        #expect(await code(try bound("caller", 2, at: api), at: api, facts) == nil)
    }

    @Test func `a path, a query name or a thumbprint is compared as bytes`() async throws {
        let api = try server()
        var facts = facts
        facts.path = "/\u{212A}"
        let bound = Secret(try api.token(["cnf": .object(["kid": .string(key.keyID)])]))
        for (path, isSame) in [("/K", true), ("/\u{212A}", false)] {
            facts.path = path
            let address = try #require(URL(string: "https://api.contoso.example/K"))
            let envelope = try SignedHTTPRequest(method: "GET", url: address, nonce: nil)
                .envelope(of: bound, by: key, at: api.time.now, freshNonce: "fresh").exposed
            #expect(await code("PoP \(envelope)", at: api, facts) == (isSame ? nil : .invalidProof))
        }
        facts = self.facts
        facts.host = "api.contoso.example"
        facts.method = "\u{47}ET"
        #expect(await code("PoP \(try proof(api))", at: api, facts) == nil)
    }

    @Test func `a nonce of the API is offered and required`() async throws {
        let api = try server {
            $0.makeNonce = { "asked" }
            $0.acceptsNonce = { $0 == "asked" }
        }

        #expect(await code("PoP \(try proof(api, nonce: "asked"))", at: api, facts) == nil)
        #expect(await code("PoP \(try proof(api, nonce: "other"))", at: api, facts) == .invalidProof)
        do throws(MSALTokenRejection) {
            _ = try await api.validator.validate(authorization: [], request: facts)
            Issue.record("A request without a token was accepted.")
        } catch {
            #expect(error.authenticate == ["Bearer", #"PoP nonce="asked""#])
        }
    }

    // MARK: Certificates

    private let certificate = Data("a certificate in DER".utf8)

    private func certificateToken(_ api: APIServer) throws -> String {
        let thumbprint = Base64URL.encode(SHA256.hash(data: certificate))
        return try api.token(["cnf": .object(["x5t#S256": .string(thumbprint)])])
    }

    @Test func `a token that is bound to a certificate requires that certificate`() async throws {
        let api = try server()
        let token = try certificateToken(api)
        var facts = facts

        #expect(await code("Bearer \(token)", at: api, facts) == .boundTokenWithoutProof)
        facts.peerCertificate = Data("another one".utf8)
        #expect(await code("Bearer \(token)", at: api, facts) == .invalidProof)
        facts.peerCertificate = certificate
        #expect(await code("Bearer \(token)", at: api, facts) == nil)
        #expect(await code("mtls_pop \(token)", at: api, facts) == nil)
    }

    @Test(
        arguments: [
            (":\(Data("a certificate in DER".utf8).base64EncodedString()):", "Client-Cert"),
            (Data("a certificate in DER".utf8).base64EncodedString(), "X-ARR-ClientCert"),
            (
                "-----BEGIN%20CERTIFICATE-----%0A\(Data("a certificate in DER".utf8).base64EncodedString())%0A"
                    + "-----END%20CERTIFICATE-----%0A", "X-Client-Cert"
            ),
        ]
    )
    func `a proxy's header is accepted only from the proxy`(value: String, header: String) async throws {
        let api = try server {
            $0.certificateHeader = header
            $0.trustedProxies = ["10.1.0.0/16", "::1"]
        }
        let line = "Bearer \(try certificateToken(api))"
        var facts = facts
        facts.headers = [(name: header.lowercased(), value: value)]

        #expect(await code(line, at: api, facts) == .boundTokenWithoutProof)
        for (peer, expected) in [
            ("10.1.2.3", nil), ("::1", nil), ("::ffff:10.1.2.3", nil), ("10.2.2.3", .boundTokenWithoutProof),
            ("10.1.2.3.evil", .boundTokenWithoutProof),
        ] as [(String, MSALTokenRejection.Code?)] {
            facts.peerAddress = peer
            #expect(await code(line, at: api, facts) == expected)
        }
        facts.peerAddress = "10.1.2.3"
        facts.headers.append((name: header, value: value))
        #expect(await code(line, at: api, facts) == .boundTokenWithoutProof)
    }

    // MARK: Over HTTP

    @Test(.timeLimit(.minutes(1)))
    func `over TLS the certificate of the connection is the proof of a token that is bound to it`() async throws {
        let directory = try TemporaryDirectory()
        let shown = try LocalCertificate(in: directory.url)
        let api = try server()
        let router = Router(context: MSALAPIContext.self)
        router.group().add(middleware: MSALAuthenticator(api.validator)).get("orders") { _, _ in "in" }

        try await LocalServer.run(router, certificate: shown, asksClients: true) { port in
            var settings = HTTPClient.Configuration(tlsConfiguration: try shown.clientConfiguration())
            settings.dnsOverride = ["localhost": "127.0.0.1"]
            let statuses = try await HTTPClient.withHTTPClient(configuration: settings) { client in
                var statuses: [UInt] = []
                for certificate in [Data(try shown.parsed.toDERBytes()), certificate] {
                    let thumbprint = Base64URL.encode(SHA256.hash(data: certificate))
                    let token = try api.token(["cnf": .object(["x5t#S256": .string(thumbprint)])])
                    var request = HTTPClientRequest(url: "https://localhost:\(port)/orders")
                    request.headers.add(name: "authorization", value: "Bearer \(token)")
                    statuses.append(try await client.execute(request, timeout: .seconds(30)).status.code)
                }
                return statuses
            }
            #expect(statuses == [200, 401])
        }
    }

    @Test func `over HTTP a foreign or repeated proof has the response of all faults`() async throws {
        let api = try server { $0.maximumRememberedProofs = 10 }
        let address = try #require(URL(string: "https://api.contoso.example/orders"))
        func line(nonce: String, by signer: ProofKey) throws -> String {
            let bound = Secret(try api.token(["cnf": .object(["kid": .string(key.keyID)])]))
            let request = SignedHTTPRequest(method: "GET", url: address, nonce: nonce)
            let envelope = try request.envelope(of: bound, by: signer, at: api.time.now, freshNonce: "fresh")
            return "Authorization: PoP \(envelope.exposed)"
        }
        let good = try line(nonce: "one", by: key)
        let stolen = try line(nonce: "two", by: try SharedKeys.proof("stranger"))

        try await api.run { client in
            #expect(try await client.send(lines: [good]).status == 200)
            for lines in [[good], [stolen]] {
                let answer = try await client.send(lines: lines)
                #expect(answer.status == 401)
                #expect(answer.values("WWW-Authenticate") == [#"Bearer error="invalid_token""#])
            }
        }
    }
}
