// Licensed under the MIT License. See LICENSE.

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
