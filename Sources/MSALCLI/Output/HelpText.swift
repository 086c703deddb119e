// Licensed under the MIT License. See LICENSE.

import Foundation

/// Help that fits the terminal.
///
/// The parser breaks the lines of examples, so that they cannot be copied, and breaks tables without their indent. It
/// writes descriptions beside names, behind a column of 26 characters, and breaks no long words; on a narrow terminal
/// descriptions stand below the names.
enum HelpText {
    /// Narrower terminals get no second column.
    private static let narrow = 60
    /// The width where nobody tells one.
    static let usual = 80
    /// The width that the parser gets. It is so large that the parser breaks no lines.
    static let unbroken = 1000

    /// Where the parser begins descriptions.
    private static let column = 26

    /// The parser's help in lines of at most this width.
    ///
    /// - Parameters:
    ///   - unbroken: The help with lines of the width ``unbroken``.
    ///   - parsers: The help as the parser breaks it. Its list of options is good enough where there is room.
    ///   - width: The number of characters in a line.
    /// - Returns: The help.
    static func fitted(_ unbroken: String, parsers: String, width: Int) -> String {
        guard width >= narrow else { return fitted(unbroken, width: width) }
        let list = "\n\nUSAGE: "
        guard let words = unbroken.firstRange(of: list), let options = parsers.firstRange(of: list) else {
            return parsers
        }
        return fitted(String(unbroken[..<words.lowerBound]), width: width) + parsers[options.lowerBound...]
    }

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
