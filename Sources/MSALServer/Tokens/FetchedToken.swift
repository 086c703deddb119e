// Licensed under the MIT License. See LICENSE.

/// A token that was not in the memory.
package struct FetchedToken: Sendable {
    package let token: CachedAccessToken
    /// The source: the service, or the store that instances share, which counts as a cache.
    package let source: MSALTokenResult.Source

    package init(_ token: CachedAccessToken, from source: MSALTokenResult.Source) {
        self.token = token
        self.source = source
    }
}

extension MSALTokenResult {
    /// The result of a call that the memory could not serve. `reason` is why the service was asked, if it was.
    init(_ fetched: FetchedToken, reason: Reason) {
        self.init(fetched.token, source: fetched.source, reason: fetched.source == .cache ? nil : reason)
    }
}
