// Licensed under the MIT License. See LICENSE.

import Foundation

/// Help for narrow terminals. The parser writes descriptions beside names, behind a column of 26 characters, and breaks
/// no long words; on a narrow terminal descriptions stand below the names.
enum HelpText {
    /// Narrower terminals get the help in this form.
    static let narrow = 60
    /// What the parser is to take for the width, so that it breaks no lines itself.
    static let unbroken = 1000

    /// Where the parser begins descriptions.
    private static let column = 26

    /// The parser's help, which was written with ``unbroken`` lines, in lines of at most this width.
    ///
    /// Examples stay as they are: a line that the terminal wraps is copied whole.
    static func fitted(_ help: String, width: Int) -> String {
        help.components(separatedBy: "\n").map { line in
            let indent = line.prefix { $0 == " " }.count
            guard line.count > width else { return line }
            let words = String(line.dropFirst(indent))
            // A name that just fits has one space behind it.
            if indent == 2, words.hasPrefix("-"), line.dropFirst(column - 1).first == " " {
                let name = line.prefix(column).trimmingCharacters(in: .whitespaces)
                return "  \(name)\n" + wrapped(String(line.dropFirst(column)), indent: 6, width: width)
            }
            if indent > 0, let gap = words.firstRange(of: "  ") {
                let name = String(repeating: " ", count: indent) + words[..<gap.lowerBound]
                return name + "\n" + wrapped(String(words[gap.upperBound...]), indent: 6, width: width)
            }
            if indent == 0 { return wrapped(words, indent: 0, width: width) }
            // The parser's own pointer at the end is a sentence.
            if words.hasPrefix("See '") { return wrapped(words, indent: indent, width: width) }
            return indent < 8 ? line : wrapped(words, indent: 6, width: width)
        }.joined(separator: "\n")
    }

    private static func wrapped(_ text: String, indent: Int, width: Int) -> String {
        let start = String(repeating: " ", count: indent)
        var (lines, line) = ([String](), start)
        for word in text.split(separator: " ") {
            let isFirst = line.count == indent
            if !isFirst, line.count + 1 + word.count > width {
                lines.append(line)
                line = start + word
            } else {
                line += isFirst ? "\(word)" : " \(word)"
            }
        }
        return (lines + [line]).joined(separator: "\n")
    }
}
