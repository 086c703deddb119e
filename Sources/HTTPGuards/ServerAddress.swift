// Licensed under the MIT License. See LICENSE.

import Foundation

/// The address of another server, as a seed file, a document, a page, an assertion or the command line names it.
///
/// The HTTP client ends the process on some addresses, such as one with the port 65536. So an address is checked once,
/// when it is made.
package struct ServerAddress {
    package let text: String
    package let host: String

    /// `nil` unless the text has one of the schemes, a host, no user, a port from 1 to 65535, and no more bytes than
    /// `maximumLength`.
    package init?(_ text: String, schemes: Set<String> = ["https"], maximumLength: Int = 2_048) {
        guard
            text.utf8.count <= maximumLength,
            let parts = URLComponents(string: text), let host = URL(string: text)?.host(),
            let scheme = parts.scheme?.lowercased(), schemes.contains(scheme), !host.isEmpty,
            parts.host?.isEmpty == false, parts.user == nil, parts.password == nil,
            Self.hasPossiblePort(text.dropFirst("\(scheme)://".count))
        else { return nil }
        self.text = text
        self.host = host
    }

    /// Whether the text behind the scheme names no port, or a possible one. `URLComponents` shows no port if the number is too
    /// large for an integer.
    private static func hasPossiblePort(_ text: Substring) -> Bool {
        let authority = text.prefix { !"/?#\\".contains($0) }
        let afterHost = authority.lastIndex(of: "]").map { authority[authority.index(after: $0)...] } ?? authority
        guard let colon = afterHost.lastIndex(of: ":") else { return true }
        let digits = afterHost[afterHost.index(after: colon)...]
        return digits.isEmpty || digits.allSatisfy(\.isASCII) && UInt16(digits).map { $0 > 0 } ?? false
    }
}
