// Licensed under the MIT License. See LICENSE.

extension Collection<UInt8> {
    /// These bytes of a text in UTF-8 without the byte order mark (U+FEFF) that some editors write first.
    public var withoutByteOrderMark: SubSequence { dropFirst(starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0) }
}

extension String {
    /// This text without the byte order mark (U+FEFF) that some editors write first.
    public var withoutByteOrderMark: String {
        unicodeScalars.first == "\u{FEFF}" ? String(unicodeScalars.dropFirst()) : self
    }
}
