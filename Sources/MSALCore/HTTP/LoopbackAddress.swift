// Licensed under the MIT License. See LICENSE.

import Foundation

/// Names of this machine's loopback interface.
package enum LoopbackAddress {
    /// Whether `host`, without brackets and port, is one of them: `localhost`, 127.0.0.0/8, `::1` (RFC 1122 §3.2.1.3,
    /// RFC 4291 §2.5.3).
    package static func contains(_ host: String) -> Bool {
        let name = host.lowercased()
        return name == "localhost" || name == "::1" || octets(name)?.first == 127
    }

    /// Whether `host` is a link-local IPv4 address (169.254.0.0/16), where clouds keep their metadata services.
    package static func isLinkLocal(_ host: String) -> Bool {
        octets(host)?.starts(with: [169, 254]) ?? false
    }

    /// Four numbers as everybody reads them: without a sign, and without a leading zero, which some take for octal.
    private static func octets(_ host: String) -> [UInt8]? {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let octets = parts.compactMap { part in UInt8(part).flatMap { String($0) == part ? $0 : nil } }
        return parts.count == 4 && octets.count == 4 ? octets : nil
    }
}
