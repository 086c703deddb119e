// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALServer
import MSALStoreConformance
import TestSupport

/// Several instances of one web application, which share a store. Each has a memory and a clock of its own.
struct ServiceInstances {
    let service: SignInService
    let store = MSALMemoryStore(prefix: "msal:1:")
    /// Measures the limits of calls to the store. It stands still until a test moves it.
    let limits = ManualTime()
    let stories: [WebAppStory]

    /// `wrap` puts something between the instances and their store.
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

    /// Lets time pass for all instances and the store.
    func advance(by duration: Duration) {
        for story in stories { story.time.advance(by: duration) }
        store.advance(by: duration)
        limits.advance(by: duration)
    }

    /// Runs a body. The clock of the limits moves by `step` as often as somebody waits for it, until the body has ended.
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

    /// The refresh tokens that were redeemed, in order.
    var redeemed: [String] { service.forms.compactMap { $0["refresh_token"] } }
}

extension MSALSealingKey {
    static func example(id: UInt8 = 1, seed: UInt8 = 0) throws -> MSALSealingKey {
        try MSALSealingKey(id: id, secret: (0..<32).map { $0 &+ id &+ seed })
    }
}
