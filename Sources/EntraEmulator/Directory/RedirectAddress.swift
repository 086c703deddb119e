// Licensed under the MIT License. See LICENSE.

import Foundation

/// A redirect URI, parsed strictly enough to be compared.
struct RedirectAddress: Sendable, Equatable {
    /// The text as it was sent.
    let text: String
    /// In lower case.
    let scheme: String
    /// In lower case, without the port; an IPv6 address includes its square brackets.
    let host: String
    let port: Int?
    /// Path and query exactly as sent.
    let rest: String

    /// Parses the text; `nil` for anything that is not a plain absolute URI of at most 256 characters.
    init?(_ text: String) {
        guard text.utf8.count <= 256, !text.contains("#"), !text.contains("\\") else { return nil }
        guard text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value < 0x7F }) else { return nil }
        guard let separator = text.range(of: "://") else { return nil }
        let scheme = text[..<separator.lowerBound].lowercased()
        guard let first = scheme.first, first.isLetter,
            scheme.allSatisfy({ $0.isLetter || $0.isNumber || "+-.".contains($0) })
        else { return nil }
        let remainder = text[separator.upperBound...]
        let end = remainder.firstIndex { $0 == "/" || $0 == "?" } ?? remainder.endIndex
        let authority = remainder[..<end].lowercased()
        guard !authority.contains("@"), !authority.isEmpty else { return nil }
        guard let (host, port) = Self.hostAndPort(authority) else { return nil }
        self.text = text
        self.scheme = scheme
        self.host = host
        self.port = port
        rest = String(remainder[end...])
    }

    /// Whether the scheme is `http` and the host a loopback name.
    var isLoopback: Bool {
        scheme == "http" && ["localhost", "127.0.0.1", "[::1]"].contains(host)
    }

    /// Whether the URI of a request matches the registered one (`self`).
    ///
    /// Matching is exact, except for the case of scheme and host, a slash as the only path, and the port of
    /// `http://localhost` and `http://127.0.0.1` (RFC 8252 §7.3).
    func matches(_ requested: RedirectAddress) -> Bool {
        isOfOrigin(requested) && Self.withoutSlash(rest) == Self.withoutSlash(requested.rest)
    }

    /// Whether scheme, host, and port match those of an origin.
    func isOfOrigin(_ origin: RedirectAddress) -> Bool {
        let ignoresPort = scheme == "http" && ["localhost", "127.0.0.1"].contains(host)
        return scheme == origin.scheme && host == origin.host && (ignoresPort || port == origin.port)
    }

    private static func withoutSlash(_ rest: String) -> String {
        rest == "/" ? "" : rest
    }

    private static func hostAndPort(_ authority: String) -> (String, Int?)? {
        if authority.hasPrefix("[") {
            guard let bracket = authority.firstIndex(of: "]") else { return nil }
            let host = String(authority[...bracket])
            let tail = authority[authority.index(after: bracket)...]
            return tail.isEmpty ? (host, nil) : port(tail).map { (host, $0) }
        }
        guard let colon = authority.firstIndex(of: ":") else { return (authority, nil) }
        return port(authority[colon...]).map { (String(authority[..<colon]), $0) }
    }

    private static func port(_ text: Substring) -> Int? {
        let digits = text.dropFirst()
        guard text.first == ":", (1...5).contains(digits.count), digits.allSatisfy(\.isWholeNumber) else { return nil }
        return Int(digits).flatMap { (1...65535).contains($0) ? $0 : nil }
    }
}
