// Licensed under the MIT License. See LICENSE.

package import Foundation

/// The settings of network connections, from the app and from the environment.
///
/// It prints nothing, because the address of a proxy may hold a password.
package struct HTTPSettings: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// A PEM file with certificate authorities that are trusted beside the others.
    package var caFile: URL?
    /// PEM certificates that were read already. They are trusted beside the others, like those of ``caFile``.
    package var authorities: Data?
    /// The variables in `readVariables`. No others are kept, because the environment of an app holds secrets.
    package let environment: [String: String]
    /// The route to other hosts than those in `NO_PROXY`; `nil` for that of the environment.
    package var route: ProxyRules.Route?
    /// The retries of failed requests; `nil` for those of the process. ``AsyncHTTPClientTransport`` retries nothing.
    package var retries: RetrySettings?
    /// The time for opening a connection (docs/reference/Protocol.md#transport).
    package var connectTimeout: Duration = .seconds(30)
    /// The connections to one host. Further requests wait until one of them is free. Eight is the HTTP client's own number.
    package var maximumConnections = 8
    /// The addresses of hosts that the caller has resolved. Requests to these hosts use no name server and no proxy.
    package var addresses: [String: String] = [:]
    /// Whether the system has certificate authorities; `nil` looks. Small images for containers have none.
    package var systemHasAuthorities: Bool?

    package init(caFile: URL? = nil, environment: [String: String] = ProcessInfo.processInfo.environment) {
        self.caFile = caFile
        self.environment = environment.filter { Self.readVariables.contains($0.key) }
    }

    private static let readVariables: Set<String> = ProxyRules.readVariables.union(["SSL_CERT_FILE"])

    package var description: String { "HTTPSettings" }

    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The limits for repeating a request (docs/reference/Protocol.md#transport). `MSALHTTPConfig` and the retry policies of
/// applications set them. A value out of range counts as the nearest one in the range.
package struct RetrySettings: Sendable, Hashable {
    /// The number of times that a failed request is repeated; 0 to 100.
    package var count = 1
    /// The pause before the first repetition. No pause is longer than five minutes.
    package var interval: Duration = .milliseconds(500)
    /// The factor by which each further pause is longer; at least 1.
    package var multiplier = 1.0
    /// The largest random part that is taken off a pause; 0 to 1.
    package var jitter = 0.0
    /// The time limit of all attempts and the pauses between them.
    package var totalTimeout: Duration?
    /// The statuses after which a request is repeated. Other statuses than ``repeatableStatuses`` are ignored.
    package var statuses = Set(500...599)
    /// The pause before a repetition if this machine is offline.
    package var offlineInterval: Duration = .seconds(2)
    /// The time limit of each attempt, for messages that name none.
    package var timeout: Duration = .seconds(300)
    /// Whether the time limit of a message is one for all attempts and the pauses between them.
    package var limitsAllAttempts = false

    /// The statuses of failures that may pass. After others, such as 200, a repetition could lose a token.
    static let repeatableStatuses = Set(500...599).union([408, 425, 429])

    package init() {}

    /// The pause after an attempt, of which the first has the number 1. `random` is from 0 to 1.
    func pause(after attempt: Int, random: Double) -> Duration {
        let seconds = interval / .seconds(1) * pow(max(1, multiplier), Double(attempt - 1))
        return .seconds(min(max(0, seconds * (1 - min(max(0, jitter), 1) * random)), 300))
    }
}
