// Licensed under the MIT License. See LICENSE.

package import Foundation
import HTTPGuards
package import MSALBase

/// Chooses the proxy for a request, by default from the environment variables that curl and most programs honor.
///
/// It uses the first of `https_proxy`, `HTTPS_PROXY`, `all_proxy` and `ALL_PROXY` that is set. `no_proxy` and
/// `NO_PROXY` list the exceptions. Requests to loopback addresses never pass a proxy. Plain http does not either,
/// because it stays on this machine.
package struct ProxyRules: Sendable {
    /// A proxy server.
    package struct Proxy: Sendable, Hashable {
        /// The protocol of the proxy.
        package enum Kind: Sendable, Hashable {
            case http
            case socks5
        }

        package var kind: Kind
        package var host: String
        package var port: Int
        /// The user name and the password as `user:password`, percent-decoded.
        package var credentials: Secret?
        /// The setting that names the proxy, for messages.
        package var setting: String
    }

    /// The route of requests to one URL.
    package enum Route: Sendable, Hashable {
        case direct
        case proxy(Proxy)
        /// The variable's value cannot be used. The reason does not quote it, because it may hold a password.
        case unusable(reason: String)
    }

    /// The variables that count, in both spellings.
    static let readVariables: Set<String> = [
        "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
    ]

    private let route: Route
    private let exceptions: [String]

    /// `route` replaces that of the environment, except for the exceptions in `NO_PROXY`.
    package init(environment: [String: String], route: Route? = nil) {
        func value(_ names: String...) -> String? {
            names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        }
        let address = value("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
        self.route = route ?? address.map { Self.route(through: $0, in: "HTTPS_PROXY") } ?? .direct
        exceptions = (value("no_proxy", "NO_PROXY") ?? "")
            .split { $0 == "," || $0.isWhitespace }
            .map { $0.lowercased() }
    }

    /// The route to `url`.
    package func route(for url: URL) -> Route {
        guard url.scheme?.lowercased() == "https", let host = url.host()?.lowercased() else { return .direct }
        let name = Self.withoutFinalDot(host.trimmingCharacters(in: ["[", "]"]))
        let port = url.port ?? 443
        if LoopbackAddress.contains(name) || exceptions.contains(where: { Self.entry($0, excepts: name, port: port) }) {
            return .direct
        }
        return route
    }

    /// Whether an entry of `NO_PROXY` matches. It is `*`, a host that also matches all names below it, `.suffix`, an IP
    /// address, or a network such as `10.0.0.0/8`. Each may have a port, and a name a final dot.
    private static func entry(_ entry: String, excepts host: String, port: Int) -> Bool {
        if entry == "*" { return true }
        var pattern = entry
        if entry.hasPrefix("["), let end = entry.firstIndex(of: "]") {  // The form is [::1] or [::1]:8443.
            pattern = String(entry[entry.index(after: entry.startIndex)..<end])
            let rest = entry[entry.index(after: end)...]
            guard rest.isEmpty || rest == ":\(port)" else { return false }
        } else if entry.count(where: { $0 == ":" }) == 1, let colon = entry.firstIndex(of: ":") {
            guard entry[entry.index(after: colon)...] == "\(port)" else { return false }
            pattern = String(entry[..<colon])
        }
        if let network = NetworkRange(pattern) { return network.contains(host) }
        pattern = withoutFinalDot(pattern)
        if pattern.hasPrefix("*.") { pattern.removeFirst() }
        let bare = pattern.hasPrefix(".") ? String(pattern.dropFirst()) : pattern
        return !bare.isEmpty && (host == bare || host.hasSuffix("." + bare))
    }

    /// A domain name without the dot that ends an absolute one (RFC 1034 §3.1).
    private static func withoutFinalDot(_ name: String) -> String {
        name.count > 1 && name.hasSuffix(".") ? String(name.dropLast()) : name
    }

    /// The route through the proxy in a setting. `user` and `password` replace those in its address.
    package static func route(
        through address: String,
        in setting: String = "the application's proxy setting",
        user: String? = nil,
        password: String? = nil
    ) -> Route {
        // As in curl, an address without a scheme is an HTTP proxy.
        let text = address.contains("://") ? address : "http://" + address
        guard let parts = URLComponents(string: text), let host = parts.host, !host.isEmpty else {
            return .unusable(reason: "The address in \(setting) is invalid. Use one such as http://proxy.example:8080.")
        }
        guard ServerAddress.hasPossiblePort(text) else {
            return .unusable(reason: "The port in \(setting) is invalid. A port is a number from 1 to 65535.")
        }
        let name = host.trimmingCharacters(in: ["[", "]"])
        let credentials = (user ?? parts.user).map { Secret("\($0):\(password ?? parts.password ?? "")") }
        var proxy = Proxy(kind: .http, host: name, port: parts.port ?? 80, credentials: credentials, setting: setting)
        switch parts.scheme?.lowercased() {
        case "http":
            return .proxy(proxy)
        case "socks5", "socks5h", "socks":
            guard credentials == nil else {
                return .unusable(reason: "A SOCKS proxy with a user name is not supported. Use one without it.")
            }
            (proxy.kind, proxy.port) = (.socks5, parts.port ?? 1080)
            return .proxy(proxy)
        default:
            return .unusable(reason: "The address in \(setting) has an unsupported scheme. Use http:// or socks5://.")
        }
    }
}
