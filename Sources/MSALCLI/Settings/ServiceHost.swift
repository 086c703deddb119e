// Licensed under the MIT License. See LICENSE.

import Foundation

/// A normalized host: lowercase letters, and brackets around an IPv6 address.
struct ServiceHost: Equatable {
    /// The host. If the port is not 443, `:port` follows.
    let environment: String
    /// The host alone.
    let name: String

    /// `nil` if the address has no host.
    init?(_ url: URL) {
        guard let components = URLComponents(url: url, resolvingAgainstBaseURL: true),
            let host = components.encodedHost?.lowercased(), !host.isEmpty
        else { return nil }
        name = host
        environment = components.port.flatMap { $0 == 443 ? nil : "\(host):\($0)" } ?? host
    }

    /// The host of an environment, as accounts name it.
    init?(environment: String) {
        guard let url = URL(string: "https://\(environment)") else { return nil }
        self.init(url)
    }

    /// Whether the host is this machine: `localhost`, 127.0.0.0/8, `::1` (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3).
    var isLoopback: Bool {
        if name == "localhost" || name == "[::1]" { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        // A part with a leading zero is not accepted, because some programs read it as octal.
        let octets = parts.compactMap { part in UInt8(part).flatMap { String($0) == part ? $0 : nil } }
        return parts.count == 4 && octets.count == 4 && octets[0] == 127
    }
}
