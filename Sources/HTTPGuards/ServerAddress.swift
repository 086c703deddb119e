// Licensed under the MIT License. See LICENSE.

import Foundation

/// The validated address of another server, from a seed file, a document, a page, an assertion, or the command line.
///
/// The HTTP client crashes on some addresses, such as one with the port 65536, so an address is validated once, when
/// the value is created.
package struct ServerAddress {
    package let text: String
    package let host: String

    /// `nil` unless the text has one of the schemes, a host, no user name or password, no port or one from 1 to 65535,
    /// and at most `maximumLength` bytes.
    package init?(_ text: String, schemes: Set<String> = ["https"], maximumLength: Int = 2_048) {
        guard
            text.utf8.count <= maximumLength,
            let parts = URLComponents(string: text), let host = URL(string: text)?.host(),
            let scheme = parts.scheme?.lowercased(), schemes.contains(scheme), !host.isEmpty,
            parts.host?.isEmpty == false, parts.user == nil, parts.password == nil,
            Self.hasPossiblePort(text)
        else { return nil }
        self.text = text
        self.host = host
    }

    /// Whether the address has no port, or a valid one.
    ///
    /// Parses the text because `URL` reports no port if the number is too large for an integer.
    package static func hasPossiblePort(_ text: String) -> Bool {
        let colon = UInt8(ascii: ":")
        guard let scheme = text.utf8.firstIndex(of: colon), text.utf8[scheme...].starts(with: "://".utf8) else {
            return false
        }
        let authority = text.utf8[scheme...].dropFirst(3).prefix { !"/?#\\".utf8.contains($0) }
        // Skips a user name or an IPv6 address, which may contain colons.
        let end = authority.lastIndex { "@]".utf8.contains($0) }.map { authority.index(after: $0) }
        let afterHost = authority[(end ?? authority.startIndex)...]
        guard let port = afterHost.lastIndex(of: colon) else { return true }
        let digits = afterHost[port...].dropFirst()
        // RFC 3986 §3.2.3 allows a colon without a number, which means the scheme's default port.
        guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return false }
        return digits.isEmpty || UInt16(Substring(digits)).map { $0 > 0 } ?? false
    }
}
