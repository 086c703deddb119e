// Licensed under the MIT License. See LICENSE.

import Foundation

extension String {
    /// The parts between the separators, including empty ones.
    ///
    /// `separator`: An ASCII character. Only bytes are compared because the parts of a token have more than a thousand
    /// characters each.
    package func parts(at separator: UInt8) -> [Substring] {
        var text = self
        let ends = text.withUTF8 { bytes in places(of: separator, in: bytes) }
        var parts: [Substring] = []
        var start = text.utf8.startIndex
        for end in ends {
            let end = text.utf8.index(text.utf8.startIndex, offsetBy: end)
            parts.append(text[start..<end])
            start = text.utf8.index(after: end)
        }
        parts.append(text[start...])
        return parts
    }

    private func places(of byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>) -> [Int] {
        var places: [Int] = []
        var rest = bytes[...]
        while let place = rest.firstIndex(of: byte) {
            places.append(place)
            rest = bytes[(place + 1)...]
        }
        return places
    }

    /// This text without leading and trailing whitespace and line breaks.
    ///
    /// Nearly all texts need no change, which checking both ends shows. Foundation is only called for the others
    /// because its first call takes a third of a millisecond.
    package var trimmed: String {
        guard let first = utf8.first, let last = utf8.last else { return self }
        let isTrimmed = (0x21..<0x7F).contains(first) && (0x21..<0x7F).contains(last)
        return isTrimmed ? self : trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

// Swift's `==` accepts canonically equivalent text: the Kelvin sign (U+212A) equals the letter K. Text from an untrusted
// token or request is compared as bytes instead.
extension StringProtocol {
    /// Whether both texts have the same UTF-8 bytes.
    package func isExactly(_ other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }

    /// The text with the letters A to Z in lowercase. Other characters stay unchanged, unlike with `lowercased()`,
    /// which turns the Kelvin sign into a k.
    package var lowercasedASCII: String {
        String(decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}

extension Set<String> {
    /// Whether the set contains a text with the same bytes.
    package func containsExactly(_ text: String) -> Bool {
        firstIndex(of: text).map { self[$0].isExactly(text) } ?? false
    }

    /// Whether both sets contain the same texts, byte by byte.
    package func isExactly(_ other: Set<String>) -> Bool { count == other.count && allSatisfy(other.containsExactly) }
}
