// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALServer
import MSALStoreConformance
import TestSupport

/// Several instances of one web application that share a store. Each has its own memory and clock.
struct ServiceInstances {
    let service: SignInService
    let store = MSALMemoryStore(prefix: "msal:1:")
    /// Measures the time limits of calls to the store. It does not advance until a test moves it.
    let limits = ManualTime()
    let stories: [WebAppStory]

    /// `wrap` inserts a store between the instances and their store.
    init(
        _ count: Int = 2,
        service: SignInService = SignInService(),
        authority: MSALServerAuthority = .tenant(SignInService.tenant),
        keys: [MSALSealingKey]? = nil,
        wrap: (MSALMemoryStore) -> any MSALDistributedTokenStore = { $0 },
        configure: (inout MSALSharedCacheConfiguration) throws -> Void = { _ in },
        application: (inout MSALConfidentialClientConfiguration) throws -> Void = { _ in }
    ) throws {
        self.service = service
        var shared = try MSALSharedCacheConfiguration(wrap(store), keys: keys ?? [.example()])
        shared.writesThrough = true
        shared.time = limits
        try configure(&shared)
        stories = try (0..<count).map { [shared] _ in
            try WebAppStory(
                service,
                authority: authority,
                cache: MSALTokenCache(shared: shared),
                configure: application
            )
        }
    }

    /// Advances the time of all instances and the store.
    func advance(by duration: Duration) {
        for story in stories { story.time.advance(by: duration) }
        store.advance(by: duration)
        limits.advance(by: duration)
    }

    /// Runs a body. The clock of the limits advances by `step` each time that a task waits for it, until the body has
    /// ended.
    func whileTimePasses<Value>(by step: Duration, _ body: () async throws -> Value) async rethrows -> Value {
        let clock = Task { [limits] in
            while !Task.isCancelled {
                await limits.untilSomebodySleeps()
                limits.advance(by: step)
                await Task.yield()
            }
        }
        defer { clock.cancel() }
        return try await body()
    }

    /// The redeemed refresh tokens, in order.
    var redeemed: [String] { service.forms.compactMap { $0["refresh_token"] } }
}

extension MSALSealingKey {
    static func example(id: UInt8 = 1, seed: UInt8 = 0) throws -> MSALSealingKey {
        try MSALSealingKey(id: id, secret: (0..<32).map { $0 &+ id &+ seed })
    }
}
