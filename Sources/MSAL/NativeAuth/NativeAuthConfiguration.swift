// Licensed under the MIT License. See LICENSE.

/// The capabilities of an app with native authentication, and the settings for its requests.
struct NativeAuthConfiguration: Sendable {
    /// Returns additional headers for a request to a URL.
    typealias Interceptor = @Sendable (URL) async -> [String: String]?

    var challengeTypes: NativeAuth.ChallengeTypes
    var capabilities: NativeAuth.Capabilities = []
    /// The data center, sent as `dc` in every URL.
    var sliceDataCenter: String?
    /// Whether a redirect URI is configured. The browser cannot return the user without one.
    var hasRedirectURI = false
    /// The app's interceptor, which is called before every attempt; see ``NativeAuthConfiguration/isAllowed(header:)``.
    var interceptor: Interceptor?

    /// Whether an app may set `header`. It must begin with `x-` and not be reserved
    /// (docs/reference/NativeAuthentication.md#interceptor).
    static func isAllowed(header: String) -> Bool {
        let name = header.lowercased()
        let reserved = ["x-ms-", "x-client-", "x-broker-", "x-app-"]
        return name.hasPrefix("x-") && !reserved.contains(where: name.hasPrefix)
    }
}
