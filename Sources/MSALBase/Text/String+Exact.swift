// Licensed under the MIT License. See LICENSE.

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
