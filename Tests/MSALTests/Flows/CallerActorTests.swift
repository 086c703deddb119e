// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import SealedStore
import Synchronization
import TestSupport
import Testing

@testable import MSAL
@testable import MSALBase
@testable import MSALCore

/// The thread of an app's user interface never waits for a disk (docs/reference/Store.md#main-thread).
struct CallerActorTests {
    @MainActor @Test func `calls from the main actor read and write the store on other threads`() async throws {
        let store = WitnessStore()
        let bench = ClientBench(store: store)
        try bench.seed(
            Contoso.refreshToken(),
            Contoso.accountRecord,
            Contoso.accessToken(expiresIn: -10, at: bench.time.now)
        )
        bench.service.append([.made { _ in .json(.object(Contoso.tokens(idToken: nil))) }])
        store.forget()

        _ = try await bench.client.silent.acquire(Contoso.silent())
        _ = try await bench.client.accounts.read(AccountFilter())
        try await bench.client.signOut.signOutLocally(SignOutRequest(account: Contoso.account))
        var interactive = Contoso.interactive()
        interactive.account = Contoso.account
        _ = await #expect(throws: AuthError.self) { try await bench.client.interactive.acquire(interactive) }

        #expect(bench.agent.openedURLs.last?.parameter("prompt") == "login")
        // A refresh reads once and writes twice; the list, the sign-out and the next sign-in each read once.
        #expect(store.uses == 6)
        #expect(store.usesOnMain == 0)
    }

    @MainActor @Test func `a key is created on another thread`() async throws {
        let keys = WitnessKeys()
        var platform = ClientBench().platform
        platform.proofKeys = keys
        let client = TokenClient(
            configuration: .bench,
            platform: platform,
            store: MemoryStore(),
            session: CurrentSession()
        )
        let url = try #require(URL(string: "https://api.contoso.example/me"))
        let request = Contoso.silent { $0.proof = SignedHTTPRequest(method: "GET", url: url, nonce: nil) }

        _ = await #expect(throws: AuthError.self) { try await client.silent.acquire(request) }

        #expect(keys.wasAskedOnMain == [false])
    }
}

/// A deprecated call, without the warning.
protocol DeprecatedCalls {
    func allAccountsFiltered(byAuthority completionBlock: @escaping @Sendable ([MSALAccount]?, (any Error)?) -> Void)
}

extension MSALPublicClientApplication: DeprecatedCalls {}

/// A store that records the threads of its transactions.
private final class WitnessStore: TokenStore {
    private let base = MemoryStore()
    private let counts = Mutex((all: 0, onMain: 0))

    var uses: Int { counts.withLock(\.all) }
    var usesOnMain: Int { counts.withLock(\.onMain) }

    func forget() { counts.withLock { $0 = (0, 0) } }

    private func note() {
        let isMain = Thread.isMainThread
        counts.withLock {
            $0.all += 1
            if isMain { $0.onMain += 1 }
        }
    }

    var isPrepared: Bool { true }

    func prepare(_ keyAccess: KeyAccessOptions, for use: StoreUse) throws(StoreError) {}

    func changeCounter() throws(StoreError) -> Int64 { try base.changeCounter() }

    func read<R: Sendable>(_ body: (any TokenStoreReading) throws(StoreError) -> R) throws(StoreError) -> R {
        note()
        return try base.read(body)
    }

    func write<R: Sendable>(
        _ durability: Durability,
        body: (any TokenStoreWriting) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        note()
        return try base.write(durability, body: body)
    }
}

/// Keys that record the threads on which they are read.
private final class WitnessKeys: ProofKeys {
    private let base = ProofKeyMemory()
    private let threads = Mutex<[Bool]>([])

    var wasAskedOnMain: [Bool] { threads.withLock { $0 } }

    func key() throws(ProofKey.Failure) -> ProofKey {
        let isMain = Thread.isMainThread
        threads.withLock { $0.append(isMain) }
        return try base.key()
    }
}
