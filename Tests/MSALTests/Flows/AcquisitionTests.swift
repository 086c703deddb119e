// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Crypto
import Foundation
import MSAL
import SealedStore
import Synchronization
import TestSupport
import Testing

@testable import MSALBase
@testable import MSALCore

struct AcquisitionTests {
    /// A client whose sign-ins get valid tokens with these differences.
    private func bench(
        _ configuration: ClientConfiguration = .bench,
        store: any TokenStore = MemoryStore(),
        _ overrides: [String: JSONValue] = [:]
    ) -> ClientBench {
        let bench = ClientBench(configuration, store: store)
        let (agent, now) = (bench.agent, bench.time.now)
        bench.service.setLast(
            .made { _ throws(TransportError) in
                let claims = Contoso.claims(at: now, nonce: agent.openedURLs.last?.parameter("nonce"))
                return .json(.object(Contoso.tokens(idToken: Contoso.idToken(claims), overrides)))
            }
        )
        return bench
    }

    @Test func `the authorization request carries PKCE, state and nonce, fresh each time`() async throws {
        let bench = bench()

        for _ in 0..<2 { _ = try await bench.client.interactive.acquire(Contoso.interactive()) }

        let urls = bench.agent.openedURLs
        for name in ["state", "nonce", "code_challenge"] { #expect(Set(urls.map { $0.parameter(name) }).count == 2) }
        let url = try #require(urls.last)
        #expect(url.parameter("code_challenge_method") == "S256")
        #expect(url.parameter("response_type") == "code")
        #expect(Base64URL.decode(url.parameter("nonce") ?? "")?.count == 32)
        let verifier = try #require(bench.service.tokenRequests.last?.form["code_verifier"])
        #expect(url.parameter("code_challenge") == Base64URL.encode(Array(SHA256.hash(data: Data(verifier.utf8)))))
        #expect(!url.absoluteString.contains(verifier))
    }

    @Test func `extra query parameters cannot replace security parameters`() async throws {
        let names = [
            "state", "nonce", "code_challenge", "code_challenge_method", "prompt", "client_info",
        ]
        var configuration = ClientConfiguration.bench
        configuration.app.extraQueryParameters = Dictionary(uniqueKeysWithValues: names.map { ($0, "mine") })
        let bench = bench(configuration)
        var request = Contoso.interactive()
        request.prompt = .login
        request.token.extraQueryParameters = configuration.app.extraQueryParameters.merging(["slice": "test"]) { $1 }

        _ = try await bench.client.interactive.acquire(request)

        let url = try #require(bench.agent.openedURLs.last)
        for name in names { #expect(url.parameter(name) != "mine", "\(name)") }
        #expect(url.parameter("prompt") == "login")
        #expect(url.parameter("slice") == "test")
        let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        #expect(Set(items.map(\.name)).count == items.count)
    }

    @Test func `a page whose address is longer than any server accepts is not opened`() async throws {
        var configuration = ClientConfiguration.bench
        configuration.app.extraQueryParameters = ["slice": String(repeating: "a", count: 16_384)]
        let bench = bench(configuration)

        let signIn = await #expect(throws: AuthError.self) {
            try await bench.client.interactive.acquire(Contoso.interactive())
        }
        var request = SignOutRequest(account: Contoso.account)
        request.signsOutFromBrowser = true
        request.extraQueryParameters = configuration.app.extraQueryParameters
        let asked = request
        let signOut = await #expect(throws: AuthError.self) { try await bench.signOut(asked) }

        for error in [signIn, signOut] {
            #expect(error?.nsError.userInfo[MSALInternalErrorCodeKey] as? Int == -42000)
            #expect(error?.message.contains("at most 16384 are accepted") == true)
        }
        #expect(bench.agent.openedURLs.isEmpty)
    }

    @Test func `more scopes than any API has are neither requested nor accepted`() async throws {
        let many = (0...ScopeSet.most).map { "s\($0)" }
        let bench = bench(.bench, ["scope": .string(many.joined(separator: " "))])

        let answered = await #expect(throws: AuthError.self) {
            try await bench.client.interactive.acquire(Contoso.interactive())
        }
        #expect(answered?.message.contains("2000 is the limit. Nothing was stored.") == true)
        #expect(try bench.records().isEmpty)

        let asked = bench.service.tokenRequests.count
        var request = Contoso.interactive()
        request.token.scopes = ScopeSet(many)
        let interactive = request
        let silent = Contoso.silent { $0.scopes = ScopeSet(many) }
        request.token.scopes = ScopeSet(["user.read"])
        request.extraScopesToConsent = ScopeSet(many)
        let consent = request
        let errors = [
            await #expect(throws: AuthError.self) { try await bench.client.interactive.acquire(interactive) },
            await #expect(throws: AuthError.self) { try await bench.client.interactive.acquire(consent) },
            await #expect(throws: AuthError.self) { try await bench.client.silent.acquire(silent) },
        ]
        for error in errors { #expect(error?.message.contains("the limit is 2000") == true) }
        #expect(bench.service.tokenRequests.count == asked)
    }

    @Test func `declined scopes come with a usable result, and the sign-in is saved`() async throws {
        let bench = bench()
        try bench.seed(Contoso.refreshToken(), Contoso.accountRecord)
        bench.service.append([.reply(.json(.object(["error": .string("invalid_grant")]), status: 400))])
        await #expect(throws: AuthError.self) { try await bench.client.silent.acquire(Contoso.silent("mail.read")) }

        let error = await #expect(throws: AuthError.self) {
            try await bench.client.interactive.acquire(Contoso.interactive("user.read mail.read"))
        }

        let userInfo = try #require(error?.nsError.userInfo)
        let result = try #require(userInfo[MSALInvalidResultKey] as? MSALResult)
        let token: String = result.accessToken
        #expect(token == "secret-new-access-token")
        #expect(userInfo[MSALDeclinedScopesKey] as? [String] == ["mail.read"])
        #expect(try await bench.client.silent.acquire(Contoso.silent()).source == .cache)
        // The scopes that the service declined before the sign-in are requested again.
        let earlier = bench.service.tokenRequests.count
        _ = await #expect(throws: AuthError.self) {
            try await bench.client.silent.acquire(Contoso.silent("mail.read"))
        }
        #expect(bench.service.tokenRequests.count == earlier + 1)
    }

    @Test func `a store that cannot be written does not fail a sign-in`() async throws {
        let bench = bench(store: ReadOnlyStore())

        let result = try await bench.client.interactive.acquire(Contoso.interactive())

        #expect(result.accessToken.exposed == "secret-new-access-token")
        #expect(!result.isPersisted)
    }

    @Test func `sign-out removes the tokens before the browser opens, even if the browser fails`() async throws {
        let store = MemoryStore()
        let remaining = { @Sendable () throws(StoreError) -> Int in
            try store.read { transaction throws(StoreError) in
                try transaction.records(RecordFilter(.refreshToken)).count
            }
        }
        let agent = StubAgent { _, _ throws(AgentError) in
            let count = (try? remaining()) ?? -1  // The message carries the result.
            throw AgentError(.noBrowser, message: "\(count) left")
        }
        let bench = ClientBench(agent: agent, store: store)
        try bench.seed(Contoso.refreshToken(), Contoso.accountRecord)
        var request = SignOutRequest(account: Contoso.account)
        request.signsOutFromBrowser = true

        let error = await #expect(throws: AuthError.self) { try await bench.signOut(request) }

        #expect(error?.message == "0 left")
    }

    @Test func `closing the sign-out page signs the user out, and canceling it is an error`() async throws {
        var request = SignOutRequest(account: Contoso.account)
        request.signsOutFromBrowser = true
        try await ClientBench(agent: .failing(.canceled)).signOut(request)

        let time = ManualTime()
        let bench = ClientBench(time: time, agent: .waiting(time))
        let signOut = Task { [request] in try await bench.signOut(request) }
        await time.untilSomebodySleeps()
        signOut.cancel()
        let outcome = await signOut.result

        let error = #expect(throws: AuthError.self) { try outcome.get() }
        #expect(error?.nsError.code == MSALError.userCanceled.rawValue)
    }

    @Test(arguments: [(AgentError.Kind.timedOut, SignOutOutcome.timedOut), (.canceled, .closed)])
    func `a sign-out that the service did not confirm succeeds and says so`(
        _ kind: AgentError.Kind,
        _ outcome: SignOutOutcome
    ) async throws {
        let reported = Mutex<[SignOutOutcome]>([])
        var request = SignOutRequest(account: Contoso.account)
        request.signsOutFromBrowser = true
        request.onOutcome = { outcome in reported.withLock { $0.append(outcome) } }

        try await ClientBench(agent: .failing(kind)).signOut(request)

        #expect(reported.withLock { $0 } == [outcome])
    }

    @Test func `a redirect ends a sign-out, and the page receives a hint for the session`() async throws {
        let reported = Mutex<[SignOutOutcome]>([])
        let bench = ClientBench()
        var request = SignOutRequest(account: Contoso.account)
        request.signsOutFromBrowser = true
        request.logoutHint = "opaque-hint"
        request.onOutcome = { outcome in reported.withLock { $0.append(outcome) } }

        try await bench.signOut(request)

        #expect(reported.withLock { $0 } == [.ended])
        #expect(bench.agent.openedURLs.last?.parameter("logout_hint") == "opaque-hint")
    }

    @Test func `an authority without a sign-out page causes an error that names the outcome`() async throws {
        let reported = Mutex<[SignOutOutcome]>([])
        let bench = ClientBench()
        bench.service.setDiscovery(.overridden(["end_session_endpoint": .null]))
        var request = SignOutRequest(account: Contoso.account)
        request.signsOutFromBrowser = true
        request.onOutcome = { outcome in reported.withLock { $0.append(outcome) } }

        await #expect(throws: AuthError.self) { try await bench.signOut(request) }

        #expect(reported.withLock { $0 } == [.notOffered])
    }

    @Test func `a protection policy is reported with the requested account`() async throws {
        let bench = ClientBench()
        let refusal: JSONValue = .object([
            "error": .string("unauthorized_client"), "suberror": .string("protection_policy_required"),
            "adi": .string(Contoso.username),
        ])
        bench.service.setLast(.reply(.json(refusal, status: 400)))
        var request = Contoso.interactive()
        request.account = Contoso.account

        let failure = await #expect(throws: AuthError.self) { try await bench.client.interactive.acquire(request) }

        let error = try #require(failure?.nsError)
        #expect(error.code == MSALError.serverProtectionPoliciesRequired.rawValue)
        #expect(error.userInfo[MSALHomeAccountIdKey] as? String == Contoso.homeAccountID)
        #expect(error.userInfo[MSALDisplayableUserIdKey] as? String == Contoso.username)
        #expect(error.userInfo[MSALOAuthErrorKey] as? String == "unauthorized_client")
    }

    @Test func `the sign-out page is on the cloud's preferred host`() async throws {
        var configuration = ClientConfiguration.bench
        let url = try #require(URL(string: "https://login.windows.net/common"))
        configuration.authorityRules.configured = try .aad(url)
        let bench = bench(configuration)
        bench.service.setDiscovery(
            .overridden(["end_session_endpoint": .string("https://login.windows.net/common/oauth2/v2.0/logout")])
        )
        var request = SignOutRequest(account: Contoso.account)
        request.signsOutFromBrowser = true

        try await bench.signOut(request)

        #expect(bench.agent.openedURLs.map { $0.host() } == ["login.microsoftonline.com"])
    }

    @Test func `a locked keyring does not block a sign-in, which then asks for the password`() async throws {
        let bench = bench(store: KeylessStore())
        var request = Contoso.interactive()
        request.account = Contoso.account

        let result = try await bench.client.interactive.acquire(request)

        #expect(result.accessToken.exposed == "secret-new-access-token")
        #expect(!result.isPersisted)
        #expect(bench.agent.openedURLs.last?.parameter("prompt") == "login")
    }

    @Test(arguments: ["{\"access_token\":\"secret-new-acc", "", "<html>Sign in to the network</html>", "[]", "null"])
    func `a response that is not a JSON object is rejected without showing it`(_ body: String) async throws {
        let bench = ClientBench()
        bench.service.setLast(.reply(HTTPResponse(status: 200, body: Data(body.utf8))))

        let error = await #expect(throws: AuthError.self) {
            try await bench.client.interactive.acquire(Contoso.interactive())
        }

        #expect(error?.nsError.userInfo[MSALInternalErrorCodeKey] as? Int == -42600)
        #expect(error?.message.contains("JSON") == true)
        #expect(error?.message.contains("secret") == false)
        #expect(try bench.records().isEmpty)
    }

    @Test func `a code is not redeemed again if the service may have received it`() async throws {
        let bench = bench()

        _ = try await bench.client.interactive.acquire(Contoso.interactive())

        let redemption = try #require(bench.service.tokenRequests.last)
        #expect(redemption.form["grant_type"] == "authorization_code")
        #expect(redemption.repetition == .unlessSent)
    }

    @Test func `a response that is too large is rejected`() async throws {
        let bench = ClientBench()
        bench.service.setLast(.failure(.responseTooLarge(limit: 1_048_576)))

        let error = await #expect(throws: AuthError.self) {
            try await bench.client.interactive.acquire(Contoso.interactive())
        }

        #expect(error?.nsError.userInfo[MSALInternalErrorCodeKey] as? Int == -42600)
    }

    @Test func `no text of a result shows a secret`() async throws {
        let bench = bench()

        let result = try await bench.client.interactive.acquire(Contoso.interactive())

        let idToken = try #require(result.idToken?.exposed)
        for text in texts(of: result) + [MSALResult(result).description, String(reflecting: MSALResult(result))] {
            for secret in Contoso.secrets + [idToken, "code-1"] { #expect(!text.contains(secret)) }
        }
    }

    @Test(arguments: [400, 200, 500, 429, 302])
    func `no text of an error shows a secret`(_ status: Int) async throws {
        let bench = bench()
        try bench.seed(
            Contoso.refreshToken(),
            Contoso.accountRecord,
            Contoso.accessToken(expiresIn: -10, at: bench.time.now)
        )
        let members: [String: JSONValue] = status == 400 ? ["error": .string("invalid_grant")] : ["client_info": .null]
        let reply = HTTPResponse.json(.object(Contoso.tokens(idToken: nil).merging(members) { $1 }), status: status)
        bench.service.append([.reply(reply), .reply(reply), .reply(reply), .reply(reply)])
        var errors: [AuthError] = []

        do throws(AuthError) {
            _ = try await bench.client.silent.acquire(Contoso.silent())
        } catch {
            errors.append(error)
        }
        do throws(AuthError) {
            _ = try await bench.client.interactive.acquire(Contoso.interactive())
        } catch {
            errors.append(error)
        }

        let verifiers = bench.service.tokenRequests.compactMap { $0.form["code_verifier"] }
        #expect(!errors.isEmpty)
        for text in errors.flatMap({ texts(of: $0) + [$0.nsError.description, "\($0.nsError.userInfo)"] }) {
            for secret in Contoso.secrets + verifiers + ["code-1"] { #expect(!text.contains(secret)) }
        }
    }

    /// Everything a program could print of a value.
    private func texts(of value: Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        return ["\(value)", String(reflecting: value), dumped]
    }
}

/// A store that reads as empty and rejects every change.
private final class ReadOnlyStore: StoreDouble {
    let base = MemoryStore()

    func write<R: Sendable>(
        _ durability: Durability,
        body: (any TokenStoreWriting) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        throw StoreError(.unwritable, message: "The disk is read-only.")
    }
}

/// A store whose key is unavailable.
private final class KeylessStore: TokenStore {
    private let failure = StoreError(.keyUnavailable, message: "The keyring is locked.")

    var isPrepared: Bool { false }

    func prepare(_ keyAccess: KeyAccessOptions, for use: StoreUse) throws(StoreError) { throw failure }

    func changeCounter() throws(StoreError) -> Int64 { throw failure }

    func read<R: Sendable>(_ body: (any TokenStoreReading) throws(StoreError) -> R) throws(StoreError) -> R {
        throw failure
    }

    func write<R: Sendable>(
        _ durability: Durability,
        body: (any TokenStoreWriting) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        throw failure
    }
}
