// Licensed under the MIT License. See LICENSE.

import Foundation

/// The addresses of paths at Microsoft Graph.
enum GraphAddress {
    /// Whether a text is a full address. A path is one only by its beginning: its segments and its query may hold `://`.
    static func isAddress(_ text: String) -> Bool {
        let text = text.prefix(8).lowercased()
        return text == "https://" || text.hasPrefix("http://")
    }

    /// The address of a path. A full address must have the host of `graph`.
    ///
    /// A path on the command line is not a URL reference: it has no fragment, and its first `?` begins the query. All
    /// characters that a URL cannot hold are percent-encoded, and escapes stay as they are.
    ///
    /// - Throws: `Failure` with the status `usage` for another host, which must not see the token, and for the segments
    ///   `.` and `..`, by which the request would reach another object.
    static func url(_ path: String, at graph: URL) throws(Failure) -> URL {
        let isAddress = isAddress(path)
        let whole = isAddress ? path : address(ofRelative: path, at: graph)
        let hostEnd = whole.utf8.dropFirst(8).firstIndex(where: Set("/?#".utf8).contains) ?? whole.endIndex
        let (target, query) = split(String(whole[hostEnd...]))
        // By bytes: in "/\u{301}" Swift sees one character, and a server a slash.
        guard !target.utf8.split(separator: UInt8(ascii: "/")).contains(where: { isDotSegment(Substring($0)) }) else {
            throw .usage("\(path) has the segment . or .. in its path.", remedy: Remedy.graphPath)
        }
        let text = whole[..<hostEnd] + target.percentEncoded + query.percentEncoded
        guard let url = URL(string: String(text), encodingInvalidCharacters: false), isSamePlace(url, as: graph) else {
            guard isAddress else { throw .usage("\(path) cannot be part of an address.", remedy: Remedy.graphPath) }
            throw .usage(
                "The token is sent only to \(graph.absoluteString), and \(path) is not there.",
                remedy: "Pass a path such as /me, or another Microsoft Graph with --graph-url."
            )
        }
        return url
    }

    /// A path and its query. The query includes the first `?`, which begins it, and is empty without one.
    static func split(_ path: String) -> (path: String, query: String) {
        let end = path.utf8.firstIndex(of: UInt8(ascii: "?")) ?? path.endIndex
        return (String(path[..<end]), String(path[end...]))
    }

    private static func address(ofRelative path: String, at graph: URL) -> String {
        let relative = path.hasPrefix("/") ? String(path.dropFirst()) : path
        let version = relative.prefix { $0 != "/" && $0 != "?" }
        let base = graph.absoluteString.hasSuffix("/") ? graph.absoluteString : graph.absoluteString + "/"
        return base + (["v1.0", "beta"].contains(version) ? relative : "v1.0/" + relative)
    }

    /// Servers treat an escaped full stop like a plain one (RFC 3986 §6.2.2.2).
    private static func isDotSegment(_ segment: Substring) -> Bool {
        [".", ".."].contains(segment.lowercased().replacing("%2e", with: "."))
    }

    private static func isSamePlace(_ url: URL, as graph: URL) -> Bool {
        url.scheme?.lowercased() == "https" && url.host()?.lowercased() == graph.host()?.lowercased()
            && (url.port ?? 443) == (graph.port ?? 443) && url.user() == nil && url.fragment == nil
    }
}

extension String {
    /// The text with an escape for each byte that neither a path nor a query can hold (RFC 3986 §3.3, §3.4). Escapes
    /// stay as they are, and a `%` that begins no escape is escaped.
    fileprivate var percentEncoded: String {
        let (bytes, plain) = (Array(utf8), Set("-._~!$&'()*+,;=:@/?".utf8))
        func isHex(_ index: Int) -> Bool { index < bytes.count && Character(Unicode.Scalar(bytes[index])).isHexDigit }
        return bytes.indices.map { index in
            let byte = bytes[index]
            let isEscape = byte == UInt8(ascii: "%") && isHex(index + 1) && isHex(index + 2)
            let scalar = Unicode.Scalar(byte)
            let isKept =
                isEscape || plain.contains(byte) || byte < 0x80 && scalar.properties.isAlphabetic
                || ("0"..."9").contains(scalar)
            return isKept ? String(scalar) : String(format: "%%%02X", byte)
        }.joined()
    }
}
