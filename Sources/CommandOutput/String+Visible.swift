// Licensed under the MIT License. See LICENSE.

extension String {
    /// The text, with visible substitutes for characters that would control a terminal.
    ///
    /// ASCII control characters are written as `cat -v` and `less` do, `^[` for Escape; the others by their code point,
    /// `<U+202E>`. Visible characters stay unchanged.
    public var visible: String { visible { _ in false } }

    /// The text, with visible substitutes for those characters for which `isKept` is false.
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

    /// JSON in which these characters are replaced by escapes. Its line breaks stay.
    var escapedJSON: String { replacing { $0 == "\n" ? nil : "\\u\($0.hexadecimal)" } }

    /// Replaces each control character; those for which `replacement` is `nil` stay.
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
    /// Whether the character would control a terminal: C0, DEL, and C1, line separators, and directional formatting
    /// characters (Unicode Standard Annex #9, "Directional Formatting Characters").
    fileprivate var isActive: Bool {
        if isASCII { return value < 0x20 || value == 0x7F }
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        default: return properties.isBidiControl
        }
    }

    /// The code point in at least four hexadecimal digits.
    fileprivate var hexadecimal: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: Swift.max(0, 4 - digits.count)) + digits
    }
}

extension String {
    /// This text as one word of a POSIX shell (Shell Command Language §2.2.2: nothing within single quotes is special but the
    /// single quote).
    public var shellQuoted: String {
        // Scalars, because a character can be a quotation mark with an accent.
        "'" + unicodeScalars.map { $0 == "'" ? #"'\''"# : String($0) }.joined() + "'"
    }
}
