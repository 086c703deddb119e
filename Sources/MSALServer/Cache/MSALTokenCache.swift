// Licensed under the MIT License. See LICENSE.

/// A memory for tokens, which lives as long as the objects that use it.
public struct MSALTokenCache: Sendable {
    package let appTokens: AppTokenCache

    /// An empty memory.
    public init() {
        appTokens = AppTokenCache()
    }
}
