// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Crypto
import Foundation
import MSAL
import TestSupport
import Testing

@testable import MSALBase
@testable import MSALCore

struct IDTokenCheckTests {
    /// Creates the ID token of a sign-in from valid claims, which contain the nonce of the request.
    typealias Mint = @Sendable (_ good: [String: JSONValue]) -> String?

    /// A client whose sign-in gets the created token.
    private func bench(
        _ configuration: ClientConfiguration = .bench,
        responseHeaders: [String: String] = [:],
        _ mint: @escaping Mint
    ) -> ClientBench {
        let bench = ClientBench(configuration)
        let (agent, now) = (bench.agent, bench.time.now)
        bench.service.setLast(
            .made { _ throws(TransportError) in
                let good = Contoso.claims(at: now, nonce: agent.openedURLs.last?.parameter("nonce"))
                return .json(.object(Contoso.tokens(idToken: mint(good))), headers: responseHeaders)
            }
        )
        return bench
    }

    private func failure(_ bench: ClientBench) async -> NSError? {
        do throws(AuthError) {
            _ = try await bench.client.interactive.acquire(Contoso.interactive())
            return nil
        } catch {
            return error.nsError
        }
    }

    /// Claims that invalidate a token, by the check that has to fail.
    private static let corrupted: [(check: String, changes: [String: JSONValue])] = [
        ("aud", ["aud": .string("another-client")]),
        ("aud", ["aud": .null]),
        ("aud", ["aud": .integer(5)]),
        ("aud", ["aud": .array([.string("another-client"), .integer(5)])]),
        ("azp", ["azp": .string("another-client")]),
        ("azp", ["azp": .integer(5)]),
        ("azp", ["aud": .array([.string(Contoso.clientID), .string("another")]), "azp": .string("another")]),
        ("tid", ["tid": .string("tenant\u{1F}")]),
        ("tid", ["tid": .integer(5)]),
        ("iss", ["iss": .string("https://login.evil.example/\(Contoso.tenant)/v2.0")]),
        ("iss", ["iss": .null]),
        ("exp", ["exp": .integer(1_767_225_600 - 301)]),
        ("exp", ["exp": .null]),
        ("nbf", ["nbf": .integer(1_767_225_600 + 301)]),
        ("nonce", ["nonce": .string("another")]),
        ("nonce", ["nonce": .null]),
        ("sub", ["sub": .null]),
    ]

    @Test(arguments: corrupted.indices)
    func `a sign-in with a bad claim fails, names the check and stores nothing`(_ index: Int) async throws {
        let (check, changes) = Self.corrupted[index]
        let bench = bench { good in Contoso.idToken(good.merging(changes) { $1 }.filter { $0.value != .null }) }

        let error = try #require(await failure(bench))

        #expect(error.userInfo[MSALInternalErrorCodeKey] as? Int == -42600)
        #expect(error.localizedDescription.contains("check of \(check)"))
        #expect(try bench.records().isEmpty)
    }

    @Test(
        arguments: [
            ["aud": .array([.string("https://api.example"), .string(Contoso.clientID)])],
            ["aud": .array([.string(Contoso.clientID), .string("b")]), "azp": .string(Contoso.clientID)],
            ["azp": .null], ["azp": .string("ABCDEF12-0000-0000-0000-000000000001")],
            ["aud": .string("abcdef12-0000-0000-0000-000000000001")],
        ] as [[String: JSONValue]]
    )
    func `a token for this app and others is accepted, in any letter case`(
        _ changes: [String: JSONValue]
    ) async throws {
        var configuration = ClientConfiguration.bench
        let isSpelled = "\(changes)".localizedCaseInsensitiveContains("abcdef12")
        if isSpelled { configuration.app.clientID = "AbCdEf12-0000-0000-0000-000000000001" }
        let own = configuration.app.clientID
        let bench = bench(configuration) { good in
            let good = good.merging(["aud": .string(own)]) { $1 }
            return Contoso.idToken(good.merging(changes) { $1 }.filter { $0.value != .null })
        }

        #expect(await failure(bench) == nil)
    }

    @Test(arguments: [true, false])
    func `an unsigned token is rejected, whether or not signatures are checked`(
        _ verifies: Bool
    ) async throws {
        var configuration = ClientConfiguration.bench
        configuration.verifiesIDTokenSignature = verifies
        for unsigned in Contoso.unsigned {
            let signIn = bench(configuration) { unsigned(Contoso.idToken($0)) }
            let error = try #require(await failure(signIn))
            #expect(error.localizedDescription.contains("check of alg"))
            #expect(try signIn.records().isEmpty)

            let renewal = ClientBench(configuration)
            try renewal.seed(Contoso.refreshToken(), Contoso.accountRecord, Contoso.idTokenRecord(at: renewal.time.now))
            let before = try Set(renewal.records())
            let idToken = unsigned(Contoso.idToken(Contoso.claims(at: renewal.time.now)))
            renewal.service.append([.reply(.json(.object(Contoso.tokens(idToken: idToken))))])
            let refusal = await #expect(throws: AuthError.self) {
                try await renewal.client.silent.acquire(Contoso.silent())
            }
            #expect(refusal?.message.contains("check of alg") == true)
            #expect(try Set(renewal.records()) == before)
        }
    }

    @Test func `a sign-in without an ID token fails and stores nothing`() async throws {
        let bench = bench { _ in nil }

        let error = try #require(await failure(bench))

        #expect(error.userInfo[MSALInternalErrorCodeKey] as? Int == -42600)
        #expect(try bench.records().isEmpty)
    }

    @Test(arguments: [-299, 299])
    func `five minutes of leeway are allowed`(_ seconds: Int64) async throws {
        let bench = bench { good in
            Contoso.idToken(good.merging([seconds < 0 ? "exp" : "nbf": .integer(1_767_225_600 + seconds)]) { $1 })
        }

        #expect(await failure(bench) == nil)
    }

    @Test func `a wrong clock is detected by the Date header`() async throws {
        let bench = bench(responseHeaders: ["Date": "Wed, 31 Dec 2025 22:00:00 GMT"]) { good in
            Contoso.idToken(good.merging(["exp": .integer(1_767_225_600 - 3600)]) { $1 })
        }

        let error = try #require(await failure(bench))

        #expect(error.localizedDescription.contains("120 minutes ahead of"))
    }

    @Test func `without keys the result stays unverified`() async throws {
        let bench = bench { Contoso.idToken($0) }

        let result = try await bench.client.interactive.acquire(Contoso.interactive())

        #expect(!result.isIDTokenSignatureVerified)
        #expect(result.isPersisted)
        #expect(bench.service.messages.contains { $0.url.path().hasSuffix("/keys") })
    }

    @Test func `a sign-in that is canceled before the keys arrive is canceled`() async throws {
        let bench = bench { good in
            withUnsafeCurrentTask { $0?.cancel() }  // The response is on its way.
            return Contoso.idToken(good)
        }

        let error = await Task { await failure(bench) }.value

        #expect(error?.code == MSALError.userCanceled.rawValue)
        #expect(try bench.records().isEmpty)
    }

    @Test func `a signature by a published key is verified`() async throws {
        let signer = P256.Signing.PrivateKey()
        let bench = bench { good in try? signer.idToken(good) }  // A failure shows as a missing token.
        bench.service.setKeys(signer.keySet)

        let result = try await bench.client.interactive.acquire(Contoso.interactive())

        #expect(result.isIDTokenSignatureVerified)
    }

    @Test func `a signature by another key fails and stores nothing`() async throws {
        let forger = P256.Signing.PrivateKey()
        let bench = bench { good in try? forger.idToken(good) }  // A failure shows as a missing token.
        bench.service.setKeys(P256.Signing.PrivateKey().keySet)

        let error = try #require(await failure(bench))

        #expect(error.localizedDescription.contains("check of signature"))
        #expect(try bench.records().isEmpty)
    }

    @Test func `with signature checks disabled no keys are fetched, and the other checks remain`() async throws {
        var configuration = ClientConfiguration.bench
        configuration.verifiesIDTokenSignature = false
        let forger = P256.Signing.PrivateKey()
        let unsigned = bench(configuration) { good in try? forger.idToken(good) }  // A failure: a missing token.
        unsigned.service.setKeys(P256.Signing.PrivateKey().keySet)

        let result = try await unsigned.client.interactive.acquire(Contoso.interactive())

        #expect(!result.isIDTokenSignatureVerified)
        #expect(!unsigned.service.messages.contains { $0.url.path().hasSuffix("/keys") })
        for (check, changes) in Self.corrupted {
            let corrupted = bench(configuration) { good in
                Contoso.idToken(good.merging(changes) { $1 }.filter { $0.value != .null })
            }
            let error = try #require(await failure(corrupted))
            #expect(error.localizedDescription.contains("check of \(check)"))
        }
    }

    @Test(
        arguments: [
            ("aud", .string("https://foreign.example")), ("iss", .string("https://foreign.example")),
            ("sub", .string("https://foreign.example")), ("exp", .integer(1_767_225_600 - 301)),
            ("aud", .integer(5)), ("iss", .integer(5)), ("iss", .string("")), ("exp", .string("never")),
            ("azp", .string("https://foreign.example")), ("tid", .string("tenant\u{7F}")),
        ] as [(String, JSONValue)]
    )
    func `a refresh with an invalid ID token fails and keeps the store`(
        _ claim: String,
        _ value: JSONValue
    ) async throws {
        let bench = ClientBench()
        try bench.seed(Contoso.refreshToken(), Contoso.accountRecord, Contoso.idTokenRecord(at: bench.time.now))
        let claims = Contoso.claims(at: bench.time.now).merging([claim: value]) { $1 }
        bench.service.append([.reply(.json(.object(Contoso.tokens(idToken: Contoso.idToken(claims)))))])
        let before = try Set(bench.records())

        let error = await #expect(throws: AuthError.self) { try await bench.client.silent.acquire(Contoso.silent()) }

        #expect(error?.message.contains("check of \(claim)") == true)
        #expect(try Set(bench.records()) == before)
        #expect(!bench.service.messages.contains { $0.url.path().hasSuffix("/keys") })
    }
}

/// What a renewed ID token may change about its displayed user.
struct RenewedProfileTests {
    /// A client whose next refresh returns a token with another name, created by `mint`.
    private func bench(
        _ bench: ClientBench = ClientBench(),
        _ mint: ([String: JSONValue]) throws -> String
    ) throws -> ClientBench {
        let claims = Contoso.claims(at: bench.time.now).merging(
            [
                "preferred_username": .string("mallory@evil.example"), "name": .string("Mallory"),
                "oid": .string("other"),
            ]
        ) { $1 }
        bench.service.setLast(.reply(.json(.object(Contoso.tokens(idToken: try mint(claims))))))
        return bench
    }

    private func renew(_ bench: ClientBench) async throws -> TokenResult {
        try await bench.client.silent.acquire(Contoso.silent(forceRefresh: true))
    }

    private func storedAccount(_ bench: ClientBench) throws -> AccountRecord? {
        for case .account(let account) in try bench.records() { return account }
        return nil
    }

    @Test(arguments: [Contoso.environment, "login.microsoftonline.com"])
    func `the user stays as stored if the new token cannot be verified`(_ environment: String) async throws {
        let bench = try bench { Contoso.idToken($0) }
        var account = AccountRecord(
            homeAccountID: Contoso.homeAccountID,
            environment: environment,
            realm: Contoso.tenant,
            localAccountID: "user-1",
            username: Contoso.username
        )
        account.name = "Amy"
        try bench.seed(Contoso.refreshToken(), .account(account))

        let result = try await renew(bench)

        #expect(result.account.username == Contoso.username)
        #expect(result.tenantProfile.identifier == "user-1")
        #expect(result.idToken != nil && !result.isIDTokenSignatureVerified)
        #expect(try bench.client.accounts.all().map(\.username) == [Contoso.username])
        for case .account(let stored) in try bench.records() {
            #expect(stored.username == Contoso.username)
            #expect(stored.name == "Amy")
            #expect(stored.localAccountID == "user-1")
        }
    }

    @Test func `data of the user that the store lacks are taken from the new token`() async throws {
        let bench = try bench { Contoso.idToken($0) }
        let nameless = AccountRecord(
            homeAccountID: Contoso.homeAccountID,
            environment: Contoso.environment,
            realm: Contoso.tenant,
            username: ""
        )
        try bench.seed(Contoso.refreshToken(), .account(nameless))

        let result = try await renew(bench)

        #expect(result.account.username == "mallory@evil.example")
        #expect(try storedAccount(bench)?.name == "Mallory")
    }

    @Test func `a verified token replaces the data of the user`() async throws {
        let signer = P256.Signing.PrivateKey()
        var configuration = ClientConfiguration.bench
        // A refresh goes to the account's tenant and uses its cached keys.
        let authority = configuration.authorityRules.configured
        configuration.authorityRules.configured = authority.replacingTenant(Contoso.tenant)
        let bench = ClientBench(configuration)
        bench.service.setKeys(signer.keySet)
        let (agent, now) = (bench.agent, bench.time.now)
        bench.service.setLast(
            .made { _ throws(TransportError) in
                let claims = Contoso.claims(at: now, nonce: agent.openedURLs.last?.parameter("nonce"))
                // A failure shows as a missing token.
                return .json(.object(Contoso.tokens(idToken: try? signer.idToken(claims))))
            }
        )
        #expect(try await bench.client.interactive.acquire(Contoso.interactive()).isIDTokenSignatureVerified)

        let result = try await renew(try self.bench(bench) { try signer.idToken($0) })

        #expect(result.isIDTokenSignatureVerified)
        #expect(result.account.username == "mallory@evil.example")
        #expect(try storedAccount(bench)?.name == "Mallory")
    }

    @Test func `a response without an ID token leaves the user as stored`() async throws {
        let bench = ClientBench()
        bench.service.setLast(.reply(.json(.object(Contoso.tokens(idToken: nil)))))
        try bench.seed(Contoso.refreshToken(), Contoso.accountRecord)
        var account = Contoso.account
        account.username = nil
        let request = Contoso.silent(account: account, forceRefresh: true)

        let result = try await bench.client.silent.acquire(request)

        #expect(result.account.username == Contoso.username)
        #expect(try storedAccount(bench)?.username == Contoso.username)
    }
}

extension P256.Signing.PrivateKey {
    fileprivate func idToken(_ claims: [String: JSONValue]) throws -> String {
        let header = Base64URL.encode(Array(#"{"alg":"ES256","kid":"k1"}"#.utf8))
        let signed = "\(header).\(Base64URL.encode(Array(JSONValue.object(claims).text.utf8)))"
        return "\(signed).\(Base64URL.encode(try signature(for: Data(signed.utf8)).rawRepresentation))"
    }

    fileprivate var keySet: HTTPResponse {
        let raw = publicKey.rawRepresentation
        return .json(
            .object([
                "keys": .array([
                    .object([
                        "kty": .string("EC"), "crv": .string("P-256"), "kid": .string("k1"), "use": .string("sig"),
                        "x": .string(Base64URL.encode(raw.prefix(32))),
                        "y": .string(Base64URL.encode(raw.suffix(32))),
                    ])
                ])
            ])
        )
    }
}
