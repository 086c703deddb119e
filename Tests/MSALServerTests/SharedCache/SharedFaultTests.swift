// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALServer
import MSALStoreConformance
import Synchronization
import TestSupport
import Testing

#if Metrics
    import MetricsTestKit
#endif

/// Instances with a store that fails: no call fails because of it, unless the data is nowhere else.
struct SharedFaultTests {
    /// Two instances with a store that the test can make fail.
    private struct Faults {
        let instances: ServiceInstances
        let store: FaultyStore
        let events = Events()
        var first: WebAppStory { instances.stories[0] }
        var second: WebAppStory { instances.stories[1] }

        init(
            application: (inout MSALConfidentialClientConfiguration) throws -> Void = { _ in },
            _ configure: (inout MSALSharedCacheConfiguration) -> Void = { _ in }
        ) throws {
            let box = Mutex<FaultyStore?>(nil)
            instances = try ServiceInstances(
                wrap: { inner in
                    let faulty = FaultyStore(inner)
                    box.withLock { $0 = faulty }
                    return faulty
                },
                configure: { [events] shared in
                    shared.onFailure = { events.add($0) }
                    configure(&shared)
                },
                application: application
            )
            store = try #require(box.withLock { $0 })
        }
    }

    /// The events about the store.
    final class Events: Sendable {
        private let all = Mutex<[MSALSharedCacheEvent]>([])

        func add(_ event: MSALSharedCacheEvent) { all.withLock { $0.append(event) } }
        var kinds: [MSALSharedCacheEvent.Kind] { all.withLock { $0.map(\.kind) } }
    }

    @Test func `an outage signs no user out`() async throws {
        let faults = try Faults()
        try await faults.first.signIn()
        faults.store.fail()

        let held = try await faults.first.silent()
        let elsewhere = try await tokenFailure { _ = try await faults.second.silent() }

        #expect(held.accessToken == "at-1")
        #expect(elsewhere?.kind == .cacheUnavailable)
        #expect(elsewhere?.isRetryable == true && elsewhere?.needsUser == false)
        #expect(faults.events.kinds == [.failed])
    }

    @Test func `without the store the memory is used beyond its age, and renews by itself`() async throws {
        let faults = try Faults()
        try await faults.first.signIn()
        faults.store.fail()
        faults.instances.advance(by: .seconds(600))
        let held = try await faults.first.silent()
        faults.instances.advance(by: .seconds(3000))
        faults.instances.service.append(SignInService.tokens(access: "at-2", refresh: "rt-2"))
        let renewed = try await faults.first.silent()

        #expect(held.accessToken == "at-1")
        #expect(renewed.accessToken == "at-2")
        #expect(faults.instances.redeemed == ["rt-1"])
    }

    @Test func `tokens that were fetched without the store are written when it is back`() async throws {
        let faults = try Faults()
        try await faults.first.signIn()
        faults.store.fail()
        faults.instances.advance(by: .seconds(3500))
        faults.instances.service.append(SignInService.tokens(access: "at-2", refresh: "rt-2"))
        _ = try await faults.first.silent()
        faults.store.fail([.read, .write, .lease, .release, .remove, .removeAll], nil)
        faults.instances.advance(by: .seconds(400))
        _ = try await faults.first.silent()
        #expect(await faults.first.finish())

        #expect(try await faults.second.silent().accessToken == "at-2")
        #expect(faults.instances.redeemed == ["rt-1"])
    }

    @Test func `a sign-in without the store is used here, and written to the store later`() async throws {
        let faults = try Faults()
        faults.store.fail()
        try await faults.first.signIn()
        faults.store.fail(FaultyStore.Operation.allCases, nil)
        faults.instances.advance(by: .seconds(400))
        let own = try await faults.first.silent()
        #expect(await faults.first.finish())

        #expect(own.accessToken == "at-1")
        #expect(try await faults.second.silent().accessToken == "at-1")
        try faults.instances.service.verify()
    }

    @Test(arguments: [false, true])
    func `a sign-in without the store replaces the store's data`(_ isKnown: Bool) async throws {
        let faults = try Faults()
        try await faults.second.signIn()
        if isKnown {
            _ = try await faults.first.silent()
            try await faults.second.signIn()
        }
        faults.store.fail()
        try await faults.first.signIn(access: "at-2", refresh: "rt-2")
        faults.store.fail(FaultyStore.Operation.allCases, nil)
        faults.instances.advance(by: .seconds(400))
        let own = try await faults.first.silent()
        #expect(await faults.first.finish())
        let other = try await faults.second.silent()
        faults.instances.advance(by: .seconds(3500))
        faults.instances.service.append(SignInService.tokens(access: "at-3", refresh: "rt-3"))
        _ = try await faults.second.silent()

        #expect(own.accessToken == "at-2" && other.accessToken == "at-2")
        #expect(faults.instances.redeemed == ["rt-2"])
    }

    @Test func `a sign-in without the store and without a refresh token continues with the store's`() async throws {
        let faults = try Faults()
        try await faults.second.signIn()
        faults.store.fail()
        try await faults.first.signIn(access: "at-2", refresh: nil)
        faults.store.fail(FaultyStore.Operation.allCases, nil)
        faults.instances.advance(by: .seconds(3500))
        faults.instances.service.append(SignInService.tokens(access: "at-3", refresh: "rt-3"))

        #expect(try await faults.first.silent().accessToken == "at-3")
        #expect(faults.instances.redeemed == ["rt-1"])
    }

    @Test func `a sign-in without the store takes precedence over an earlier sign-out`() async throws {
        let faults = try Faults()
        try await faults.first.signIn()
        try await faults.second.application.signOut(homeAccountIdentifier: SignInService.homeAccountID)
        faults.store.fail()
        try await faults.first.signIn(access: "at-2", refresh: "rt-2")
        faults.store.fail(FaultyStore.Operation.allCases, nil)
        faults.instances.advance(by: .seconds(400))
        let own = try await faults.first.silent()
        #expect(await faults.first.finish())

        #expect(own.accessToken == "at-2")
        #expect(try await faults.second.silent().accessToken == "at-2")
    }

    @Test func `a session that began without the store is written to the store by a later call`() async throws {
        let faults = try Faults()
        let scope = "https://graph.microsoft.com/User.Read"
        faults.store.fail()
        faults.instances.service.append(SignInService.tokens(scope: scope))
        let session = try await faults.first.application.longRunningStart(
            onBehalfOf: .example(),
            scopes: [scope]
        ).session
        faults.store.fail(FaultyStore.Operation.allCases, nil)
        faults.instances.advance(by: .seconds(400))
        func token(_ story: WebAppStory) async throws -> String {
            try await story.application.token(inLongRunning: session, of: nil, scopes: [scope]).accessToken
        }
        let own = try await token(faults.first)
        #expect(await faults.first.finish())

        #expect(own == "at-1")
        #expect(try await token(faults.second) == "at-1")
        try faults.instances.service.verify()
    }

    @Test func `a session that began in an outage returns its tokens to no other user with its key`() async throws {
        let faults = try Faults()
        let service = faults.instances.service
        let (read, mail) = ("https://graph.microsoft.com/User.Read", "https://graph.microsoft.com/Mail.Read")
        let session = try MSALSessionKey("a key that two users have")
        let stranger = "11111111-2222-3333-4444-555555555555"
        service.append(SignInService.tokens(scope: read))
        _ = try await faults.first.application.longRunningStart(
            onBehalfOf: .example(),
            scopes: [read],
            session: session
        )
        faults.store.fail()
        service.append(
            SignInService.tokens(
                access: "at-9",
                refresh: "rt-9",
                scope: mail,
                changes: ["client_info": .string(SignInService.clientInfo(user: stranger))]
            )
        )
        _ = try await faults.second.application.longRunningStart(
            onBehalfOf: .example(["oid": .string(stranger)]),
            scopes: [mail],
            session: session
        )
        faults.store.fail(FaultyStore.Operation.allCases, nil)
        faults.instances.advance(by: .seconds(400))
        service.append(SignInService.tokens(access: "at-2", refresh: "rt-2", scope: mail))
        let token = try await faults.second.application.token(
            inLongRunning: session,
            of: SessionOwner(tenant: SignInService.tenant, objectID: SignInService.user),
            scopes: [mail]
        )

        #expect(token.accessToken == "at-2")
        #expect(faults.instances.redeemed == ["rt-1"])
    }

    @Test func `a sign-out that did not reach the store reports that, and applies here`() async throws {
        let faults = try Faults()
        try await faults.first.signIn()
        faults.store.fail()
        let url = try await faults.first.application.signOutURL()

        let error = try await tokenFailure {
            try await faults.first.application.signOut(homeAccountIdentifier: SignInService.homeAccountID)
        }
        faults.store.fail(FaultyStore.Operation.allCases, nil)
        try await faults.first.application.signOut(homeAccountIdentifier: SignInService.homeAccountID)

        #expect(url.path().hasSuffix("/logout"))
        #expect(error?.kind == .cacheUnavailable)
        #expect(faults.instances.store.names.isEmpty)
    }

    @Test func `removing tokens never fails, and logs a line`() async throws {
        let faults = try Faults()
        try await faults.first.signIn()
        faults.store.fail()
        let lines = LogLines()

        await lines.hear {
            await faults.first.application.removeTokens(homeAccountIdentifier: SignInService.homeAccountID)
        }
        let error = try await tokenFailure { _ = try await faults.first.silent() }

        let own = lines.of(.warning).filter { $0.hasPrefix("A user's tokens could not be removed everywhere") }
        #expect(error?.kind == .cacheUnavailable)
        #expect(own.count == 1)
    }

    @Test func `a token from memory makes no call to the store`() async throws {
        let faults = try Faults()
        try await faults.first.signIn()
        let asked = faults.store.asked

        for _ in 0..<10 { _ = try await faults.first.silent() }

        #expect(faults.store.asked == asked)
    }

    @Test func `values that cannot be read cause one line a minute`() async throws {
        let faults = try Faults()
        try await faults.first.signIn()
        faults.store.change { _, entry in
            MSALStoreEntry(value: entry.value.reversed(), version: entry.version, expiresIn: entry.expiresIn)
        }
        let lines = LogLines()
        func look() async throws { _ = try await tokenFailure { _ = try await faults.second.silent() } }

        let (first, second) = try await lines.hear {
            for _ in 0..<20 { try await look() }
            let first = lines.of(.warning).count
            faults.instances.limits.advance(by: .seconds(60))
            for _ in 0..<20 { try await look() }
            return (first, lines.of(.warning).count)
        }

        #expect(first == 1 && second == 2)
        #expect(faults.events.kinds.filter { $0 == .unreadable }.count >= 40)
    }

    @Test func `a store that rejects changes and serves reads causes one line a minute`() async throws {
        let faults = try Faults({ $0.memoryAge = .zero })
        try await faults.first.signIn()
        faults.store.fail([.write, .remove, .removeAll, .lease])
        let lines = LogLines()
        func fail() async throws {
            _ = try await tokenFailure {
                try await faults.second.application.signOut(homeAccountIdentifier: "somebody.else")
            }
            _ = try await faults.second.silent()
        }

        let (first, second) = try await lines.hear {
            for _ in 0..<20 { try await fail() }
            let first = lines.of(.warning)
            faults.instances.limits.advance(by: .seconds(60))
            for _ in 0..<20 { try await fail() }
            return (first, lines.of(.warning))
        }

        #expect(first == ["The shared cache has failed (remove)."] && second == first + first)
        #expect(!faults.events.kinds.contains(.paused))
    }

    @Test func `after five failures the store is skipped, and one call tries it after ten seconds`() async throws {
        let faults = try Faults()
        faults.store.fail()
        for _ in 0..<20 { _ = try await tokenFailure { _ = try await faults.second.silent() } }
        let during = faults.store.asked
        faults.instances.advance(by: .seconds(10))
        for _ in 0..<5 { _ = try await tokenFailure { _ = try await faults.second.silent() } }
        let afterTrial = faults.store.asked
        faults.store.fail(FaultyStore.Operation.allCases, nil)
        faults.instances.advance(by: .seconds(10))
        for _ in 0..<2 { _ = try await tokenFailure { _ = try await faults.second.silent() } }

        #expect(during == 5)
        #expect(afterTrial == 6)
        #expect(faults.store.asked == 8)
        #expect(faults.events.kinds == [.failed, .failed, .failed, .failed, .failed, .paused, .failed, .resumed])
    }

    /// Starts a call while the store does not respond, and lets the store respond after some time.
    private func answer(of story: WebAppStory, at faults: Faults, after delay: Duration) async throws -> String {
        faults.store.fail([.read], .silence)
        let call = Task { try await story.silent().accessToken }
        await faults.instances.limits.untilSomebodySleeps()
        faults.instances.limits.advance(by: delay)
        faults.store.fail([.read], nil)
        return try await call.value
    }

    @Test(.timeLimit(.minutes(1)))
    func `concurrent first calls wait while the store's client connects`() async throws {
        let faults = try Faults()
        try await faults.first.signIn()
        faults.store.fail([.read], .silence)
        let calls = Task {
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<1000 { group.addTask { try await faults.second.silent().accessToken } }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
        }
        await faults.instances.limits.untilSomebodySleeps()
        faults.instances.limits.advance(by: .seconds(2))
        faults.store.fail([.read], nil)

        #expect(try await calls.value == ["at-1"])
        #expect(faults.events.kinds.isEmpty && faults.instances.redeemed.isEmpty)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a call after half a minute without responses waits while the client reconnects`() async throws {
        let faults = try Faults()
        try await faults.first.signIn()
        _ = try await faults.second.silent()
        faults.instances.advance(by: .seconds(400))

        #expect(try await answer(of: faults.second, at: faults, after: .seconds(2)) == "at-1")
        #expect(faults.events.kinds.isEmpty)
    }

    @Test(.timeLimit(.minutes(1)))
    func `the call that tries a store after an outage waits while the client connects`() async throws {
        let faults = try Faults()
        try await faults.first.signIn()
        faults.store.fail([.read])
        for _ in 0..<5 { _ = try await tokenFailure { _ = try await faults.second.silent() } }
        faults.instances.advance(by: .seconds(10))

        #expect(try await answer(of: faults.second, at: faults, after: .seconds(2)) == "at-1")
        #expect(faults.events.kinds.suffix(2) == [.paused, .resumed])
    }

    @Test(.timeLimit(.minutes(1)))
    func `a store that never connects delays later calls by the usual limit`() async throws {
        let faults = try Faults()
        try await faults.first.signIn()
        for limit in [Duration.seconds(5), .milliseconds(100), .milliseconds(100)] {
            faults.store.fail([.read], .silence)
            let call = Task { try await tokenFailure { _ = try await faults.second.silent() } }
            await faults.instances.limits.untilSomebodySleeps()
            faults.instances.limits.advance(by: limit)
            #expect(try await call.value?.kind == .cacheUnavailable)
            faults.store.fail([.read], nil)
        }

        #expect(faults.events.kinds == [.timedOut, .timedOut, .timedOut])
    }

    @Test func `a store that does not respond delays a call by its limit and no more`() async throws {
        let faults = try Faults({ $0.connectTimeLimit = .zero })
        try await faults.first.signIn()
        faults.store.fail([.read], .silence)
        let call = Task { try await tokenFailure { _ = try await faults.second.silent() } }
        await faults.instances.limits.untilSomebodySleeps()
        faults.instances.limits.advance(by: .milliseconds(100))
        let error = try await call.value

        #expect(error?.kind == .cacheUnavailable)
        #expect(faults.events.kinds == [.timedOut])
        faults.store.fail([.read], nil)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a store that stops responding before a write delays the call by its limit once`() async throws {
        let faults = try Faults({ $0.connectTimeLimit = .zero })
        try await faults.first.signIn()
        faults.instances.advance(by: .seconds(3500))
        faults.instances.service.append(SignInService.tokens(access: "at-2", refresh: "rt-2"))
        let (reads, writes) = (faults.store.asked(.read), faults.store.asked(.write))
        faults.store.fail([.write, .release], .silence)
        let call = Task { try await faults.first.silent() }
        try await until(faults.store.asked(.write) > writes)
        await faults.instances.limits.untilSomebodySleeps()
        faults.instances.limits.advance(by: .milliseconds(100))
        let token = try await call.value

        #expect(token.accessToken == "at-2")
        // One read before the lease, and one after it.
        #expect(faults.store.asked(.read) == reads + 2)
        faults.store.fail([.write, .release], nil)
    }

    @Test func `a canceled call to a store that hangs returns at once, and is not a failure`() async throws {
        let faults = try Faults()
        faults.store.fail([.read], .silence)
        let call = Task { try await tokenFailure { _ = try await faults.second.silent() } }
        await faults.instances.limits.untilSomebodySleeps()
        call.cancel()
        let error = try await call.value

        #expect(error?.kind == .cancelled)
        #expect(faults.events.kinds.isEmpty)
        faults.store.fail([.read], nil)
    }

    @Test(arguments: 0..<8)
    func `a value with a flipped bit is a miss`(_ place: Int) async throws {
        let faults = try Faults()
        try await faults.first.signIn()
        faults.store.change { _, entry in
            var value = entry.value
            let index = [0, 1, 2, 13, 14, value.count / 2, value.count - 17, value.count - 1][place]
            value[index] ^= 0x40
            return MSALStoreEntry(value: value, version: entry.version, expiresIn: entry.expiresIn)
        }

        let error = try await tokenFailure { _ = try await faults.second.silent() }

        #expect(error?.kind == .accountNotFound)
        #expect(faults.events.kinds.contains(.unreadable))
    }

    #if Metrics
        @Test func `each value that cannot be read is counted`() async throws {
            let metrics = TestMetrics()
            let faults = try Faults(application: { $0.metrics = metrics })
            try await faults.first.signIn()
            faults.store.change { _, entry in
                MSALStoreEntry(value: entry.value.reversed(), version: entry.version, expiresIn: entry.expiresIn)
            }

            for _ in 0..<20 { _ = try await tokenFailure { _ = try await faults.second.silent() } }

            let labels = [("operation", "read"), ("outcome", "unreadable")]
            let count = try metrics.expectCounter("msal_l2_operations_total", labels).totalValue
            #expect(count == faults.events.kinds.filter { $0 == .unreadable }.count)
            #expect(count >= 20)
        }

        @Test func `a token that is too large for the store counts as a failed write`() async throws {
            let metrics = TestMetrics()
            let faults = try Faults(application: { $0.metrics = metrics })
            try await faults.first.signIn()
            let large = String(repeating: "t", count: 90_000)
            faults.instances.service.append(SignInService.tokens(access: large, scope: "api://1/Read openid profile"))

            _ = try await faults.first.silent(["api://1/Read"])

            func count(_ operation: String, _ outcome: String) throws -> Int64 {
                let labels = [("operation", operation), ("outcome", outcome)]
                return try metrics.expectCounter("msal_l2_operations_total", labels).totalValue
            }
            #expect(try count("write", "error") == 1 && count("read", "unreadable") == 0)
            #expect(faults.events.kinds == [.tooLarge])
        }
    #endif

    @Test(arguments: [0, 1, 29, 30, 70_000])
    func `an invalid value is a miss, and the memory of another instance writes it again`(
        _ count: Int
    ) async throws {
        let value = [UInt8](repeating: 1, count: count)
        let faults = try Faults()
        try await faults.first.signIn()
        for name in faults.instances.store.names {
            _ = try await faults.instances.store.write(
                value,
                to: name,
                expiresIn: .seconds(1000),
                if: .always,
                lease: nil
            )
        }
        let miss = try await tokenFailure { _ = try await faults.second.silent() }
        faults.instances.advance(by: .seconds(400))
        _ = try await faults.first.silent()
        #expect(await faults.first.finish())

        #expect(miss?.kind == .accountNotFound)
        #expect(try await faults.second.silent().accessToken == "at-1")
    }

    @Test(arguments: [[], [0], [1, 0xFF], [UInt8](repeating: 0xFF, count: 99), [UInt8](repeating: 0, count: 99)])
    func `a sealed value that is neither a grant nor a token is a miss`(_ plain: [UInt8]) async throws {
        let faults = try Faults()
        try await faults.first.signIn()
        let store = faults.instances.store
        let key = try MSALSealingKey.example()
        for name in store.names {
            let place = SealedValue.Place(prefix: store.prefix, clientID: SignInService.clientID, name: name)
            let value = try #require(SealedValue(plain, for: place, with: key)).bytes
            _ = try await store.write(value, to: name, expiresIn: .seconds(1000), if: .always, lease: nil)
        }

        let error = try await tokenFailure { _ = try await faults.second.silent() }

        #expect(error?.kind == .accountNotFound)
        #expect(faults.events.kinds.contains(.unreadable))
    }

    @Test func `swapped values do not open`() async throws {
        let faults = try Faults()
        try await faults.first.signIn()
        let store = faults.instances.store
        let names = Array(store.names)
        let values = try await store.read(names).compactMap { $0?.value }
        for (name, value) in zip(names, values.reversed()) {
            _ = try await store.write(value, to: name, expiresIn: .seconds(1000), if: .always, lease: nil)
        }

        let error = try await tokenFailure { _ = try await faults.second.silent() }

        #expect(error?.kind == .accountNotFound)
    }

    @Test func `a store that returns too few values has failed`() async throws {
        let instances = try ServiceInstances(wrap: { ShortStore(store: $0) })

        let error = try await tokenFailure { _ = try await instances.stories[0].silent() }

        #expect(error?.kind == .cacheUnavailable)
    }

    @Test(arguments: [-86_400, -300, 300, 86_400])
    func `the clock of another instance may be wrong`(_ seconds: Int) async throws {
        let instances = try ServiceInstances()
        try await instances.stories[0].signIn()
        instances.stories[1].time.advance(by: .seconds(seconds))
        let start = instances.stories[1].time.now

        let result = try await instances.stories[1].silent()

        #expect(result.accessToken == "at-1")
        #expect(abs(result.expiresOn.timeIntervalSince(start) - 3600) <= 1)
    }

    @Test func `a store that keeps a value longer than requested makes no token older`() async throws {
        let faults = try Faults()
        try await faults.first.signIn()
        faults.store.change { _, entry in
            MSALStoreEntry(value: entry.value, version: entry.version, expiresIn: .seconds(1 << 40))
        }

        let result = try await faults.second.silent()

        #expect(result.expiresOn.timeIntervalSince(faults.second.time.now) <= 3600)
    }
}

/// A store that omits entries.
private struct ShortStore: MSALDistributedTokenStore {
    let store: MSALMemoryStore

    func read(_ names: [MSALStoreName]) async throws -> [MSALStoreEntry?] { [] }

    func write(
        _ value: [UInt8],
        to name: MSALStoreName,
        expiresIn: Duration,
        if condition: MSALWriteCondition,
        lease: (any MSALStoreLease)?
    ) async throws -> Bool {
        try await store.write(value, to: name, expiresIn: expiresIn, if: condition, lease: lease)
    }

    func remove(_ names: [MSALStoreName]) async throws { try await store.remove(names) }
    func removeAll(in partition: MSALStorePartition) async throws { try await store.removeAll(in: partition) }

    func lease(on name: MSALStoreName, for duration: Duration) async throws -> (any MSALStoreLease)? {
        try await store.lease(on: name, for: duration)
    }

    func release(_ lease: any MSALStoreLease) async throws { try await store.release(lease) }
}
