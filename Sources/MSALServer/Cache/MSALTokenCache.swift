// Licensed under the MIT License. See LICENSE.

/// A memory for tokens, which lives as long as the objects that use it.
public struct MSALTokenCache: Sendable, ServerRedactedReflection, ObservedMemory {
    package let appTokens: AccessTokenCache
    package let userTokens: UserTokenCache
    package let onBehalfOfTokens: OnBehalfOfCache
    /// Long-running sessions. Each is kept as a user is.
    package let sessions: UserTokenCache

    /// The store behind the memory, which instances share.
    package let shared: SharedStore?

    /// An empty memory.
    ///
    /// - Parameters:
    ///   - maximumBytes: The bytes that the tokens of applications may take, keys and overhead included; 64 MiB unless
    ///     set. When they are full, the tokens go whose last use is longest ago. Zero keeps none, so that each call asks
    ///     the service. Beside them, each thread keeps copies of tokens that it gave out: 1,024 at most, which do not
    ///     count.
    ///   - users: How much it keeps of users, and for how long.
    public init(maximumBytes: Int = 67_108_864, users: MSALUserTokenLimits = MSALUserTokenLimits()) {
        self.init(maximumBytes: maximumBytes, users: users, store: nil)
    }

    /// An empty memory above a store that the instances of a service share.
    ///
    /// - Parameters:
    ///   - maximumBytes: The bytes that the tokens of applications may take in the memory; 64 MiB unless set.
    ///   - users: How much the memory keeps of users, and for how long.
    ///   - shared: The store, its keys, and what is shared.
    public init(
        maximumBytes: Int = 67_108_864,
        users: MSALUserTokenLimits = MSALUserTokenLimits(),
        shared: MSALSharedCacheConfiguration
    ) {
        self.init(maximumBytes: maximumBytes, users: users, store: SharedStore(shared))
    }

    package func takeUse() -> [(level: MemoryLevel, use: MemoryUse)] {
        [
            (.application, appTokens.takeUse()), (.users, userTokens.takeUse()),
            (.onBehalfOf, onBehalfOfTokens.takeUse()), (.longRunning, sessions.takeUse()),
        ]
    }

    /// The store behind the memory, if tokens of this kind are shared.
    func shared(_ kind: MSALSharedCacheConfiguration.Kind) -> SharedStore? {
        shared.flatMap { $0.configuration.shares.contains(kind) ? $0 : nil }
    }

    private init(maximumBytes: Int, users: MSALUserTokenLimits, store: SharedStore?) {
        func checkInterval(_ kind: MSALSharedCacheConfiguration.Kind) -> Duration? {
            store.flatMap { $0.configuration.shares.contains(kind) ? $0.configuration.memoryAge : nil }
        }
        shared = store
        appTokens = AccessTokenCache(maximumBytes: maximumBytes)
        userTokens = UserTokenCache(limits: users, checkInterval: checkInterval(.users))
        onBehalfOfTokens = OnBehalfOfCache(maximumBytes: users.maximumBytes)
        var longer = users
        longer.idleTime = users.sessionIdleTime
        sessions = UserTokenCache(limits: longer, checkInterval: checkInterval(.longRunning))
    }
}
