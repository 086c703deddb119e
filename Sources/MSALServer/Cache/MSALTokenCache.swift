// Licensed under the MIT License. See LICENSE.

/// A memory for tokens, which lives as long as the objects that use it.
public struct MSALTokenCache: Sendable {
    package let appTokens: AppTokenCache
    package let userTokens: UserTokenCache

    /// An empty memory.
    ///
    /// - Parameter users: How much it keeps of users, and for how long.
    public init(users: MSALUserTokenLimits = MSALUserTokenLimits()) {
        appTokens = AppTokenCache()
        userTokens = UserTokenCache(limits: users)
    }
}
