// Licensed under the MIT License. See LICENSE.

extension String {
    /// Whether the text contains a control character (Unicode category Cc: C0, DEL, and C1), which no identifier has.
    package var hasControlCharacters: Bool {
        // Nearly all texts are plain ASCII, which takes one pass over the bytes.
        if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return false }
        return unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}
