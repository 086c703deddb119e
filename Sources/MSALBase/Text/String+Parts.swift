// Licensed under the MIT License. See LICENSE.

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
}
