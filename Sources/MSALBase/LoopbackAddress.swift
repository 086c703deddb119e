// Licensed under the MIT License. See LICENSE.

import Foundation

/// Names of this machine's loopback interface.
package enum LoopbackAddress {
    /// Whether `host` is `localhost`, in 127.0.0.0/8, or `::1` (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3). It must not
    /// include brackets or a port.
    package static func contains(_ host: String) -> Bool {
        let name = host.lowercased()
        return name == "localhost" || name == "::1" || octets(name)?.first == 127
    }

    /// The addresses of local names, in the order in which to try them.
    package static let all = ["127.0.0.1", "::1"]

    /// Whether `host` is `localhost` or a subdomain, which must not be resolved through a name server (RFC 6761 §6.3).
    package static func isName(_ host: String) -> Bool {
        let labels = host.lowercased().split(separator: ".", omittingEmptySubsequences: false)
        // A trailing dot makes a name absolute.
        return (labels.last == "" ? labels.dropLast() : labels[...]).last == "localhost"
    }

    /// Whether `host` is a link-local IPv4 address (169.254.0.0/16), which cloud metadata services use.
    package static func isLinkLocal(_ host: String) -> Bool {
        octets(host)?.starts(with: [169, 254]) ?? false
    }

    /// The four numbers of an address. Signs and leading zeros are rejected; some programs read the latter as octal.
    private static func octets(_ host: String) -> [UInt8]? {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let octets = parts.compactMap { part in UInt8(part).flatMap { String($0) == part ? $0 : nil } }
        return parts.count == 4 && octets.count == 4 ? octets : nil
    }
}
