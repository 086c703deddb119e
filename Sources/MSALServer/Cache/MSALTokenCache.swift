// Licensed under the MIT License. See LICENSE.

/// An in-memory token cache, which lives as long as the objects that use it.
public struct MSALTokenCache: Sendable, ServerRedactedReflection, ObservedMemory {
    package let appTokens: AccessTokenCache
    package let userTokens: UserTokenCache
    package let onBehalfOfTokens: OnBehalfOfCache
    /// Long-running sessions. Each is kept as a user is.
    package let sessions: UserTokenCache

    /// The store behind the memory, which instances share.
    package let shared: SharedStore?

    /// Creates an empty cache.
    ///
    /// - Parameters:
    ///   - maximumBytes: The maximum size of the application tokens in bytes, including keys and overhead; 64 MiB by
    ///     default. When the limit is reached, the least recently used tokens are evicted. With zero, no token is kept,
    ///     and each call sends a request to the service. In addition, each thread keeps copies of up to 1,024 tokens
    ///     that it returned; these do not count toward the limit.
    ///   - users: The size and lifetime limits for the tokens of users.
    public init(maximumBytes: Int = 67_108_864, users: MSALUserTokenLimits = MSALUserTokenLimits()) {
        self.init(maximumBytes: maximumBytes, users: users, store: nil)
    }

    /// Creates an empty cache on top of a store that the instances of a service share.
    ///
    /// - Parameters:
    ///   - maximumBytes: The maximum size in memory of the application tokens, in bytes; 64 MiB by default.
    ///   - users: The size and lifetime limits for the tokens of users in memory.
    ///   - shared: The store, its keys, and which tokens are shared.
    public init(
        maximumBytes: Int = 67_108_864,
        users: MSALUserTokenLimits = MSALUserTokenLimits(),
        shared: MSALSharedCacheConfiguration
    ) { self.init(maximumBytes: maximumBytes, users: users, store: SharedStore(shared)) }

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

/// Size and lifetime limits for the tokens of users in a cache.
public struct MSALUserTokenLimits: Sendable, Hashable {
    /// The maximum size of the tokens of all signed-in users, in bytes; 64 MiB by default, enough for about 10,000
    /// users.
    ///
    /// When the limit is reached, the users who have been inactive longest are evicted. They have to sign in again,
    /// usually without typing anything. The same limit applies separately to the tokens that an API gets on behalf of
    /// its callers, and to its long-running sessions.
    public var maximumBytes = 64 << 20

    /// The time after which the tokens of an inactive user are deleted; one day by default.
    public var idleTime: Duration = .seconds(86_400)

    /// The time after which an unused long-running session is deleted; 90 days by default, the lifetime of a refresh
    /// token.
    public var sessionIdleTime: Duration = .seconds(90 * 86_400)

    /// Creates the default limits.
    public init() {}
}
