// Licensed under the MIT License. See LICENSE.

/// A memory for tokens, which lives as long as the objects that use it.
public struct MSALTokenCache: Sendable, ClosedMirror {
    package let appTokens: AppTokenCache
    package let userTokens: UserTokenCache
    package let onBehalfOfTokens: OnBehalfOfCache
    /// Long-running sessions. Each is kept as a user is.
    package let sessions: UserTokenCache

    /// An empty memory.
    ///
    /// - Parameters:
    ///   - maximumBytes: The bytes that the tokens of applications may take, keys and overhead included; 64 MiB unless
    ///     set. When they are full, the tokens go whose last use is longest ago. Zero keeps none, so that each call asks
    ///     the service.
    ///   - users: How much it keeps of users, and for how long.
    public init(maximumBytes: Int = 67_108_864, users: MSALUserTokenLimits = MSALUserTokenLimits()) {
        appTokens = AppTokenCache(maximumBytes: maximumBytes)
        userTokens = UserTokenCache(limits: users)
        onBehalfOfTokens = OnBehalfOfCache(maximumBytes: users.maximumBytes)
        var longer = users
        longer.idleTime = users.sessionIdleTime
        sessions = UserTokenCache(limits: longer)
    }
}
