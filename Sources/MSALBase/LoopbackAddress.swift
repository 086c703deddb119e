// Licensed under the MIT License. See LICENSE.

import Foundation

/// Names of this machine's loopback interface.
package enum LoopbackAddress {
    /// Whether `host` is `localhost`, in 127.0.0.0/8, or `::1` (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3). It has no brackets and
    /// no port.
    package static func contains(_ host: String) -> Bool {
        let name = host.lowercased()
        return name == "localhost" || name == "::1" || octets(name)?.first == 127
    }

    /// The addresses of its names, in the order in which they are tried.
    package static let all = ["127.0.0.1", "::1"]

    /// Whether `host` is `localhost` or a name below it, which no name server is asked for (RFC 6761 §6.3).
    package static func isName(_ host: String) -> Bool {
        let labels = host.lowercased().split(separator: ".", omittingEmptySubsequences: false)
        // A dot at the end makes a name absolute.
        return (labels.last == "" ? labels.dropLast() : labels[...]).last == "localhost"
    }

    /// Whether `host` is a link-local IPv4 address (169.254.0.0/16). The metadata services of clouds have such addresses.
    package static func isLinkLocal(_ host: String) -> Bool {
        octets(host)?.starts(with: [169, 254]) ?? false
    }

    /// The four numbers of an address. A sign is refused, and so is a leading zero, because some programs read it as octal.
    private static func octets(_ host: String) -> [UInt8]? {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let octets = parts.compactMap { part in UInt8(part).flatMap { String($0) == part ? $0 : nil } }
        return parts.count == 4 && octets.count == 4 ? octets : nil
    }
}
