// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
import Hummingbird
import Logging
import MSALBase
import MSALCore
import MSALHummingbird
import MSALServer
import TestSupport
import Testing

/// Requests to an API on Hummingbird, and the responses to their callers.
struct APIOverHTTPTests {
    private static let invalidToken = #"Bearer error="invalid_token""#

    @Test func `a valid token is accepted, with any letter case of the scheme`() async throws {
        let api = try APIServer()
        let token = try api.token()

        try await api.run { client in
            for scheme in ["Bearer", "bearer", "BEARER"] {
                let answer = try await client.send(lines: ["Authorization: \(scheme) \(token)"])
                #expect(answer.status == 200)
                #expect(answer.body.hasSuffix("person"))
            }
        }
        // The metadata and the keys, once.
        #expect(api.issuer.requests.count == 2)
    }

    @Test func `a token outside the header is ignored, and the challenge asks for one`() async throws {
        let api = try APIServer()
        let token = try api.token()

        try await api.run { client in
            for (path, lines) in [
                ("/orders", []), ("/orders?access_token=\(token)", []), ("/orders", ["Authorization: Basic dTpw"]),
                ("/orders", ["Authorization: PoP \(token)"]), ("/orders", ["X-Token: \(token)"]),
            ] as [(String, [String])] {
                let answer = try await client.send("GET", path, lines: lines)
                #expect(answer.status == 401)
                #expect(answer.values("WWW-Authenticate") == ["Bearer"])
            }
            let form = "access_token=\(token)"
            let lines = ["Content-Type: application/x-www-form-urlencoded", "Content-Length: \(form.utf8.count)"]
            let answer = try await client.send("DELETE", lines: lines, body: form)
            #expect(answer.status == 401)
            #expect(answer.values("WWW-Authenticate") == ["Bearer"])
        }
        #expect(api.issuer.requests == [])
    }

    @Test func `a token with DPoP is rejected by name, and the challenge asks for another`() async throws {
        let lines = LoggedLines()
        let api = try APIServer { $0.logger = lines.logger }
        let token = try api.token()

        try await api.run { client in
            for scheme in ["DPoP", "dpop"] {
                let answer = try await client.send(lines: ["Authorization: \(scheme) \(token)", "DPoP: a.b.c"])
                #expect(answer.status == 401)
                #expect(answer.values("WWW-Authenticate") == ["Bearer"])
            }
        }
        #expect(api.issuer.requests == [])
        #expect(lines.all.count { $0.contains("unsupportedDPoP") } == 1)
    }

    @Test func `a date may have a fraction`() async throws {
        let api = try APIServer()
        let token = try api.token(["exp": .number(1_790_000_000.5), "iat": .number(1_789_999_999.25)])

        try await api.run { client in
            let answer = try await client.send(bearer: token)
            #expect(answer.status == 200)
        }
    }

    @Test func `a malformed header is the client's mistake`() async throws {
        let api = try APIServer()
        let token = try api.token()

        try await api.run { client in
            for lines in [
                ["Authorization: Bearer \(token)", "Authorization: Bearer \(token)"],
                ["Authorization: Bearer \(token)", "Authorization: Basic dTpw"], ["Authorization: Bearer"],
                ["Authorization: Bearer \(token), Basic dTpw"], ["Authorization: Bearer \(token) x"],
                ["Authorization: Bearer\t\(token)"],
            ] {
                let answer = try await client.send(lines: lines)
                #expect(answer.status == 400)
                #expect(answer.values("WWW-Authenticate") == [#"Bearer error="invalid_request""#])
            }
        }
    }

    @Test(arguments: BadToken.all)
    func `every fault of a token has the same response`(_ bad: BadToken) async throws {
        let api = try APIServer()
        let token = try bad.make(api)

        try await api.run { client in
            let answer = try await client.send(bearer: token)
            #expect(answer.status == 401)
            #expect(answer.values("WWW-Authenticate") == [Self.invalidToken])
            #expect(answer.body == "" || answer.body.allSatisfy(\.isWhitespace))
        }
        #expect(await bad.code(of: token, at: api) == bad.code)
        // Only a token with a valid signature is kept.
        #expect(api.validator.rememberedTokens == (bad.code == .boundTokenWithoutProof ? 1 : 0))
    }

    @Test func `a missing scope is not named without a token, and a missing role has no challenge`() async throws {
        let api = try APIServer()
        let application = try api.token([
            "scp": nil, "idtyp": .string("app"), "roles": .array([.string("Orders.Read.All")]),
        ])
        let token = try api.token()

        try await api.run { client in
            let scope = try await client.send("DELETE", bearer: token)
            #expect(scope.status == 403)
            #expect(scope.values("WWW-Authenticate") == [#"Bearer error="insufficient_scope""#])
            let kind = try await client.send("DELETE", bearer: application)
            #expect(kind.status == 403)
            #expect(kind.values("WWW-Authenticate") == [])
        }
    }

    @Test func `a challenge is sent only to a client that supports it`() async throws {
        let api = try APIServer()
        let able = try api.token(["xms_cc": .array([.string("cp1")])])
        let unable = try api.token()
        let met = try api.token(["xms_cc": .array([.string("cp1")]), "acrs": .array([.string("c1")])])

        try await api.run { client in
            let asked = try await client.send("GET", "/orders/secret", bearer: able)
            #expect(asked.status == 401)
            let value = try #require(asked.values("WWW-Authenticate").first)
            let challenge = try #require(AuthenticateChallenge.parse([value]).first)
            #expect(challenge.error == "insufficient_claims")
            #expect(challenge.authority == "https://login.microsoftonline.com/\(TestIssuer.tenant)")
            let claims = Data(base64Encoded: challenge.parameters["claims"] ?? "")
            #expect(claims == Data(#"{"access_token":{"acrs":{"essential":true,"value":"c1"}}}"#.utf8))

            #expect(try await client.send("GET", "/orders/secret", bearer: unable).status == 403)
            #expect(try await client.send("GET", "/orders/secret", bearer: met).status == 403)
            let refused = try await client.send("GET", "/orders/refused", bearer: able)
            #expect(refused.status == 401)
            #expect(refused.values("WWW-Authenticate").first?.contains("insufficient_claims") == true)
        }
    }

    @Test func `while the keys cannot be fetched, the API is unavailable and the token is not rejected`() async throws {
        let api = try APIServer()
        api.issuer.serve(keys: .failure(.timedOut))
        let token = try api.token()

        try await api.run { client in
            let answer = try await client.send(bearer: token)
            #expect(answer.status == 503)
            #expect(answer.values("Retry-After") == ["5"])
            #expect(answer.values("WWW-Authenticate") == [])
        }
    }

    @Test func `no token, name, address or variable of the process is part of a response or a log line`() async throws {
        let lines = LoggedLines()
        let api = try APIServer {
            $0.logger = lines.logger
            $0.logger.logLevel = .trace
            $0.clients = ["app", "another app"]
        }
        let tokens = [
            try api.token(), try api.token(["xms_cc": .array([.string("cp1")])]), try api.token(["exp": .integer(1)]),
            try api.token(["azp": .string("unknown-client")]), try api.token(["aud": .string("unknown-audience")]),
            String(try api.token().dropLast(8)) + "AAAAAAAA", "a.b.c",
        ]
        var answers: [String] = []

        try await api.run { client in
            for token in tokens {
                for path in ["/orders/secret", "/orders/refused", "/orders/nowhere"] {
                    let answer = try await client.send("GET", path, bearer: token)
                    answers.append((answer.lines + [answer.body]).joined(separator: "\n"))
                }
            }
        }
        let answered = answers.joined(separator: "\n")
        let printed = answered + "\n" + lines.all.joined(separator: "\n")
        // Shorter values are words that occur anywhere.
        let variables = ProcessInfo.processInfo.environment.values.filter { $0.utf8.count >= 12 }
        let parts = tokens.flatMap { $0.split(separator: ".") }.map(String.init).filter { $0.utf8.count > 8 }
        let claims = ["person", "pairwise", "contoso"]
        // The log explains a rejection with these. A caller gets none of them.
        let logged = ["unknown-client", "unknown-audience", "another app"]
        #expect(lines.all.count >= 4)
        // The number of the secret, because its text must not be printed either.
        #expect((parts + claims).enumerated().filter { printed.contains($0.element) }.map(\.offset) == [])
        #expect(logged.filter(answered.contains) == [])
        #expect(variables.count { printed.contains($0) } == 0)
        #expect(variables.count > 0)
    }

    @Test func `a caller who lacks the scope of a route is logged once`() async throws {
        let lines = LoggedLines()
        let api = try APIServer { $0.logger = lines.logger }
        let token = try api.token()

        try await api.run { client in
            let answer = try await client.send("DELETE", bearer: token)
            #expect(answer.status == 403)
        }

        #expect(lines.all.count == 1)
        #expect(lines.text.contains(#""msal_rejection": insufficientScope"#), "\(lines.text)")
        #expect(lines.text.contains(#""msal_expected": Orders.Write"#))
        #expect(!lines.text.contains(token))
    }

    @Test func `clients that read metadata get their URL`() async throws {
        let address = try #require(URL(string: "https://api.contoso.example/orders"))
        let plain = MSALTokenValidatorConfiguration(
            clientId: TestIssuer.client,
            authority: .tenant(TestIssuer.tenant)
        )
        let resource = try MSALProtectedResource(resource: address, configuration: plain, scopes: ["Orders.Write"])
        let api = try APIServer { $0.resourceMetadata = resource.metadataURL }
        let token = try api.token()
        let wanted = try await Self.refusal(of: [], at: api, requiring: .scope("Orders.Write"))
        let path = "/.well-known/oauth-protected-resource/orders"
        let metadata = #"resource_metadata="https://api.contoso.example\#(path)""#

        try await api.run(resource: resource) { client in
            let document = try await client.send("GET", path, lines: [])
            #expect(document.status == 200)
            let members = try #require(JSONValue(parsing: Data(document.body.utf8))?.object)
            #expect(members["resource"] == .string("https://api.contoso.example/orders"))
            let issuer = "https://login.microsoftonline.com/\(TestIssuer.tenant)/v2.0"
            #expect(members["authorization_servers"] == .array([.string(issuer)]))
            let scope = "api://\(TestIssuer.client)/Orders.Write"
            #expect(members["scopes_supported"] == .array([.string(scope)]))

            // A route that requires a scope names it at once.
            let first = #"Bearer scope="\#(scope)", \#(metadata)"#
            #expect(wanted.headers.map(\.value) == [first])
            let absent = try await client.send(lines: [])
            #expect(absent.values("WWW-Authenticate") == ["Bearer \(metadata)"])
            let bad = try await client.send(bearer: "a.b.c")
            #expect(bad.values("WWW-Authenticate") == [#"Bearer error="invalid_token", \#(metadata)"#])
            let scopeless = try await client.send("DELETE", bearer: token)
            #expect(scopeless.status == 403)
            let expected = #"Bearer error="insufficient_scope", scope="\#(scope)", \#(metadata)"#
            #expect(scopeless.values("WWW-Authenticate") == [expected])
        }
    }

    @Test(
        arguments: [
            (MSALTokenRejection.Code.expired, 401), (.insufficientScope, 403), (.keysUnavailable, 503), (.absent, 401),
        ]
    )
    func `a rejection that is thrown outside the authenticator has its own status`(
        _ code: MSALTokenRejection.Code,
        status: Int
    ) async throws {
        let api = try APIServer()
        let router = Router(context: MSALAPIContext.self)
        router.get("orders") { _, _ -> String in throw MSALTokenRejection(code) }

        try await api.run(router) { client in
            let answer = try await client.send(lines: [])
            #expect(answer.status == status)
            #expect(answer.values("WWW-Authenticate") == MSALTokenRejection(code).authenticate)
            #expect(answer.values("Retry-After") == (status == 503 ? ["5"] : []))
        }
    }
}

extension APIOverHTTPTests {
    private static func refusal(
        of lines: [String],
        at api: APIServer,
        requiring requirement: MSALRequirement
    ) async throws -> MSALTokenRejection {
        do throws(MSALTokenRejection) {
            _ = try await api.validator.validate(
                authorization: lines,
                request: MSALRequestFacts(),
                requiring: requirement
            )
        } catch {
            return error
        }
        throw Unrefused()
    }

    private struct Unrefused: Error {}
}

/// A token with a fault, and the reason in the log.
struct BadToken: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let code: MSALTokenRejection.Code
    let make: @Sendable (APIServer) throws -> String

    private init(
        _ name: String,
        _ code: MSALTokenRejection.Code,
        _ make: @escaping @Sendable (APIServer) throws -> String
    ) {
        testDescription = name
        self.code = code
        self.make = make
    }

    func code(of token: String, at api: APIServer) async -> MSALTokenRejection.Code? {
        do throws(MSALTokenRejection) {
            _ = try await api.validator.validate(authorization: ["Bearer \(token)"], request: MSALRequestFacts())
            return nil
        } catch {
            return error.code
        }
    }

    static var all: [BadToken] { forms + headers + claims }

    private static let forms: [BadToken] = [
        BadToken("two parts", .malformedToken) {
            try $0.token().split(separator: ".").prefix(2).joined(separator: ".")
        },
        BadToken("five parts", .encryptedToken) { try $0.token() + ".c2ln.c2ln" },
        BadToken("bits behind the last byte", .malformedToken) { api in
            // A signature of 256 bytes has 342 characters, the last of which encodes two bits.
            String(try api.token().dropLast()) + "B"
        },
        BadToken("not UTF-8", .malformedToken) { _ in
            "\(Base64URL.encode(#"{"alg":"RS256"}"#.utf8)).\(Base64URL.encode([0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D])).c2ln"
        },
        BadToken("JSON 1,000 levels deep", .malformedToken) { api in
            let deep = String(repeating: "[", count: 1000) + String(repeating: "]", count: 1000)
            return try IssuerKey("k1").text(payload: #"{"a":\#(deep)}"#)
        },
        BadToken("a repeated member", .malformedToken) { _ in
            try IssuerKey("k1").text(payload: #"{"aud":"a","aud":"b"}"#)
        },
        BadToken("a repeated member in a nested object", .malformedToken) { _ in
            try IssuerKey("k1").text(payload: #"{"cnf":{"kid":"a","kid":"b"}}"#)
        },
        BadToken("a member in two letter cases", .malformedToken) { try $0.token(["Aud": .string("x")]) },
        BadToken("a member in another letter case only", .malformedToken) { try $0.token(["SCP": .string("x")]) },
        BadToken("no token at all", .malformedToken) { _ in "x" },
        BadToken("32 KiB and a byte", .tokenTooLarge) { _ in String(repeating: "a", count: 32_769) },
        BadToken("a refresh token", .malformedToken) { _ in
            "1.AXoAq1Zb.AgABAwEAAAB-\(String(repeating: "r", count: 900))"
        },
    ]

    private static let headers: [BadToken] = [
        BadToken("alg none", .unsupportedAlgorithm) { try $0.token(header: ["alg": .string("none")]) },
        BadToken("HMAC with the public key", .unsupportedAlgorithm) { api in
            let key = try IssuerKey("k1")
            let token = try key.token(at: api.time.now, header: ["alg": .string("HS256")])
            let signed = token.split(separator: ".").prefix(2).joined(separator: ".")
            let secret = SymmetricKey(data: Data(key.published.text.utf8))
            return
                "\(signed).\(Base64URL.encode(HMAC<SHA256>.authenticationCode(for: Data(signed.utf8), using: secret)))"
        },
        BadToken("an elliptic curve", .unsupportedAlgorithm) { try $0.token(header: ["alg": .string("ES256")]) },
        BadToken("PS256", .unsupportedAlgorithm) { try $0.token(header: ["alg": .string("PS256")]) },
        BadToken("kid is a path", .unknownKey) { try $0.token(header: ["kid": .string("../../etc/passwd")]) },
        BadToken("kid is a number", .unknownKey) { try $0.token(header: ["kid": .integer(1)]) },
        BadToken("kid is a list", .unknownKey) { try $0.token(header: ["kid": .array([.string("k1")])]) },
        BadToken("kid is null", .malformedToken) { try $0.token(header: ["kid": .null]) },
        BadToken("crit", .unsupportedCriticalHeader) { try $0.token(header: ["crit": .array([.string("exp")])]) },
        BadToken("a key within the token", .invalidSignature) { api in
            let rogue = try IssuerKey("invented")
            return try rogue.token(at: api.time.now, header: ["kid": .string("k1"), "jwk": rogue.published])
        },
        BadToken("a URL of keys", .invalidSignature) { api in
            let address = JSONValue.string("https://evil.example/keys")
            return try IssuerKey("invented").token(
                at: api.time.now,
                header: ["kid": .string("k1"), "jku": address, "x5u": address, "x5c": .array([])]
            )
        },
    ]

    private static let claims: [BadToken] = [
        BadToken("an ID token", .notAnAccessToken) { try $0.token(["azp": nil, "scp": nil, "nonce": .string("n")]) },
        BadToken("an ID token with a client", .notAnAccessToken) { try $0.token(["scp": nil, "nonce": .string("n")]) },
        BadToken("another API's", .invalidAudience) {
            try $0.token(["aud": .string("00000003-0000-0000-c000-000000000000")])
        },
        BadToken("two audiences", .invalidAudience) {
            try $0.token(["aud": .array([.string(TestIssuer.client), .string("other")])])
        },
        BadToken("an audience of version 1.0 in a token of 2.0", .invalidAudience) {
            try $0.token(["aud": .string("api://\(TestIssuer.client)")])
        },
        BadToken("the client of version 2.0 in a token of 1.0", .notAnAccessToken) {
            try $0.token(["ver": .string("1.0")])
        },
        BadToken("another cloud's", .invalidIssuer) {
            try $0.token(["iss": .string("https://login.partner.microsoftonline.cn/\(TestIssuer.tenant)/v2.0")])
        },
        BadToken("another tenant", .invalidIssuer) { api in
            let id = "73ab4876-7734-47c1-87fd-e805ec99108d"
            return try api.token(["iss": .string("https://\(TestIssuer.host)/\(id)/v2.0"), "tid": .string(id)])
        },
        BadToken("an issuer of version 1.0 in a token of 2.0", .invalidIssuer) {
            try $0.token(["iss": .string("https://sts.windows.net/\(TestIssuer.tenant)/")])
        },
        BadToken("a version that does not exist", .missingClaim) { try $0.token(["ver": .string("3.0")]) },
        BadToken("exp is text", .malformedToken) { try $0.token(["exp": .string("1790003000")]) },
        BadToken("exp is negative", .malformedToken) { try $0.token(["exp": .integer(-1)]) },
        BadToken("exp is huge", .malformedToken) { try $0.token(["exp": .number(1e300)]) },
        BadToken("exp is absent", .missingClaim) { try $0.token(["exp": nil]) },
        BadToken("expired", .expired) { try $0.token(["exp": .integer(1_789_999_700)]) },
        BadToken("not yet valid", .notYetValid) { try $0.token(["nbf": .integer(1_790_000_301)]) },
        BadToken("issued in the future", .issuedInFuture) {
            try $0.token(["nbf": nil, "iat": .integer(1_790_000_301)])
        },
        BadToken("scp is a list", .malformedToken) { try $0.token(["scp": .array([.string("Orders.Read")])]) },
        BadToken("roles is text", .malformedToken) { try $0.token(["roles": .string("Orders.Read.All")]) },
        BadToken("bound to a key, without a proof", .boundTokenWithoutProof) {
            try $0.token(["cnf": .object(["kid": .string("x")])])
        },
    ]
}
