// Licensed under the MIT License. See LICENSE.

package import Foundation

/// The parts of a URL that make an authority: where it is and which path it has. Query, fragment and user are dropped.
package struct AuthorityAddress: Sendable, Hashable {
    /// The host in lower case, followed by `:port` where that is not 443; an IPv6 address in brackets.
    package let environment: String
    /// The path as it was spelled, percent-encoded.
    package let path: String
    /// Whether the scheme is `https`.
    package let isSecure: Bool

    /// The non-empty segments of the path, percent-encoded.
    package var segments: [String] {
        path.split(separator: "/").map(String.init)
    }

    /// `nil` if `url` has no host.
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
    package var isLoopback: Bool {
        LoopbackAddress.contains(String(host.drop { $0 == "[" }.prefix { $0 != "]" }))
    }

    /// `url` at another environment; scheme, path, query and fragment stay.
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

    /// Whether `text` is a host with an optional port and nothing else.
    package static func isEnvironment(_ text: String) -> Bool {
        guard
            let url = URL(string: "https://\(text)", encodingInvalidCharacters: false),
            let components = URLComponents(url: url, resolvingAgainstBaseURL: false),
            let host = components.encodedHost, !host.isEmpty
        else { return false }
        let spelled = components.port.map { "\(host):\($0)" } ?? host
        return spelled == text
    }
}
