// Licensed under the MIT License. See LICENSE.

/// The abilities of an app with native authentication, and the settings of its requests.
package struct NativeAuthConfiguration: Sendable {
    /// A closure that gives further headers for a request to an address.
    package typealias Interceptor = @Sendable (URL) async -> [String: String]?

    package var challengeTypes: NativeAuth.ChallengeTypes
    package var capabilities: NativeAuth.Capabilities
    /// The data centre, as `dc` in every address.
    package var sliceDataCenter: String?
    /// Asked before every attempt; see ``NativeAuthConfiguration/isAllowed(header:)``.
    package var interceptor: Interceptor?
    /// Whether a redirect URI is configured. The browser cannot hand the user back without one.
    package var hasRedirectURI: Bool

    package init(
        challengeTypes: NativeAuth.ChallengeTypes,
        capabilities: NativeAuth.Capabilities = [],
        sliceDataCenter: String? = nil,
        hasRedirectURI: Bool = false,
        interceptor: Interceptor? = nil
    ) {
        self.challengeTypes = challengeTypes
        self.capabilities = capabilities
        self.sliceDataCenter = sliceDataCenter
        self.hasRedirectURI = hasRedirectURI
        self.interceptor = interceptor
    }

    /// Whether an app may set `header`. It must begin with `x-` and not be reserved
    /// (docs/reference/NativeAuthentication.md#interceptor).
    package static func isAllowed(header: String) -> Bool {
        let name = header.lowercased()
        let reserved = ["x-ms-", "x-client-", "x-broker-", "x-app-"]
        return name.hasPrefix("x-") && !reserved.contains(where: name.hasPrefix)
    }
}
