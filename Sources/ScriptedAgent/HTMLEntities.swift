// Licensed under the MIT License. See LICENSE.

extension String {
    /// The text with decoded HTML character references: numeric ones, the five of XML, and `&nbsp;`.
    ///
    /// An unknown or incomplete reference is left unchanged.
    package var decodingHTMLEntities: String {
        guard utf8.contains(UInt8(ascii: "&")) else { return self }
        var decoded = ""
        var rest = self[...]
        while let ampersand = rest.firstIndex(of: "&") {
            decoded += rest[..<ampersand]
            rest = rest[ampersand...]
            let body = rest.dropFirst().prefix(Self.longestReference)
            if let semicolon = body.firstIndex(of: ";"), let character = Self.character(named: body[..<semicolon]) {
                decoded.append(character)
                rest = rest[rest.index(after: semicolon)...]
            } else {
                decoded.append("&")
                rest = rest.dropFirst()
            }
        }
        return decoded + rest
    }

    private static let longestReference = 12

    private static func character(named name: Substring) -> Character? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        case "nbsp": return "\u{A0}"
        default: break
        }
        guard name.first == "#" else { return nil }
        let digits = name.dropFirst()
        let isHexadecimal = digits.first == "x" || digits.first == "X"
        let number = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        // As in browsers, surrogates, zero, and numbers outside of Unicode become the replacement character.
        return number.map { Character(Unicode.Scalar($0).flatMap { $0.value == 0 ? nil : $0 } ?? "\u{FFFD}") }
    }
}
