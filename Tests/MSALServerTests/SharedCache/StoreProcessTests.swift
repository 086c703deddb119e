// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALServer
import SocketStore
import TestSupport
import Testing

/// The two cache levels with a store in another process, which truncates its responses, sends invalid ones, hangs, and
/// is killed.
struct StoreProcessTests {
    private let process: StoreProcess
    private let instances: ServiceInstances

    init() throws {
        let process = try StoreProcess()
        self.process = process
        instances = try ServiceInstances(wrap: { _ in process.store }, configure: { $0.connectTimeLimit = .zero })
    }

    private var first: WebAppStory { instances.stories[0] }
    private var second: WebAppStory { instances.stories[1] }

    @Test func `instances share users through another process`() async throws {
        try await first.signIn()

        let token = try await second.silent()

        #expect(token.accessToken == "at-1" && token.source == .cache)
        #expect(instances.redeemed.isEmpty)
    }

    @Test(arguments: StoreBehavior.allCases.filter { $0 != .good && $0 != .silent })
    func `a store that fails signs no user out`(_ behavior: StoreBehavior) async throws {
        try await first.signIn()
        try await process.store.behave(behavior)

        let held = try await first.silent()
        let error = try await tokenFailure { _ = try await second.silent() }
        first.time.advance(by: .seconds(3500))
        instances.service.append(SignInService.tokens(access: "at-2", refresh: "rt-2"))
        let renewed = try await first.silent()
        try await process.store.behave(.good)
        instances.limits.advance(by: .seconds(10))
        let known = try await second.silent()

        #expect(held.accessToken == "at-1")
        #expect(error?.kind == .cacheUnavailable && error?.isRetryable == true)
        #expect(renewed.accessToken == "at-2" && instances.redeemed == ["rt-1"])
        #expect(known.homeAccountIdentifier == SignInService.homeAccountID)
    }

    @Test func `a store that does not respond delays a call by its limit`() async throws {
        try await first.signIn()
        try await process.store.behave(.silent)

        let call = Task { try await tokenFailure { _ = try await second.silent() } }
        await instances.limits.untilSomebodySleeps()
        instances.limits.advance(by: .milliseconds(100))
        let error = try await call.value

        #expect(error?.kind == .cacheUnavailable)
    }

    @Test func `a store that is killed loses no user's token, and is used again when it is back`() async throws {
        try await first.signIn()
        process.kill()

        let held = try await first.silent()
        let error = try await tokenFailure { _ = try await second.silent() }
        try process.start()
        instances.limits.advance(by: .seconds(10))
        try await first.signIn(access: "at-2", refresh: "rt-2")
        let known = try await second.silent()

        #expect(held.accessToken == "at-1" && error?.kind == .cacheUnavailable)
        #expect(known.accessToken == "at-2")
    }
}
