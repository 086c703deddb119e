// Licensed under the MIT License. See LICENSE.

/// A token of an HTML page.
package enum HTMLToken: Sendable, Equatable {
    /// A start tag; names are in lower case, values are decoded, and the first of several attributes with the same name
    /// wins.
    case start(name: String, attributes: [String: String])
    /// An end tag, with the name in lower case.
    case end(name: String)
    /// Decoded text between tags.
    case text(String)
}

/// Splits an HTML page into tags and text. It accepts any bytes, reads each at most twice, and never fails.
package struct HTMLTokenizer: Sequence, IteratorProtocol {
    /// Elements whose content is text up to their own end tag.
    private static let rawTextElements: Set = ["script", "style", "textarea", "title"]
    /// The raw text elements in which references are not decoded.
    private static let undecodedElements: Set = ["script", "style"]

    private let bytes: [UInt8]
    private var position = 0
    private var openRawTextElement: String?

    /// Creates a tokenizer for a page.
    package init(_ html: String) { bytes = Array(html.utf8) }

    /// The next token, or `nil` at the end.
    package mutating func next() -> HTMLToken? {
        if let element = openRawTextElement {
            openRawTextElement = nil
            let text = readRawText(of: element)
            if !text.isEmpty {
                return .text(Self.undecodedElements.contains(element) ? text : text.decodingHTMLEntities)
            }
        }
        while position < bytes.count {
            if bytes[position] != .lessThan { return .text(readText(from: position)) }
            switch byte(at: position + 1) {
            case .some(let byte) where byte.isLetter: if let tag = readStartTag() { return tag }
            case .some(.slash): if let tag = readEndTag() { return tag }
            case .some(.exclamationMark): skipDeclaration()
            case .some(.questionMark): position = index(of: .greaterThan, from: position) + 1
            default: return .text(readText(from: position))
            }
        }
        return nil
    }

    private func byte(at index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

    private func index(of wanted: UInt8, from start: Int) -> Int {
        var index = start
        while index < bytes.count, bytes[index] != wanted { index += 1 }
        return index
    }

    private func string(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    /// Text up to the next `<` that starts a tag.
    private mutating func readText(from start: Int) -> String {
        position = index(of: .lessThan, from: start + 1)
        return string(start..<position).decodingHTMLEntities
    }

    private mutating func readRawText(of element: String) -> String {
        let start = position
        let endTag = Array("</\(element)".utf8)
        while position < bytes.count {
            position = index(of: .lessThan, from: position)
            let candidate = bytes[position...].prefix(endTag.count)
            if candidate.count == endTag.count, zip(candidate, endTag).allSatisfy({ $0.lowercased == $1 }) { break }
            position = Swift.min(position + 1, bytes.count)
        }
        return string(start..<position)
    }

    private mutating func skipDeclaration() {
        guard byte(at: position + 2) == .hyphen, byte(at: position + 3) == .hyphen else {
            position = index(of: .greaterThan, from: position) + 1
            return
        }
        var end = position + 4
        while end < bytes.count {
            end = index(of: .greaterThan, from: end) + 1
            if end <= bytes.count, bytes[end - 2] == .hyphen, bytes[end - 3] == .hyphen { break }
        }
        position = end
    }

    private mutating func readEndTag() -> HTMLToken? {
        let start = position + 2
        var end = start
        while let byte = byte(at: end), byte.isNamePart { end += 1 }
        position = index(of: .greaterThan, from: end) + 1
        return end > start ? .end(name: string(start..<end).lowercased()) : nil
    }

    /// A start tag, or `nil` if the page ends inside it.
    private mutating func readStartTag() -> HTMLToken? {
        let start = position + 1
        position = start
        while let byte = byte(at: position), byte.isNamePart { position += 1 }
        let name = string(start..<position).lowercased()
        var attributes: [String: String] = [:]
        while let byte = byte(at: position) {
            if byte == .greaterThan {
                position += 1
                if Self.rawTextElements.contains(name) { openRawTextElement = name }
                return .start(name: name, attributes: attributes)
            }
            if byte.isSpace || byte == .slash {
                position += 1
                continue
            }
            let (attribute, value) = readAttribute()
            if attributes[attribute] == nil { attributes[attribute] = value }
        }
        return nil
    }

    /// Reads a name and, after `=`, a value with or without quotes. It always advances by at least one byte.
    private mutating func readAttribute() -> (name: String, value: String) {
        let start = position
        position += 1
        while let byte = byte(at: position), byte.isNamePart, byte != .equals { position += 1 }
        let name = string(start..<position).lowercased()
        skipSpaces()
        guard byte(at: position) == .equals else { return (name, "") }
        position += 1
        skipSpaces()
        let valueStart: Int
        let valueEnd: Int
        if let quote = byte(at: position), quote == .quotationMark || quote == .apostrophe {
            valueStart = position + 1
            valueEnd = index(of: quote, from: valueStart)
            position = valueEnd + 1
        } else {
            valueStart = position
            while let byte = byte(at: position), !byte.isSpace, byte != .greaterThan { position += 1 }
            valueEnd = position
        }
        return (name, string(valueStart..<valueEnd).decodingHTMLEntities)
    }

    private mutating func skipSpaces() {
        while let byte = byte(at: position), byte.isSpace { position += 1 }
    }
}

extension UInt8 {
    fileprivate static let lessThan = UInt8(ascii: "<")
    fileprivate static let greaterThan = UInt8(ascii: ">")
    fileprivate static let slash = UInt8(ascii: "/")
    fileprivate static let equals = UInt8(ascii: "=")
    fileprivate static let hyphen = UInt8(ascii: "-")
    fileprivate static let exclamationMark = UInt8(ascii: "!")
    fileprivate static let questionMark = UInt8(ascii: "?")
    fileprivate static let quotationMark = UInt8(ascii: "\"")
    fileprivate static let apostrophe = UInt8(ascii: "'")

    fileprivate var lowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
    fileprivate var isLetter: Bool { (0x61...0x7A).contains(lowercased) }
    fileprivate var isSpace: Bool { [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains(self) }
    fileprivate var isNamePart: Bool { !isSpace && self != .greaterThan && self != .slash }
}

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
