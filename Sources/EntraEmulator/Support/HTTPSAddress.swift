// Licensed under the MIT License. See LICENSE.

import Foundation

/// The https address of another server, as a seed file, a document or an assertion names it.
///
/// The HTTP client ends the process on some addresses, such as one with the port 65536. So an address is checked once,
/// when it is made.
struct HTTPSAddress {
    let text: String

    /// `nil` unless the text has the scheme https, a host, no user, a port from 1 to 65535, and at most 2,048 bytes.
    init?(_ text: String) {
        guard
            text.utf8.count <= 2_048, let parts = URLComponents(string: text), URL(string: text) != nil,
            parts.scheme?.lowercased() == "https", parts.host?.isEmpty == false, parts.user == nil,
            parts.password == nil,
            Self.hasPossiblePort(text)
        else { return nil }
        self.text = text
    }

    /// Whether the text names no port, or a possible one. `URLComponents` shows no port if the number is too large for
    /// an integer.
    private static func hasPossiblePort(_ text: String) -> Bool {
        let authority = text.dropFirst("https://".count).prefix { !"/?#\\".contains($0) }
        let afterHost = authority.lastIndex(of: "]").map { authority[authority.index(after: $0)...] } ?? authority
        guard let colon = afterHost.lastIndex(of: ":") else { return true }
        let digits = afterHost[afterHost.index(after: colon)...]
        return digits.isEmpty || digits.allSatisfy(\.isASCII) && UInt16(digits).map { $0 > 0 } ?? false
    }
}
