// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

/// A URL to which a V2 flow sends its requests, including codes and passwords. It is always below the tenant of the
/// authority (docs/reference/NativeAuthV2.md#links).
struct FlowLink: Sendable, Hashable {
    let url: URL

    /// One of the two URLs that the client constructs itself.
    enum Fixed: String, Sendable {
        case authorizeChallenge = "oauth2/v2.0/authorize-challenge"
        case token = "oauth2/v2.0/token"
    }

    init(_ fixed: Fixed, below authority: Authority) { url = authority.appending(fixed.rawValue) }

    /// Parses a link in a response; `nil` for a link that must not be followed.
    init?(_ text: String, below authority: Authority) {
        let text = text.trimmingCharacters(in: [" "])
        guard
            let reference = Self.reference(in: text, below: authority),
            let url = Self.url(of: reference, below: authority)
        else { return nil }
        self.url = url
    }

    /// Whether a text has only characters that a URL may have, or the braces of a tenant template.
    private static func isAddress(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x21..<0x7F).contains($0) && !##"\#"<>^`|"##.utf8.contains($0) }
    }

    /// The path and the query of a link; `nil` if the link names another origin or an unreadable one.
    private static func reference(in text: String, below authority: Authority) -> Substring? {
        guard isAddress(text), !text.hasPrefix("//") else { return nil }
        guard let colon = text.firstIndex(of: ":"), text[..<colon].allSatisfy(isPartOfScheme) else {
            return text.hasPrefix("/") ? text[...] : "/" + text[...]
        }
        // Scheme, host, and port must be exactly those of the authority, except for case and the default port.
        let rest = text[text.index(after: colon)...]
        guard rest.hasPrefix("//"), text[..<colon].lowercased() == authority.url.scheme?.lowercased() else {
            return nil
        }
        let afterSlashes = rest.dropFirst(2)
        let end = afterSlashes.firstIndex { "/?".contains($0) } ?? afterSlashes.endIndex
        var environment = afterSlashes[..<end].lowercased()
        if environment.hasSuffix(":443") { environment.removeLast(4) }
        guard environment == authority.environment else { return nil }
        return afterSlashes[end...]
    }

    /// The URL below the tenant of the authority. Replaces the segment of another tenant.
    private static func url(of reference: Substring, below authority: Authority) -> URL? {
        let pathEnd = reference.firstIndex(of: "?") ?? reference.endIndex
        var segments = reference[..<pathEnd].split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        if let first = segments.first, !roots.contains(first) {
            guard first == "{tenant}" || !first.contains(where: "{}".contains), isHarmless(first) else { return nil }
            segments = segments.dropFirst()
        }
        guard
            segments.count > 1, let root = segments.first, roots.contains(root),
            segments.dropLast().allSatisfy(isHarmless), segments.last.map({ $0.isEmpty || isHarmless($0) }) == true,
            !segments.contains(where: { $0.contains(where: "{}".contains) }),
            !reference[pathEnd...].contains(where: "{}".contains)
        else { return nil }
        let base = authority.url.absoluteString
        let text = (base.hasSuffix("/") ? String(base.dropLast()) : base) + "/" + segments.joined(separator: "/")
        return URL(string: text + reference[pathEnd...], encodingInvalidCharacters: false)
    }

    /// The first segments after the tenant in links.
    private static let roots: Set<Substring> = ["api", "oauth2"]

    /// Whether no server can interpret the segment as a change of folder, as the end of a line, or as empty.
    private static func isHarmless(_ segment: Substring) -> Bool {
        guard let decoded = segment.removingPercentEncoding, !decoded.hasControlCharacters else { return false }
        return decoded.split(omittingEmptySubsequences: false) { "/\\".contains($0) }
            .allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
    }

    private static func isPartOfScheme(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "+-.".contains(character))
    }
}
