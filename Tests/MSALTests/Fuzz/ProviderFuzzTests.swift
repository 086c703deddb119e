// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import TestSupport
import Testing

@testable import MSALBase
@testable import MSALCore

/// Damaged responses of a provider: its metadata, its keys, its tokens. A trap ends the whole run. Each test states
/// what else must be true. `MSAL_FUZZ_ROUNDS` and `MSAL_FUZZ_SECONDS` set the length (see ``Fuzz``).
struct ProviderFuzzTests {
    private func bytes(_ values: JSONValue...) -> [[UInt8]] { values.map { Array($0.text.utf8) } }

    @Test func `damaged OpenID metadata are rejected, or have https endpoints and an allowed issuer`()
        async throws
    {
        let endpoints = ["authorization_endpoint", "token_endpoint", "end_session_endpoint", "jwks_uri"]
        let document = JSONValue.object(
            Dictionary(uniqueKeysWithValues: endpoints.map { ($0, JSONValue.string("https://contoso.example/\($0)")) })
                .merging([
                    "issuer": .string("https://contoso.example/{tenantid}/v2.0"),
                    "response_modes_supported": .array([.string("form_post")]),
                    "authorization_response_iss_parameter_supported": .bool(true),
                ]) { $1 }
        )
        let authority = try Authority.ciam(Authority.url("https://contoso.example/tenant"))
        var fuzz = Fuzz(
            corpus: bytes(document) + [Array("{}".utf8)],
            words: [
                "http://", "https://[::1]:443", "https://", "@evil.example", ":99999", "{tenantid}", "?a=b#c", "null",
            ]
        )
        var readable = 0
        await fuzz.run(awaiting: { input in
            let resolver = AuthorityResolver(transport: FixedResponse(input), time: ManualTime())
            let result = try? await resolver.resolve(authority, policy: AuthorityPolicy(), correlationID: UUID())
            guard let resolved = result else { return }  // Rejected.
            readable += 1
            let metadata = resolved.configuration
            let places = [resolved.authorizationEndpoint, resolved.tokenEndpoint, resolved.endSessionEndpoint]
            for url in places + [metadata.jwksURI] {
                #expect(url.map { $0.scheme?.lowercased() == "https" && $0.host()?.isEmpty == false } ?? true)
            }
            #expect(issuerIsAccepted(metadata.issuer, for: authority, aliases: []))
            #expect(!metadata.acceptsTokenIssuer("https://login.evil.example", tid: "t", authority: authority))
        })
        expectEnough(readable)
    }

    @Test func `a damaged response of instance discovery changes nothing about known hosts`() async throws {
        let response = JSONValue.object([
            "tenant_discovery_endpoint": .string("https://sign-in.example/tenant"),
            "metadata": .array([
                .object([
                    "preferred_network": .string("sign-in.example"), "preferred_cache": .string("cache.example"),
                    "aliases": .array(["sign-in.example", "cache.example", "a.example:8443"].map(JSONValue.string)),
                ])
            ]),
        ])
        let refusal = JSONValue.object(["error": .string("invalid_instance"), "error_description": .string("No.")])
        let authority = try Authority.aad(Authority.url("https://sign-in.example/tenant"))
        let policy = AuthorityPolicy(developerKnown: [authority])
        var fuzz = Fuzz(
            corpus: bytes(response, refusal),
            words: ["login.microsoftonline.com", "login.windows.net", "/", "@", ":443", ":0", "[::1]", "\"aliases\":"]
        )
        var readable = 0
        await fuzz.run(awaiting: { input in
            let resolver = AuthorityResolver(transport: FixedResponse(input), time: ManualTime())
            let result = try? await resolver.discover(authority, policy: policy, correlationID: UUID())
            guard let discovery = result else { return }  // Rejected.
            readable += 1
            let names = discovery.cloud.map { [$0.networkHost, $0.cacheHost] + $0.aliases } ?? []
            #expect(names.allSatisfy(AuthorityAddress.isEnvironment))
            #expect(discovery.openIDConfigurationURL.scheme == "https")
            #expect(resolver.environments(for: .default).cache == "login.windows.net")
            #expect(resolver.discoveredNetworks.isEmpty)
        })
        expectEnough(readable)
    }

    @Test func `a damaged key set is rejected, or its keys verify only the signed text`() throws {
        let (rsa, elliptic) = (try Signer("RS256"), try Signer("ES256"))
        let tokens = [try rsa.token("{}"), try elliptic.token("{}")]
        let forged = tokens.map { String($0.dropLast(4)) + "AAAA" }
        var fuzz = Fuzz(
            corpus: bytes(
                .object(["keys": .array([try rsa.members(), try elliptic.members()])]),
                .object(["keys": .array([try rsa.members(x5c: rsa), try elliptic.members(x5c: elliptic)])]),
                .object(["keys": .array([try rsa.members(x5c: rsa, hasParameters: false)])]),
                .object(["keys": .array([try elliptic.members(x5c: elliptic, hasParameters: false)])])
            ),
            words: [
                "\"kty\":\"RSA\"", "\"kty\":\"EC\"", "\"use\":\"enc\",", "\"key_ops\":[\"verify\"],", "\"x5c\":[]",
                "AQAB",
                "\"alg\":\"none\",", "P-384", "null", "{\"keys\":[", String(repeating: "A", count: 2048),
            ]
        )
        var (readable, valid) = (0, 0)
        fuzz.run { input in
            guard let keys = try? JSONWebKey.set(parsing: Data(input)), !keys.isEmpty else { return }  // Rejected.
            readable += 1
            valid += tokens.count { JSONWebSignature.verify(compact: $0, with: keys) == .valid }
            #expect(!forged.contains { JSONWebSignature.verify(compact: $0, with: keys) == .valid })
        }
        #expect(valid > 0)
        expectEnough(readable)
    }

    @Test(arguments: ["RS256", "ES256"])
    func `a damaged certificate of a key yields no key, or the same key`(_ algorithm: String) throws {
        let signer = try Signer(algorithm)
        let token = try signer.token("{}")
        var fuzz = Fuzz(
            corpus: [try signer.certificate, try Signer.edwardsCertificate()],
            words: ["\u{30}\u{00}", "\u{30}\u{7F}", "\u{02}\u{01}\u{00}", "\u{03}\u{02}\u{00}\u{00}", "\u{05}\u{00}"]
        )
        var readable = 0
        try fuzz.run { input in
            let chain = JSONValue.array([.string(Data(input).base64EncodedString())])
            let alone = JSONWebKey(
                try signer.members(["x5c": chain, "n": .null, "e": .null, "x": .null, "y": .null])
            )
            if alone != nil { readable += 1 }
            guard let both = JSONWebKey(try signer.members(["x5c": chain])) else { return }  // Rejected.
            #expect(JSONWebSignature.verify(compact: token, with: [both]) == .valid)
            #expect(alone != nil)
        }
        expectEnough(readable)
    }

    /// The contents of the token and of `client_info` are damaged before they are encoded.
    @Test func `a damaged response to a refresh is rejected, or leaves readable records`() async throws {
        let now = ManualTime().now
        let response = JSONValue.object([
            "claims": .object(Contoso.claims(at: now)),
            "info": .object(["uid": .string("user-1"), "utid": .string(Contoso.tenant)]),
            "answer": .object(Contoso.tokens(idToken: nil, ["client_info": .null, "foci": .string("1")])),
        ])
        var fuzz = Fuzz(
            corpus: bytes(response),
            words: [
                "\\u001f", "\\u007f", "\\u0085", "\\u0000", "null", "[]", "{}", "1e300", "\"aud\":[", "\"azp\":\"x\",",
            ]
        )
        var stored = 0
        try await fuzz.run(awaiting: { input in
            guard let parts = JSONValue(parsing: Data(input))?.object, var members = parts["answer"]?.object else {
                return  // Nothing to send.
            }
            members["id_token"] = parts["claims"]?.object.map { .string(Contoso.idToken($0)) }
            members["client_info"] = parts["info"].map { .string(Base64URL.encode(Array($0.text.utf8))) }
            let bench = ClientBench()
            try bench.seed(Contoso.refreshToken(), Contoso.accountRecord, Contoso.idTokenRecord(at: now))
            let before = try Set(bench.records())
            bench.service.setLast(.reply(.json(.object(members))))

            let result = try? await bench.client.silent.acquire(Contoso.silent())

            let after = try Set(bench.records())
            if result == nil, after == before { return }  // Rejected.
            stored += 1
            for record in after {
                let again = CacheRecord(kind: record.kind, members: record.members)
                #expect(again?.identity == record.identity, "\(String(decoding: input, as: UTF8.self))")
            }
            _ = try bench.client.accounts.all()
        })
        expectEnough(stored)
    }

    /// Input that is rejected at once does not test later steps.
    private func expectEnough(_ readable: Int, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(readable > Fuzz.rounds / 50, "Too little input was readable.", sourceLocation: sourceLocation)
    }
}

/// The same bytes for every request.
private struct FixedResponse: HTTPTransport {
    let body: Data

    init(_ bytes: [UInt8]) { body = Data(bytes) }

    func send(_ message: HTTPMessage) async throws(TransportError) -> HTTPResponse {
        HTTPResponse(status: 200, body: body)
    }
}
