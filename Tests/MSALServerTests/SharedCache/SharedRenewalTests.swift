// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore
import MSALServer
import MSALStoreConformance
import Synchronization
import TestSupport
import Testing

/// Who redeems a refresh token, and whose answer is kept.
struct SharedRenewalTests {
    private func faulty(
        _ count: Int = 2,
        _ configure: (inout MSALSharedCacheConfiguration) -> Void = { _ in }
    ) throws -> (instances: ServiceInstances, store: FaultyStore) {
        let box = Mutex<FaultyStore?>(nil)
        let instances = try ServiceInstances(
            count,
            wrap: { inner in
                let faulty = FaultyStore(inner)
                box.withLock { $0 = faulty }
                return faulty
            },
            configure: configure
        )
        return (instances, try #require(box.withLock { $0 }))
    }

    @Test func `many instances redeem an expired token's successor once`() async throws {
        let instances = try ServiceInstances(20)
        try await instances.stories[0].signIn()
        instances.advance(by: .seconds(3500))
        instances.service.append(SignInService.tokens(access: "at-2", refresh: "rt-2"))

        // Who waits for the lease sleeps until the clock moves.
        let tokens = try await instances.whileTimePasses(by: .milliseconds(25)) {
            try await withThrowingTaskGroup(of: String.self) { group in
                for story in instances.stories {
                    for _ in 0..<5 { group.addTask { try await story.silent().accessToken } }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }

        #expect(tokens == [String](repeating: "at-2", count: 100))
        #expect(instances.redeemed == ["rt-1"])
    }

    @Test func `a lease that never ends keeps nobody for longer than it may live`() async throws {
        // The clock goes on in whole seconds, and must not time out a question that the store is about to answer.
        let (instances, store) = try faulty { $0.timeLimit = .seconds(600) }
        try await instances.stories[0].signIn()
        instances.advance(by: .seconds(3500))
        store.holdAllLeases()
        instances.service.append(SignInService.tokens(access: "at-2", refresh: "rt-2"))
        let token = try await instances.whileTimePasses(by: .seconds(1)) {
            try await instances.stories[1].silent().accessToken
        }

        #expect(token == "at-2")
        #expect(instances.redeemed == ["rt-1"])
        // The lease lives as long as a request may take, and five seconds more.
        #expect(store.asked(.lease) <= 36)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a lease is given back when all callers have left`() async throws {
        let (instances, store) = try faulty()
        let stories = instances.stories
        try await stories[0].signIn()
        instances.advance(by: .seconds(3500))
        store.fail([.release], .slowness)
        instances.service.append(
            ScriptedTransport.Response(
                "no response",
                result: { _ async throws(TransportError) in
                    await OneShot<Void>().value(ifCancelled: ())
                    throw TransportError(.canceled, message: "Nobody waits any more.")
                }
            )
        )
        let call = Task { try await tokenFailure { _ = try await stories[0].silent() } }
        try await until(instances.redeemed.count == 1)
        call.cancel()
        let left = try await call.value
        try await until(store.released == 1)
        instances.service.append(SignInService.tokens(access: "at-2", refresh: "rt-2"))
        let token = try await stories[1].silent()

        #expect(left?.kind == .cancelled)
        #expect(token.accessToken == "at-2" && store.asked(.lease) == 2)
    }

    @Test func `a holder that was stopped past its lease, and alone redeemed, signs nobody out`() async throws {
        let (instances, store) = try faulty()
        try await instances.stories[0].signIn()
        instances.advance(by: .seconds(3500))
        instances.service.append(SignInService.tokens(access: "at-2", refresh: "rt-2"))
        store.beforeNextWrite { instances.store.advance(by: .seconds(60)) }
        let late = try await instances.stories[0].silent()

        #expect(late.accessToken == "at-2")
        #expect(try await instances.stories[1].silent().accessToken == "at-2")
        instances.advance(by: .seconds(3500))
        instances.service.append(SignInService.tokens(access: "at-3", refresh: "rt-3"))
        #expect(try await instances.stories[1].silent().accessToken == "at-3")
        #expect(instances.redeemed == ["rt-1", "rt-2"])
    }

    @Test func `a late answer does not replace what a later sign-in brought`() async throws {
        let (instances, store) = try faulty()
        let stories = instances.stories
        try await stories[0].signIn()
        instances.advance(by: .seconds(3500))
        instances.service.append(SignInService.tokens(access: "at-2", refresh: "rt-2"))
        store.beforeNextWrite { try await stories[1].signIn(access: "at-9", refresh: "rt-9") }
        let late = try await stories[0].silent()
        instances.advance(by: .seconds(3500))
        instances.service.append(SignInService.tokens(access: "at-10", refresh: "rt-10"))

        #expect(late.accessToken == "at-2")
        #expect(try await stories[0].silent().accessToken == "at-10")
        #expect(instances.redeemed == ["rt-1", "rt-9"])
    }

    @Test func `a late answer does not sign in again who signed out meanwhile`() async throws {
        let (instances, store) = try faulty()
        let stories = instances.stories
        try await stories[0].signIn()
        instances.advance(by: .seconds(3500))
        instances.service.append(SignInService.tokens(access: "at-2", refresh: "rt-2"))
        store.beforeNextWrite {
            try await stories[1].application.signOut(homeAccountIdentifier: SignInService.homeAccountID)
        }
        _ = try await stories[0].silent()

        for story in stories {
            let error = try await tokenFailure { _ = try await story.silent() }
            #expect(error?.kind == .accountNotFound)
        }
        #expect(instances.store.names.isEmpty)
    }

    @Test func `tokens that the store gets late do not sign in again who signed out meanwhile`() async throws {
        let (instances, store) = try faulty()
        let stories = instances.stories
        store.fail()
        try await stories[0].signIn()
        store.fail(FaultyStore.Operation.allCases, nil)
        instances.advance(by: .seconds(400))
        store.beforeNextWrite {
            try await stories[0].application.signOut(homeAccountIdentifier: SignInService.homeAccountID)
        }
        _ = try await stories[0].silent()
        #expect(await stories[0].finish())

        #expect(store.asked(.write) > 0)
        #expect(instances.store.names.isEmpty)
        for story in stories {
            let error = try await tokenFailure { _ = try await story.silent() }
            #expect(error?.kind == .accountNotFound)
        }
    }

    @Test func `a refresh token that another instance has spent is no sign-out`() async throws {
        let (instances, store) = try faulty()
        let stories = instances.stories
        try await stories[0].signIn()
        instances.advance(by: .seconds(3500))
        // The first instance is cut off, and renews alone. The second one spends the same refresh token.
        store.fail()
        instances.service.append(SignInService.tokens(access: "at-2", refresh: "rt-2"))
        _ = try await stories[0].silent()
        store.fail(FaultyStore.Operation.allCases, nil)
        instances.service.append(SignInService.refusal("invalid_grant", suberror: "bad_token"))
        let refused = try await tokenFailure { _ = try await stories[1].silent() }
        instances.advance(by: .seconds(400))
        _ = try await stories[0].silent()
        #expect(await stories[0].finish())

        #expect(refused?.kind == .interactionRequired)
        #expect(try await stories[0].silent().accessToken == "at-2")
        instances.advance(by: .seconds(3500))
        instances.service.append(SignInService.tokens(access: "at-3", refresh: "rt-3"))
        #expect(try await stories[1].silent().accessToken == "at-3")
        #expect(instances.redeemed == ["rt-1", "rt-1", "rt-2"])
    }

    @Test func `after the refusal of an outdated refresh token the newest one is tried`() async throws {
        let (instances, store) = try faulty()
        let stories = instances.stories
        try await stories[0].signIn()
        instances.advance(by: .seconds(3500))
        // Another instance has written, which this one sees after the refusal.
        let outdated = try await instances.store.read(Array(instances.store.names))
        let names = Array(instances.store.names)
        try await stories[1].signIn(access: "at-9", refresh: "rt-9", changes: ["expires_in": .integer(1)])
        instances.service.append(SignInService.refusal("invalid_grant", suberror: "bad_token"))
        store.change { name, entry in
            guard instances.redeemed.isEmpty, let index = names.firstIndex(of: name) else { return entry }
            return outdated[index]
        }
        instances.service.append(SignInService.tokens(access: "at-10", refresh: "rt-10"))
        let result = try await stories[0].silent()

        #expect(result.accessToken == "at-10")
        #expect(instances.redeemed == ["rt-1", "rt-9"])
    }

    @Test func `a user whose account was deleted is gone for all`() async throws {
        let instances = try ServiceInstances()
        try await instances.stories[0].signIn()
        instances.advance(by: .seconds(3500))
        instances.service.append(SignInService.refusal("invalid_grant", suberror: "user_account_deleted"))
        let first = try await tokenFailure { _ = try await instances.stories[0].silent() }
        let second = try await tokenFailure { _ = try await instances.stories[1].silent() }

        #expect(first?.kind == .interactionRequired)
        #expect(second?.kind == .accountNotFound)
        #expect(instances.store.names.isEmpty)
    }

    @Test func `a spent refresh token is asked for once by all`() async throws {
        let instances = try ServiceInstances()
        try await instances.stories[0].signIn()
        instances.advance(by: .seconds(3500))
        instances.service.append(SignInService.refusal("invalid_grant", suberror: "token_expired"))
        for story in instances.stories {
            let error = try await tokenFailure { _ = try await story.silent() }
            #expect(error?.kind == .interactionRequired)
        }

        #expect(instances.redeemed == ["rt-1"])
    }

    @Test func `a new token for claims is new for all, and asked of the service by each`() async throws {
        let instances = try ServiceInstances()
        try await instances.stories[0].signIn()
        instances.service.append(SignInService.tokens(access: "at-2", refresh: "rt-2"))
        let claims = #"{"access_token":{"nbf":{"essential":true,"value":"1790000000"}}}"#
        let forced = try await instances.stories[1].silent { $0.claims = claims }

        #expect(forced.accessToken == "at-2" && forced.source == .service)
        instances.advance(by: .seconds(301))
        #expect(try await instances.stories[0].silent().accessToken == "at-2")
    }

    @Test func `writes behind the call end before the process does`() async throws {
        let instances = try ServiceInstances(configure: { $0.writesThrough = false })
        try await instances.stories[0].signIn()
        instances.advance(by: .seconds(3500))
        instances.service.append(SignInService.tokens(access: "at-2", refresh: "rt-2"))
        _ = try await instances.stories[0].silent()

        #expect(await instances.stories[0].finish())
        #expect(try await instances.stories[1].silent().accessToken == "at-2")
        #expect(instances.redeemed == ["rt-1"])
    }

    @Test func `the 33rd resource makes room in the store`() async throws {
        let instances = try ServiceInstances()
        try await instances.stories[0].signIn()
        for number in 0..<40 {
            instances.service.append(
                SignInService.tokens(access: "at-\(number)", scope: "api://\(number)/Read openid profile")
            )
            _ = try await instances.stories[0].silent(["api://\(number)/Read"])
        }

        // The grant, and 32 tokens.
        #expect(instances.store.names.count == 33)
        let last = try await instances.stories[1].silent(["api://39/Read"])
        #expect(last.accessToken == "at-39" && last.source == .cache)
    }

    @Test func `tokens of a user take at most 64 KiB`() async throws {
        let instances = try ServiceInstances()
        try await instances.stories[0].signIn()
        let large = String(repeating: "t", count: 12_000)
        for number in 0..<8 {
            instances.service.append(
                SignInService.tokens(access: "\(large)\(number)", scope: "api://\(number)/Read openid profile")
            )
            _ = try await instances.stories[0].silent(["api://\(number)/Read"])
        }
        let names = Array(instances.store.names)
        let bytes = try await instances.store.read(names).reduce(0) { $0 + ($1?.value.count ?? 0) }

        #expect(bytes <= 64 << 10)
        #expect(bytes > 32 << 10)
    }

    @Test func `the grant counts, however much the user's claims and refresh token take`() async throws {
        let instances = try ServiceInstances()
        let groups = (0..<200).map { JSONValue.string("00000000-0000-0000-0000-\(100_000_000_000 + $0)") }
        let refresh = String(repeating: "r", count: 6000)
        try await instances.stories[0].signIn(refresh: refresh, claims: ["groups": .array(groups)])
        let large = String(repeating: "t", count: 2000)
        for number in 0..<31 {
            instances.service.append(
                SignInService.tokens(
                    access: "\(large)\(number)",
                    refresh: refresh,
                    scope: "api://\(number)/Read openid profile"
                )
            )
            _ = try await instances.stories[0].silent(["api://\(number)/Read"])
        }
        let names = Array(instances.store.names)
        let bytes = try await instances.store.read(names).reduce(0) { $0 + ($1?.value.count ?? 0) }

        #expect(bytes <= 64 << 10)
        #expect(bytes > 60 << 10)
        let last = try await instances.stories[1].silent(["api://30/Read"])
        #expect(last.accessToken == "\(large)30" && last.source == .cache)
    }

    @Test func `a token that has no room even alone stays in the memory, and takes no other's place`() async throws {
        let instances = try ServiceInstances()
        try await instances.stories[0].signIn()
        let large = String(repeating: "t", count: 90_000)
        instances.service.append(SignInService.tokens(access: large, scope: "api://1/Read openid profile"))

        let token = try await instances.stories[0].silent(["api://1/Read"])
        let held = try await instances.stories[0].silent(["api://1/Read"])

        #expect(token.accessToken == large && held.source == .cache)
        // The grant, and the token of the sign-in.
        #expect(instances.store.names.count == 2)
        #expect(try await instances.stories[1].silent().accessToken == "at-1")
    }
}
