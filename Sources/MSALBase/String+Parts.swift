// Licensed under the MIT License. See LICENSE.

extension String {
    /// The parts between the separators, empty ones included.
    ///
    /// `separator`: A character of ASCII. Only bytes are compared, because the parts of a token have more than a
    /// thousand characters each.
    package func parts(at separator: UInt8) -> [Substring] {
        var text = self
        let ends = text.withUTF8 { bytes in bytes.indices.filter { bytes[$0] == separator } }
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
}
