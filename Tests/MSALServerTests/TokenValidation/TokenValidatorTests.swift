// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import MSALServer
import Synchronization
import TestSupport
import Testing

struct TokenValidatorTests {
    private func check(
        _ token: String,
        at api: APIServer,
        requiring requirement: MSALRequirement = .anyPermission
    ) async -> MSALTokenRejection.Code? {
        do throws(MSALTokenRejection) {
            _ = try await api.validator.validate(
                authorization: ["Bearer \(token)"],
                request: MSALRequestFacts(),
                requiring: requirement
            )
            return nil
        } catch {
            return error.code
        }
    }

    // MARK: The memory

    @Test func `changing conditions are checked for a remembered token, too`() async throws {
        let api = try APIServer()
        let token = try api.token()

        #expect(await check(token, at: api) == nil)
        #expect(api.validator.rememberedTokens == 1)
        #expect(await check(token, at: api, requiring: .scope("Orders.Write")) == .insufficientScope)
        api.time.advance(by: .seconds(3600 + 299))
        #expect(await check(token, at: api) == nil)
        api.time.advance(by: .seconds(1))
        #expect(await check(token, at: api) == .expired)
    }

    @Test func `a key that leaves the set invalidates the tokens that it signed`() async throws {
        let api = try APIServer { $0.vanishedKeyGrace = .zero }
        let token = try IssuerKey("k1").token(at: api.time.now, claims: ["exp": .integer(1_790_090_000)])

        #expect(await check(token, at: api) == nil)
        api.issuer.serve(keys: .keys([try IssuerKey("k2").published]))
        api.time.advance(by: .seconds(3601))
        #expect(await check(token, at: api) == nil)
        await api.validator.untilRefreshed()
        #expect(await check(token, at: api) == .unknownKey)
        #expect(api.validator.rememberedTokens == 0)
    }

    @Test func `another key with the same id invalidates the tokens of the first`() async throws {
        let api = try APIServer()
        let token = try IssuerKey("k1").token(at: api.time.now, claims: ["exp": .integer(1_790_090_000)])
        var other = try #require(IssuerKey("k2").published.object)
        other["kid"] = .string("k1")

        #expect(await check(token, at: api) == nil)
        api.issuer.serve(keys: .keys([.object(other)]))
        api.time.advance(by: .seconds(3601))
        _ = await check(token, at: api)
        await api.validator.untilRefreshed()
        #expect(await check(token, at: api) == .invalidSignature)
    }

    @Test func `the memory has a limit, keeps tokens in use, and can be disabled`() async throws {
        let api = try APIServer { $0.maximumRememberedTokens = 64 }
        let used = try api.token()

        for number in 0..<200 {
            #expect(await check(try api.token(["uti": .integer(Int64(number))]), at: api) == nil)
            #expect(await check(used, at: api) == nil)
        }
        #expect(api.validator.rememberedTokens <= 64)

        let off = try APIServer { $0.maximumRememberedTokens = 0 }
        #expect(await check(used, at: off) == nil)
        #expect(off.validator.rememberedTokens == 0)
    }

    // MARK: The keys

    @Test func `invented key IDs cause one fetch, and block no caller`() async throws {
        let api = try APIServer()
        let token = try api.token()
        #expect(await check(token, at: api) == nil)
        api.time.advance(by: .seconds(301))

        await withTaskGroup { group in
            for number in 0..<200 {
                group.addTask { [self] in
                    guard let invented = try? IssuerKey("x\(number)").token(at: api.time.now) else { return }
                    #expect(await check(invented, at: api) == .unknownKey)
                    #expect(await check(token, at: api) == nil)
                }
            }
        }
        #expect(api.issuer.requests.count == 3)
    }

    @Test(
        arguments: [
            #"{"keys":[]}"#, "{}", "<html>", "", #"{"keys":[{"kty":"EC","kid":"k1"}]}"#, #"{"keys":[1,null]}"#,
            #"{"keys":[{"kty":"RSA","kid":"k1","n":"AQAB","e":"AQAB"}]}"#,
        ]
    )
    func `a document without a usable key is a failure of the issuer`(_ document: String) async throws {
        let api = try APIServer()
        api.issuer.serve(keys: .response(HTTPResponse(status: 200, body: Data(document.utf8))))

        #expect(await check(try api.token(), at: api) == .keysUnavailable)
    }

    @Test(
        arguments: [
            ("https://login.microsoftonline.com/73ab4876-7734-47c1-87fd-e805ec99108d/v2.0", TestIssuer.host),
            ("https://evil.example/\(TestIssuer.tenant)/v2.0", TestIssuer.host),
            ("https://login.microsoftonline.com/\(TestIssuer.tenant)/v2.0", "evil.example"),
            ("http://login.microsoftonline.com/\(TestIssuer.tenant)/v2.0", TestIssuer.host),
        ]
    )
    func `metadata of another issuer are rejected`(issuer: String, keyHost: String) async throws {
        let api = try APIServer()
        let endpoint = JSONValue.string("https://\(TestIssuer.host)/x")
        let metadata: JSONValue = .object([
            "issuer": .string(issuer), "jwks_uri": .string("https://\(keyHost)/keys"),
            "authorization_endpoint": endpoint, "token_endpoint": endpoint,
        ])
        api.issuer.serve(metadata: .response(HTTPResponse(status: 200, body: Data(metadata.text.utf8))))

        let code = await check(try api.token(), at: api)
        #expect(code == .keysUnavailable || code == .invalidIssuer)
        #expect(!api.issuer.requests.contains { $0.contains("evil") })
    }

    @Test func `a service can be ready before its first request`() async throws {
        let api = try APIServer()

        try await api.validator.prepare()
        let requests = api.issuer.requests.count
        #expect(await check(try api.token(), at: api) == nil)
        #expect(api.issuer.requests.count == requests)

        let broken = try APIServer()
        broken.issuer.serve(keys: .failure(.timedOut))
        let error = try await failure { () async throws(MSALTokenError) in try await broken.validator.prepare() }
        #expect(error.kind == .serviceUnavailable)
        #expect(error.isRetryable)
    }

    @Test func `run keeps the keys fresh until it is canceled`() async throws {
        let base = "https://contoso.ciamlogin.com/\(TestIssuer.tenant)"
        let api = try APIServer { $0.authority = .url(base) }
        let endpoint = JSONValue.string("\(base)/x")
        let metadata: JSONValue = .object([
            "issuer": .string("\(base)/v2.0"), "jwks_uri": .string("\(base)/discovery/v2.0/keys"),
            "authorization_endpoint": endpoint, "token_endpoint": endpoint,
        ])
        api.issuer.serve(metadata: .response(HTTPResponse(status: 200, body: Data(metadata.text.utf8))))
        let running = Task { await api.validator.run() }
        await api.time.untilSomebodySleeps()
        #expect(api.issuer.requests.count == 2)

        api.issuer.serve(keys: .keys([try IssuerKey("k1").published, try IssuerKey("k2").published]))
        api.time.advance(by: .seconds(3600))
        await api.time.untilSomebodySleeps()
        running.cancel()
        await running.value

        // The new key is known without a separate request.
        #expect(api.issuer.requests.count == 3)
        let token = try IssuerKey("k2").token(at: api.time.now, claims: ["iss": .string("\(base)/v2.0")])
        #expect(await check(token, at: api) == nil)
        #expect(api.issuer.requests.count == 3)
    }

    // MARK: Tenants and several configurations

    @Test(arguments: ["organizations", "common", "consumers"])
    func `an authority of many tenants requires a choice of accepted tenants`(_ tenant: String) async throws {
        let error = try await failure { () throws(MSALTokenError) in
            try MSALTokenValidator(.init(clientId: "api", authority: .tenant(tenant)))
        }

        #expect(error.kind == .configuration)
        #expect(error.message.contains(".list"))
    }

    @Test func `invalid settings are named`() async throws {
        let authority = MSALServerAuthority.tenant(TestIssuer.tenant)
        let changes: [(inout MSALTokenValidatorConfiguration) -> Void] = [
            { $0.clientId = " " }, { $0.tenants = .list([]) }, { $0.tenants = .list(["contoso.onmicrosoft.com"]) },
            { $0.clients = [] }, { $0.audiences = [""] }, { $0.clockSkew = .seconds(-1) },
            { $0.maximumRememberedTokens = -1 }, { $0.authority = .url("https://fs.contoso.example/adfs") },
            { $0.resourceMetadata = URL(string: "http://api.contoso.example/") },
            {
                $0.proofs = MSALProofSettings()
                $0.proofs?.certificateHeader = "Client-Cert"
            },
            {
                $0.proofs = MSALProofSettings()
                $0.proofs?.trustedProxies = ["proxy.example"]
            },
        ]
        for change in changes {
            var configuration = MSALTokenValidatorConfiguration(clientId: "api", authority: authority)
            change(&configuration)
            let error = try await failure { () throws(MSALTokenError) in try MSALTokenValidator(configuration) }
            #expect(error.kind == .configuration)
        }
    }

    @Test func `a database of customers is queried once a minute, and only about verified tokens`() async throws {
        let asked = Mutex<[String]>([])
        let api = try APIServer {
            $0.tenants = .decidedBy { tenant in
                asked.withLock { $0.append(tenant) }
                return true
            }
        }
        let forged = try IssuerKey("invented").token(at: api.time.now, header: ["kid": .string("k1")])

        #expect(await check(forged, at: api) == .invalidSignature)
        #expect(asked.withLock { $0 } == [])
        for _ in 0..<3 { #expect(await check(try api.token(), at: api) == nil) }
        #expect(asked.withLock { $0 } == [TestIssuer.tenant])
        api.time.advance(by: .seconds(61))
        #expect(await check(try api.token(), at: api) == nil)
        #expect(asked.withLock { $0.count } == 2)
    }

    @Test func `at most 10,000 results about tenants are kept`() async throws {
        let asked = Mutex(0)
        let rule = try TenantRule(
            .decidedBy { _ in
                asked.withLock { $0 += 1 }
                return true
            },
            authority: .default,
            environment: .double()
        )
        for number in 0..<10_000 { try await rule.check("tenant \(number)") }
        try await rule.check("tenant 0")
        #expect(asked.withLock { $0 } == 10_000)

        // The next result does not fit, so all others are dropped.
        try await rule.check("tenant 10000")
        try await rule.check("tenant 10000")
        #expect(asked.withLock { $0 } == 10_001)
        try await rule.check("tenant 0")
        #expect(asked.withLock { $0 } == 10_002)
    }

    @Test func `the issuer selects the configuration, which checks everything`() async throws {
        let issuer = TestIssuer()
        let time = ManualTime(now: Date(timeIntervalSince1970: 1_790_000_000))
        issuer.serve(keys: .keys([try IssuerKey("k1").published]))
        let customers = MSALTokenValidatorConfiguration(
            clientId: "customers",
            authority: .url("https://contoso.ciamlogin.com/309d6b79-965e-4a32-9ae4-45508201e2bd")
        )
        let staff = MSALTokenValidatorConfiguration(
            clientId: TestIssuer.client,
            authority: .tenant(TestIssuer.tenant)
        )
        let validator = try MSALTokenValidator([customers, staff]) { _ in .double(time: time, transport: issuer) }
        func code(_ claims: [String: JSONValue?]) async throws -> MSALTokenRejection.Code? {
            let token = try IssuerKey("k1").token(at: time.now, claims: claims)
            do throws(MSALTokenRejection) {
                _ = try await validator.validate(authorization: ["Bearer \(token)"], request: MSALRequestFacts())
                return nil
            } catch {
                return error.code
            }
        }

        #expect(try await code(["iss": .string("https://evil.example/\(TestIssuer.tenant)/v2.0")]) == .invalidIssuer)
        #expect(issuer.requests == [])
        #expect(try await code([:]) == nil)
        // The client ID of the other configuration is not accepted.
        #expect(try await code(["aud": .string("customers")]) == .invalidAudience)
    }

    // MARK: Messages

    @Test func `a wrong clock is named in the log`() async throws {
        let lines = LoggedLines()
        let api = try APIServer { $0.logger = lines.logger }
        api.issuer.serve(headers: ["Date": "Mon, 21 Sep 2026 13:13:20 GMT"])

        #expect(await check(try api.token(["exp": .integer(1_789_999_000)]), at: api) == .expired)
        #expect(lines.text.contains("60 minutes ahead"))
    }

    @Test func `a flood of rejections has one line a minute for each reason`() async throws {
        let lines = LoggedLines()
        let api = try APIServer { $0.logger = lines.logger }

        for _ in 0..<50 { _ = await check("a.b.c", at: api) }
        #expect(lines.all.count == 1)
        api.time.advance(by: .seconds(61))
        _ = await check("a.b.c", at: api)
        #expect(lines.all.count == 2)
        #expect(lines.all[1].contains("49"))
    }

    @Test func `the line of a rejection names the claim, its value, and the expected one`() async throws {
        let lines = LoggedLines()
        let api = try APIServer { $0.logger = lines.logger }

        _ = await check(try api.token(["aud": .string("other")]), at: api)
        #expect(lines.text.contains("aud"))
        #expect(lines.text.contains("other"))
        #expect(lines.text.contains(TestIssuer.client))
        _ = await check(try api.token(), at: api, requiring: .scope("Orders.Write"))
        #expect(lines.all[1].contains("Orders.Read"))
        #expect(lines.all[1].contains("Orders.Write"))
        _ = await check(
            try api.token(header: ["kid": .string("k9\n" + String(repeating: "x\u{301}", count: 500))]),
            at: api
        )
        #expect(lines.all[2].contains("k9"))
        #expect(!lines.all[2].contains("\n"))
        #expect(lines.all[2].unicodeScalars.count < 500)
        for part in ["eyJ", "person", "contoso", "pairwise"] { #expect(!lines.text.contains(part)) }
    }

    @Test func `a reason has at most eight lines a minute, and then a count`() async throws {
        let lines = LoggedLines()
        let api = try APIServer { $0.logger = lines.logger }

        for number in 0..<20 { _ = await check(try api.token(["aud": .string("other \(number)")]), at: api) }
        #expect(lines.all.count == 8)
        _ = await check(try api.token(["azp": nil]), at: api)
        #expect(lines.all.count == 9)
        api.time.advance(by: .seconds(61))
        _ = await check(try api.token(["aud": .string("other")]), at: api)
        #expect(lines.all.count == 10)
        #expect(lines.all[9].contains("12"))
    }

    @Test func `the same value has one line a minute`() async throws {
        let lines = LoggedLines()
        let api = try APIServer { $0.logger = lines.logger }

        for _ in 0..<5 { _ = await check(try api.token(["aud": .string("other")]), at: api) }
        #expect(lines.all.count == 1)
    }

    @Test func `no part of a token is in a log line, a description or a mirror`() async throws {
        let lines = LoggedLines()
        let api = try APIServer { $0.logger = lines.logger }
        let token = try api.token()
        let principal = try await api.validator.validate(
            authorization: ["Bearer \(token)"],
            request: MSALRequestFacts()
        )
        let bad = String(token.dropLast(4)) + "AAAA"
        _ = await check(bad, at: api)
        var dumped = ""
        dump(principal, to: &dumped)
        dump(api.validator, to: &dumped)
        dump(principal.validatedToken, to: &dumped)

        let printed = "\(principal) \(String(reflecting: principal)) \(dumped) \(lines.text)"
        for part in ["eyJ", "person", "contoso", TestIssuer.tenant, "pairwise"] { #expect(!printed.contains(part)) }
        #expect(principal.claim("preferred_username")?.string == "person@contoso.example")
        #expect(principal.claim("unknown") == nil)
    }
}
