// Licensed under the MIT License. See LICENSE.

extension String {
    /// This text as one line in which every character is visible.
    ///
    /// Messages and log lines quote text of a server. A line break would turn one error into two log lines, and an
    /// escape character would control the reader's terminal. A run of line breaks and tabs becomes a space. Every other
    /// control character and every directional formatting character (Unicode Standard Annex #9) is replaced with its
    /// code point, such as `<U+001B>`.
    package var visibleLine: String {
        // Nearly all texts are plain ASCII, which takes one pass over the bytes.
        if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return self }
        var line = String.UnicodeScalarView()
        var isBroken = false
        for scalar in unicodeScalars {
            if scalar.breaksLine {
                isBroken = true
                continue
            }
            if isBroken {
                if line.last == " ", scalar == " " { continue }
                if let last = line.last, last != " ", scalar != " " { line.append(" ") }
                isBroken = false
            }
            if scalar.properties.generalCategory == .control || scalar.properties.isBidiControl {
                let number = String(scalar.value, radix: 16, uppercase: true)
                let zeros = String(repeating: "0", count: max(0, 4 - number.count))
                line.append(contentsOf: "<U+\(zeros)\(number)>".unicodeScalars)
            } else {
                line.append(scalar)
            }
        }
        return String(line)
    }

    /// Whether the text contains a control character (Unicode category Cc: C0, DEL, and C1), which no identifier has.
    package var hasControlCharacters: Bool {
        // Nearly all texts are plain ASCII, which takes one pass over the bytes.
        if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return false }
        return unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}

extension Unicode.Scalar {
    /// Whether the character is a tab or ends a line (Unicode Standard, "Newline Guidelines").
    fileprivate var breaksLine: Bool {
        switch value {
        case 0x09...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }
}

extension String {
    /// This text in HTML, also in the value of an attribute.
    package var escapedForHTML: String {
        let entities: [Unicode.Scalar: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;"]
        // Scalars, because a character can be a quotation mark with an accent.
        return unicodeScalars.map { entities[$0] ?? String($0) }.joined()
    }
}
