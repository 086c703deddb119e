// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore
import MSALServer
import MSALStoreConformance
import Synchronization
import TestSupport
import Testing

/// Which instance redeems a refresh token, and whose response is kept.
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

    @Test func `many instances redeem a user's refresh token once`() async throws {
        let instances = try ServiceInstances(20)
        try await instances.stories[0].signIn()
        instances.advance(by: .seconds(3500))
        instances.service.append(SignInService.tokens(access: "at-2", refresh: "rt-2"))

        // An instance that waits for the lease sleeps until the clock moves.
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

    @Test func `a lease that never ends delays others no longer than its lifetime`() async throws {
        // The clock advances in whole seconds, and must not time out a call that the store is about to serve.
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
        // The lease lasts as long as a request may take, plus five seconds.
        #expect(store.asked(.lease) <= 36)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a lease is released when all callers have left`() async throws {
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
                    throw TransportError(.canceled, message: "No caller is waiting.")
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

    @Test func `a holder that redeemed alone, and was suspended past its lease, signs no user out`() async throws {
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

    @Test func `a late response does not replace a later sign-in`() async throws {
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

    @Test func `a late response does not restore a user who signed out in the meantime`() async throws {
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

    @Test func `tokens that reach the store late do not restore a user who signed out in the meantime`() async throws {
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

    @Test func `a refresh token that another instance has redeemed is not a sign-out`() async throws {
        let (instances, store) = try faulty()
        let stories = instances.stories
        try await stories[0].signIn()
        instances.advance(by: .seconds(3500))
        // The first instance is cut off, and renews by itself. The second one redeems the same refresh token.
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

    @Test func `after an outdated refresh token is rejected the newest one is tried`() async throws {
        let (instances, store) = try faulty()
        let stories = instances.stories
        try await stories[0].signIn()
        instances.advance(by: .seconds(3500))
        // Another instance has written, which this one sees after the rejection.
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

    @Test func `a user whose account was deleted is gone for all instances`() async throws {
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

    @Test func `a rejected refresh token is sent once by all instances`() async throws {
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

    @Test func `a new token for claims is shared, and requested from the service by each instance`() async throws {
        let instances = try ServiceInstances()
        try await instances.stories[0].signIn()
        instances.service.append(SignInService.tokens(access: "at-2", refresh: "rt-2"))
        let claims = #"{"access_token":{"nbf":{"essential":true,"value":"1790000000"}}}"#
        let forced = try await instances.stories[1].silent { $0.claims = claims }

        #expect(forced.accessToken == "at-2" && forced.source == .service)
        instances.advance(by: .seconds(301))
        #expect(try await instances.stories[0].silent().accessToken == "at-2")
    }

    @Test func `background writes end before the process does`() async throws {
        let instances = try ServiceInstances(configure: { $0.writesThrough = false })
        try await instances.stories[0].signIn()
        instances.advance(by: .seconds(3500))
        instances.service.append(SignInService.tokens(access: "at-2", refresh: "rt-2"))
        _ = try await instances.stories[0].silent()

        #expect(await instances.stories[0].finish())
        #expect(try await instances.stories[1].silent().accessToken == "at-2")
        #expect(instances.redeemed == ["rt-1"])
    }

    @Test func `the 33rd resource replaces another in the store`() async throws {
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

    @Test func `the grant is kept, however large the user's claims and refresh token are`() async throws {
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

    @Test func `a token that is too large by itself stays in memory, and replaces no other`() async throws {
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
