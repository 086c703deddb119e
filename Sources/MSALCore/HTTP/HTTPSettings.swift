// Licensed under the MIT License. See LICENSE.

package import Foundation

/// What the network connection takes from the app and from the environment.
package struct HTTPSettings: Sendable, Hashable {
    /// A PEM file with certificate authorities to trust in addition to the others.
    package var caFile: URL?
    /// Where `SSL_CERT_FILE`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY` are read from.
    package var environment: [String: String]
    /// The time for opening a connection (docs/reference/Protocol.md#transport).
    package var connectTimeout: Duration = .seconds(30)

    package init(caFile: URL? = nil, environment: [String: String] = ProcessInfo.processInfo.environment) {
        self.caFile = caFile
        self.environment = environment
    }
}

/// When and how often a request is sent again (docs/reference/Protocol.md#transport; `MSALHTTPConfig` sets these).
package struct RetrySettings: Sendable, Hashable {
    /// How often a failed request is repeated.
    package var count = 1
    /// The pause before a repetition.
    package var interval: Duration = .milliseconds(500)
    /// The pause before a repetition if this machine is offline.
    package var offlineInterval: Duration = .seconds(2)
    /// The time each attempt may take, for messages that name none.
    package var timeout: Duration = .seconds(300)

    package init() {}
}
