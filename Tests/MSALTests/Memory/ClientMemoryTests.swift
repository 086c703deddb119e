// Licensed under the MIT License. See LICENSE.

import Foundation
import SealedStore
import TestSupport
import Testing

@testable import MSAL
@testable import MSALBase
@testable import MSALCore

@Suite struct ClientMemoryTests {
    private let store = MemoryStore()
    private let memory: ClientMemory

    init() { memory = ClientMemory(store: store, time: ManualTime(now: Sample.now), buffer: .zero) }

    private func identity(
        username: String? = "alice@contoso.example",
        authority: Authority? = nil,
        keyID: String? = nil
    ) -> RequestIdentity {
        RequestIdentity(
            account: AccountReference(homeAccountID: Sample.alice, username: username),
            authority: authority,
            scopes: ScopeSet(["user.read"]),
            keyID: keyID
        )
    }

    private func remember(_ secret: String, for identity: RequestIdentity, at counter: Int64 = 1) throws {
        let token = Sample.accessToken(secret)
        let result = TokenResult(
            accessToken: token.secret,
            tokenType: "Bearer",
            expiresOn: token.life.expiresOn,
            scopes: token.scopes,
            holder: TokenHolder(
                account: AccountSnapshot(homeAccountID: Sample.alice, username: "", environment: Sample.environment),
                tenantProfile: TenantProfileSnapshot(environment: Sample.environment, isHome: true),
                authority: .default
            ),
            correlationID: .random(),
            source: .cache
        )
        let version = try store.read { (store) throws(StoreError) in try AccountVersion(of: Sample.alice, in: store) }
        memory.remember(result, life: token.life, for: identity, version: version, at: counter)
    }

    private func secret(for identity: RequestIdentity, at counter: Int64 = 1) -> String? {
        memory.lookup(identity, at: counter).usable?.shared.result.accessToken.exposed
    }

    @Test func `a token is valid for one state of the store`() throws {
        try remember("first", for: identity())
        #expect(secret(for: identity()) == "first")
        #expect(secret(for: identity(), at: 2) == nil)
        try remember("second", for: identity(), at: 2)
        #expect(secret(for: identity(), at: 2) == "second")
        #expect(secret(for: identity()) == nil)
    }

    @Test func `after a change of the store, a token is found but not yet usable`() throws {
        try remember("first", for: identity())

        let lookup = memory.lookup(identity(), at: 2)

        #expect(lookup.token?.shared.result.accessToken.exposed == "first")
        #expect(lookup.state == nil)
    }

    /// User names are not hashed, so both requests have the same slot in the table.
    @Test func `a request with the same hash does not get the token of another`() throws {
        let (alice, bob) = (identity(), identity(username: "bob@contoso.example"))
        #expect(alice.hashValue == bob.hashValue)
        try remember("alice's", for: alice)
        #expect(secret(for: bob) == nil)
        try remember("bob's", for: bob)
        #expect(secret(for: bob) == "bob's")
        #expect(secret(for: alice) == nil)
    }

    @Test func `tokens of one account are kept side by side`() throws {
        let authority = try Authority.make(.aad, at: "login.microsoftonline.com", path: "/\(Sample.tenant)")
        let identities = [identity(), identity(authority: authority), identity(keyID: "key")]
        for (number, identity) in identities.enumerated() { try remember("\(number)", for: identity) }
        #expect(identities.map { secret(for: $0) } == ["0", "1", "2"])
    }

    @Test func `common parts of tokens are stored once`() throws {
        let identities = [identity(), identity(keyID: "key")]
        for identity in identities { try remember("token", for: identity) }
        let holders = identities.compactMap {
            memory.lookup($0, at: 1).usable?.shared.result.holder
        }
        #expect(holders.count == 2)
        #expect(holders.first === holders.last)
    }

    /// The object that another thread gets.
    private func tokenElsewhere(for identity: RequestIdentity, at counter: Int64 = 1) async -> ClientMemory.Token? {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [memory] in
                continuation.resume(returning: memory.lookup(identity, at: counter).usable)
            }
        }
    }

    @Test func `each thread returns its own token object, and none after a change or a sign-out`() async throws {
        try remember("first", for: identity())
        var objects: [ClientMemory.Token] = []
        // More than two, because two threads in 32 share a slot.
        for _ in 1...4 { objects.append(try #require(await tokenElsewhere(for: identity()))) }
        #expect(objects.allSatisfy { $0.shared.result.accessToken.exposed == "first" })
        #expect(Set(objects.map(ObjectIdentifier.init)).count > 1)
        #expect(await tokenElsewhere(for: identity(), at: 2) == nil)

        try remember("second", for: identity(), at: 2)
        #expect(await tokenElsewhere(for: identity(), at: 2)?.shared.result.accessToken.exposed == "second")

        memory.forget(homeAccountID: Sample.alice)
        for _ in 1...4 { #expect(await tokenElsewhere(for: identity(), at: 2) == nil) }
    }

    @Test func `a result has the id of its own request`() throws {
        try remember("token", for: identity())
        let id = UUID.random()
        #expect(memory.lookup(identity(), at: 1).usable?.result(correlationID: id).correlationID == id)
    }

    @Test func `a sign-out leaves no token in memory`() async throws {
        let bench = ClientBench()
        try bench.seed(Contoso.accessToken(expiresIn: 3600, at: bench.time.now), Contoso.accountRecord)
        _ = try await bench.client.silent.acquire(Contoso.silent())
        let identity = Contoso.silent().identity
        let counter = try bench.store.changeCounter()
        #expect(bench.client.memory.lookup(identity, at: counter).usable != nil)

        try await bench.client.signOut.signOutLocally(SignOutRequest(account: Contoso.account))

        #expect(bench.client.memory.lookup(identity, at: counter).token == nil)
    }

    @Test func `requests that differ in spelling share a redemption`() throws {
        func key(_ scopes: [String], username: String?) -> RefreshKey {
            RefreshKey(
                RequestIdentity(
                    account: AccountReference(homeAccountID: Sample.alice, username: username),
                    scopes: ScopeSet(scopes)
                ),
                homeAccountID: Sample.alice,
                authority: .default,
                endpoint: Authority.default.url,
                clientID: Sample.client,
                refreshToken: Secret("fake-rt")
            )
        }

        #expect(
            key(["User.Read", "mail.read"], username: "alice@contoso.example")
                == key(["mail.read", "user.read"], username: nil)
        )
        #expect(key(["user.read"], username: nil) != key(["mail.read"], username: nil))
    }
}
