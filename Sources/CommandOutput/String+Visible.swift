// Licensed under the MIT License. See LICENSE.

extension String {
    /// The text with visible forms of the characters that would act on a terminal.
    ///
    /// Control characters of ASCII are written as `cat -v` and `less` do, `^[` for Escape; the others by their number,
    /// `<U+202E>`. Visible characters stay as they are.
    public var visible: String { visible { _ in false } }

    /// The text with visible forms of those characters for which `isKept` is false.
    func visible(keeping isKept: (Unicode.Scalar) -> Bool) -> String {
        replacing { scalar in
            if isKept(scalar) { return nil }
            switch scalar.value {
            case 0..<0x20: return "^" + String(Unicode.Scalar(UInt8(scalar.value) + 0x40))
            case 0x7F: return "^?"
            default: return "<U+\(scalar.hexadecimal.uppercased())>"
            }
        }
    }

    /// JSON whose texts hold the same characters as escapes. Its own lines stay.
    var escapedJSON: String {
        replacing { $0 == "\n" ? nil : "\\u\($0.hexadecimal)" }
    }

    /// Replaces each active character; those for which `replacement` is `nil` stay.
    private func replacing(_ replacement: (Unicode.Scalar) -> String?) -> String {
        guard unicodeScalars.contains(where: \.isActive) else { return self }
        var text = ""
        text.reserveCapacity(utf8.count)
        for scalar in unicodeScalars {
            if scalar.isActive, let replacement = replacement(scalar) {
                text += replacement
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension Unicode.Scalar {
    /// Whether a terminal would act on the character: C0, DEL and C1, the ends of lines, and the characters that change
    /// the direction of writing (Unicode Standard Annex #9, "Directional Formatting Characters").
    fileprivate var isActive: Bool {
        if isASCII { return value < 0x20 || value == 0x7F }
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        default: return properties.isBidiControl
        }
    }

    /// The number of the character in at least four digits. Four are enough for all active characters.
    fileprivate var hexadecimal: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: Swift.max(0, 4 - digits.count)) + digits
    }
}
