// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import SealedStore
import TestSupport
import Testing

@testable import MSAL
@testable import MSALBase
@testable import MSALCore

/// How the tokens of a native sign-in are stored.
@Suite(.timeLimit(.minutes(1)))
struct TokenStoringTests {
    private func submit(_ tokens: JSONValue, store: MemoryStore) async throws -> NativeAuth.CredentialStep {
        let bench = try CoreBench(ScriptedTransport(.answer(tokens)), store: store)
        return try await bench.client.submitCode(
            Secret("secret-code"),
            in: NativeAuth.SignInCode(continuation: Lee.continuation)
        )
    }

    private func bench(_ store: MemoryStore, responses: ScriptedTransport.Response...) throws -> CoreBench {
        try CoreBench(ScriptedTransport(responses), store: store)
    }

    @Test func `tokens are saved in the store that silent calls read`() async throws {
        let store = MemoryStore()
        _ = try await submit(Lee.tokens(), store: store)
        let bench = try bench(store)

        let user = try #require(bench.client.userAccount())
        var request = NativeAuth.AccessTokenRequest(account: user.account.reference)
        request.scopes = ["API://A/read"]
        request.wantsRefreshToken = true
        let token = try await bench.client.accessToken(request)

        #expect(user.account.homeAccountID == Lee.homeAccountID)
        #expect(user.account.username == "lee@contoso.example")
        #expect(user.account.claims?.objectID == "lee")
        #expect(token.result.accessToken == Secret("secret-access-token"))
        #expect(token.result.source == .cache)
        #expect(token.refreshToken == Secret("secret-refresh-token"))
    }

    @Test func `an account of the family's other apps does not hide the app's own`() async throws {
        let store = MemoryStore()
        _ = try await submit(Lee.tokens(), store: store)
        let host = "contoso.ciamlogin.com"
        try store.write(.normal) { (transaction) throws(StoreError) in
            let kin = "a.\(Lee.tenant)"  // It is before Lee in the order of accounts.
            try transaction.save(.account(AccountRecord(homeAccountID: kin, environment: host, realm: Lee.tenant)))
            try transaction.save(
                .appMetadata(AppMetadataRecord(clientID: Lee.clientID, environment: host, familyID: "1"))
            )
            try transaction.save(
                .refreshToken(
                    RefreshTokenRecord(
                        homeAccountID: kin,
                        environment: host,
                        clientID: "another app",
                        secret: Secret("secret-refresh-token"),
                        familyID: "1"
                    )
                )
            )
        }
        let client = try bench(store).client
        let accounts = try client.tokens.cache.accounts(environments: nil, onlySignedIn: true)
        #expect(accounts.map(\.isFamilyOnly) == [true, false])

        #expect(client.userAccount()?.account.homeAccountID == Lee.homeAccountID)
    }

    @Test func `another user replaces the first one`() async throws {
        let store = MemoryStore()
        _ = try await submit(Lee.tokens(), store: store)

        _ = try await submit(Lee.tokens(uid: "kim"), store: store)

        let bench = try bench(store)
        #expect(bench.client.userAccount()?.account.username == "kim@contoso.example")
        let failure = await #expect(throws: NativeAuthFailure.self) {
            try await bench.client.accessToken(NativeAuth.AccessTokenRequest(account: Lee.reference))
        }
        #expect(failure?.kind == .general)
        let owners = try bench.records().filter { $0.kind != .account }.count
        #expect(owners == 3)
    }

    @Test func `the same user's tokens for other services are removed as well`() async throws {
        let store = MemoryStore()
        _ = try await submit(Lee.tokens(scope: "api://a/Read"), store: store)

        _ = try await submit(Lee.tokens(scope: "api://b/Read"), store: store)

        let records = try bench(store).records()
        #expect(records.count { $0.kind == .accessToken } == 1)
    }

    /// What replaces members of a good response, or claims of its ID token. Tests print their arguments, so the token is
    /// made where it is needed.
    fileprivate struct Change: Sendable {
        var members: [String: JSONValue] = [:]
        var claims: [String: JSONValue] = [:]

        var overrides: [String: JSONValue] {
            guard !claims.isEmpty else { return members }
            return members.merging(["id_token": .string(Lee.idToken(claims))]) { _, token in token }
        }
    }

    @Test(arguments: [
        Change(members: ["client_info": .null]), Change(members: ["client_info": .string("e30")]),
        Change(members: ["token_type": .string("MAC")]), Change(members: ["access_token": .null, "id_token": .null]),
        Change(members: ["error": .string("invalid_grant")]), Change(members: ["id_token": .string("no token")]),
        Change(members: ["access_token": .string("a\r\nX-Evil: 1")]),
        Change(claims: ["aud": .string("other")]), Change(claims: ["iss": .string("https://evil.example/v2.0")]),
        Change(claims: ["iss": .string("http://contoso.ciamlogin.com")]),
        Change(claims: ["exp": .integer(1_000_000_000)]), Change(claims: ["sub": .string("somebody else")]),
    ])
    fileprivate func `a response that fails a check leaves the earlier account signed in`(_ change: Change) async throws
    {
        let store = MemoryStore()
        _ = try await submit(Lee.tokens(), store: store)
        let before = try bench(store).records()

        let failure = await #expect(throws: NativeAuthFailure.self) {
            try await submit(Lee.tokens(change.overrides), store: store)
        }

        #expect(failure?.kind == .general)
        #expect(failure?.errorDescription == "General error")
        #expect(failure?.underlying != nil)
        #expect(try bench(store).records() == before)
        #expect(try bench(store).client.userAccount() != nil)
    }

    @Test func `a sign-in without ID token succeeds, and there is no account to find`() async throws {
        let store = MemoryStore()

        let step = try await submit(Lee.tokens(["id_token": .null, "expires_in": .string("60")]), store: store)

        guard case .completed(let result) = step else {
            Issue.record("It is not completed.")
            return
        }
        #expect(result.account.username == Lee.username)
        #expect(result.expiresOn.timeIntervalSince(ManualTime().now) == 60)
        #expect(try bench(store).client.userAccount() == nil)
    }

    @Test func `a renewed token of another user is rejected and not stored`() async throws {
        let store = MemoryStore()
        _ = try await submit(Lee.tokens(), store: store)
        let metadata = ScriptedTransport.Response.json(
            """
            {"issuer":"https://contoso.ciamlogin.com/\(Lee.tenant)/v2.0",\
            "authorization_endpoint":"https://contoso.ciamlogin.com/a","token_endpoint":"https://contoso.ciamlogin.com/t"}
            """,
            to: "openid-configuration"
        )
        let bench = try bench(store, responses: metadata, .answer(Lee.tokens(uid: "kim"), to: "/t"))
        let before = try bench.records()
        var request = NativeAuth.AccessTokenRequest(account: Lee.reference)
        request.forceRefresh = true

        let failure = await #expect(throws: NativeAuthFailure.self) {
            try await bench.client.accessToken(request)
        }

        #expect(failure?.kind == .general)
        #expect(try bench.records() == before)
    }

    @Test func `after sign-out nothing is left to renew with`() async throws {
        let store = MemoryStore()
        _ = try await submit(Lee.tokens(), store: store)
        let bench = try bench(store)

        bench.client.signOut(Lee.reference)

        #expect(bench.client.userAccount() == nil)
        let failure = await #expect(throws: NativeAuthFailure.self) {
            try await bench.client.accessToken(NativeAuth.AccessTokenRequest(account: Lee.reference))
        }
        #expect(failure?.underlying != nil)
    }

    @Test func `cached signing keys are used, and none are fetched`() async throws {
        let base = "https://contoso.ciamlogin.com/contoso.onmicrosoft.com"
        // The base point of P-256 as public key: its private key is 1.
        let key = """
            {"kty":"EC","crv":"P-256","kid":"k1","use":"sig","x":"axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY","y":"T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU"}
            """
        let transport = ScriptedTransport(
            .json(
                """
                {"issuer":"\(base)/v2.0","authorization_endpoint":"\(base)/a","token_endpoint":"\(base)/t",\
                "jwks_uri":"\(base)/keys"}
                """,
                to: "openid-configuration"
            ),
            .json(#"{"keys":[\#(key)]}"#, to: "keys")
        )
        let bench = try CoreBench(transport)
        let tokens = bench.client.tokens
        let resolved = try await tokens.authorities.resolve(
            tokens.configuration.authorityRules.configured,
            policy: tokens.configuration.authorityRules.policy,
            correlationID: UUID()
        )
        _ = try await tokens.authorities.keys(for: resolved.configuration, keyID: "k1", correlationID: UUID())
        let header = Base64URL.encode(Array(#"{"alg":"ES256","kid":"k1"}"#.utf8))
        let payload = Lee.idToken(["iss": .string("\(base)/v2.0")]).split(separator: ".")[1]
        let forged = "\(header).\(payload).\(Base64URL.encode(Array(repeating: 7, count: 64)))"
        transport.append(.answer(Lee.tokens(["id_token": .string(forged)]), to: "token"))

        let failure = await #expect(throws: NativeAuthFailure.self) {
            try await bench.client.submitCode(
                Secret("secret-code"),
                in: NativeAuth.SignInCode(continuation: Lee.continuation)
            )
        }

        #expect(failure?.underlying?.message.contains("signature") == true)
        let records = try bench.records()
        #expect(records.isEmpty)
        try transport.verify()
    }

    @Test func `a sign-in that continues in the browser replaces the account as well`() async throws {
        let base = "https://contoso.ciamlogin.com/contoso.onmicrosoft.com"
        let store = MemoryStore()
        _ = try await submit(Lee.tokens(), store: store)
        let agent = StubAgent { visit, _ throws(AgentError) in ["code": "secret-code", "state": visit.expectedState] }
        let transport = ScriptedTransport(
            .json(
                """
                {"issuer":"\(base)/v2.0","authorization_endpoint":"\(base)/a","token_endpoint":"\(base)/t"}
                """,
                to: "openid-configuration"
            ),
            ScriptedTransport.Response("tokens") { _ throws(TransportError) in
                let url = agent.openedURLs.last.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: false) }
                let nonce = url?.queryItems?.first { $0.name == "nonce" }?.value ?? ""
                let idToken = Lee.idToken(["nonce": .string(nonce), "iss": .string("\(base)/v2.0")], uid: "kim")
                let answer = Lee.tokens(uid: "kim", ["id_token": .string(idToken)])
                return HTTPResponse(status: 200, body: Data(answer.text.utf8))
            }
        )
        let bench = try CoreBench(transport, store: store, agent: agent) { $0.hasRedirectURI = true }
        var request = InteractiveRequest(token: TokenRequest(scopes: ScopeSet(["api://a/Read"])))
        request.loginHint = "kim@contoso.example"
        request.prompt = .create

        _ = try await bench.client.signInWithBrowser(request)

        let url = try #require(agent.openedURLs.last?.absoluteString)
        #expect(url.contains("prompt=create") && url.contains("login_hint=kim"))
        #expect(bench.client.userAccount()?.account.username == "kim@contoso.example")
        let failure = await #expect(throws: NativeAuthFailure.self) {
            try await bench.client.accessToken(NativeAuth.AccessTokenRequest(account: Lee.reference))
        }
        #expect(failure?.kind == .general)
    }

    @Test func `without a redirect URI no browser opens`() async throws {
        let transport = ScriptedTransport()
        let bench = try CoreBench(transport)

        let error = await #expect(throws: AuthError.self) {
            try await bench.client.signInWithBrowser(InteractiveRequest(token: TokenRequest(scopes: ScopeSet([]))))
        }

        guard case .invalidRedirectURI = error?.kind else {
            Issue.record("Another error: \(String(describing: error))")
            return
        }
        #expect(transport.messages.isEmpty)
    }
}
