// Licensed under the MIT License. See LICENSE.

package import Foundation
import HTTPGuards
import MSALBase

/// The parts of a URL that make an authority: host, port and path. Query, fragment and user are dropped.
package struct AuthorityAddress: Sendable, Hashable {
    /// The host in lower case, with `:port` unless that is 443. An IPv6 address is in brackets.
    package let environment: String
    /// The path, percent-encoded as it was given.
    package let path: String
    /// Whether the scheme is `https`.
    package let isSecure: Bool

    /// The non-empty segments of the path, percent-encoded.
    package var segments: [String] { path.split(separator: "/").map(String.init) }

    /// Parses a URL; `nil` if it has no host.
    package init?(_ url: URL) {
        guard
            let components = URLComponents(url: url, resolvingAgainstBaseURL: true),
            let host = components.encodedHost?.lowercased(), !host.isEmpty
        else { return nil }
        if let port = components.port, port != 443 {
            environment = "\(host):\(port)"
        } else {
            environment = host
        }
        path = components.percentEncodedPath
        isSecure = components.scheme?.lowercased() == "https"
    }

    /// `environment` without its port.
    package var host: String {
        guard let colon = environment.lastIndex(of: ":"), !environment.hasSuffix("]") else { return environment }
        return String(environment[..<colon])
    }

    /// Whether the host is this machine.
    package var isLoopback: Bool { LoopbackAddress.contains(String(host.drop { $0 == "[" }.prefix { $0 != "]" })) }

    /// Replaces the environment of `url`. Scheme, path, query and fragment stay.
    package func replacingEnvironment(_ environment: String, of url: URL) -> URL {
        guard
            environment != self.environment,
            AuthorityAddress.isEnvironment(environment),
            var components = URLComponents(url: url, resolvingAgainstBaseURL: true),
            let target = URL(string: "https://\(environment)").flatMap({
                URLComponents(url: $0, resolvingAgainstBaseURL: false)
            })
        else { return url }
        components.encodedHost = target.encodedHost
        components.port = target.port
        return components.url ?? url
    }

    /// Whether `text` consists of a host and an optional, valid port.
    package static func isEnvironment(_ text: String) -> Bool {
        guard
            let url = URL(string: "https://\(text)", encodingInvalidCharacters: false),
            let components = URLComponents(url: url, resolvingAgainstBaseURL: false),
            let host = components.encodedHost, !host.isEmpty
        else { return false }
        let spelled = components.port.map { "\(host):\($0)" } ?? host
        return spelled == text && ServerAddress.hasPossiblePort(url.absoluteString)
    }
}
