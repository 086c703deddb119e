// Licensed under the MIT License. See LICENSE.

package import Foundation

/// The settings of network connections, from the app and from the environment.
package struct HTTPSettings: Sendable, Hashable {
    /// A PEM file with certificate authorities that are trusted beside the others.
    package var caFile: URL?
    /// The variables, among them `SSL_CERT_FILE`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`.
    package var environment: [String: String]
    /// The time for opening a connection (docs/reference/Protocol.md#transport).
    package var connectTimeout: Duration = .seconds(30)
    /// Whether the system has certificate authorities; `nil` looks. Small images for containers have none.
    package var systemHasAuthorities: Bool?

    package init(caFile: URL? = nil, environment: [String: String] = ProcessInfo.processInfo.environment) {
        self.caFile = caFile
        self.environment = environment
    }
}

/// The limits for repeating a request (docs/reference/Protocol.md#transport). `MSALHTTPConfig` sets them.
package struct RetrySettings: Sendable, Hashable {
    /// The number of times that a failed request is repeated.
    package var count = 1
    /// The pause before a repetition.
    package var interval: Duration = .milliseconds(500)
    /// The pause before a repetition if this machine is offline.
    package var offlineInterval: Duration = .seconds(2)
    /// The time limit of each attempt, for messages that name none.
    package var timeout: Duration = .seconds(300)

    package init() {}
}
