// Licensed under the MIT License. See LICENSE.

/// How much a memory keeps of the users who signed in to a web application, and for how long.
public struct MSALUserTokenLimits: Sendable, Hashable {
    /// The bytes of all users' tokens together. It is 64 MiB, which is enough for about 10,000 users.
    ///
    /// Beyond it, the users who were away longest go first. They sign in again, mostly without typing anything.
    public var maximumBytes = 64 << 20

    /// The time after which the tokens of a user who does nothing go. It is a day.
    public var idleTime: Duration = .seconds(86_400)

    /// The usual limits.
    public init() {}
}
