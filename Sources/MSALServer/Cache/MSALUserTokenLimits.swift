// Licensed under the MIT License. See LICENSE.

/// The limits of a memory for the tokens of users: size and time.
public struct MSALUserTokenLimits: Sendable, Hashable {
    /// The bytes of the tokens of all users who signed in. It is 64 MiB, which is enough for about 10,000 users.
    ///
    /// Beyond it, the users who were away longest go first. They sign in again, mostly without typing anything. The tokens
    /// that an API gets on behalf of its callers may take as much again, and so may its long-running sessions.
    public var maximumBytes = 64 << 20

    /// The time after which the tokens of an inactive user are deleted. It is a day.
    public var idleTime: Duration = .seconds(86_400)

    /// The time after which an unused long-running session is deleted. It is 90 days, as long as a refresh token lives.
    public var sessionIdleTime: Duration = .seconds(90 * 86_400)

    /// The usual limits.
    public init() {}
}
