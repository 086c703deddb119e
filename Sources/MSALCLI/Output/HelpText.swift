// Licensed under the MIT License. See LICENSE.

import Foundation

/// Wraps the parser's help to the width of the terminal.
///
/// The parser wraps the lines of examples, so that they cannot be copied, and it wraps tables without their indent. It
/// puts descriptions in a column that begins at character 26, and it does not break long words. On a narrow terminal,
/// this type puts each description below its name.
enum HelpText {
    /// A terminal narrower than this gets no second column.
    private static let narrow = 60
    /// The width if the real one is unknown.
    static let usual = 80
    /// The width for which the parser writes. It is so large that the parser wraps no line.
    static let unbroken = 1000

    /// The column in which the parser begins descriptions.
    private static let column = 26

    /// The parser's help in lines of at most `width` characters.
    ///
    /// - Parameters:
    ///   - unbroken: The help with lines of the width ``unbroken``.
    ///   - parsers: The help as the parser wraps it. Its list of options is used if the terminal is wide enough.
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

    /// Wraps help that the parser wrote with the width ``unbroken``.
    ///
    /// Examples stay as they are: if only the terminal wraps a line, it can be copied as a whole.
    static func fitted(_ help: String, width: Int) -> String {
        help.components(separatedBy: "\n").map { line in
            let indent = line.prefix { $0 == " " }.count
            guard line.count > width else { return line }
            let words = String(line.dropFirst(indent))
            // If a name just fits into the first column, only one space follows it.
            if indent == 2, words.hasPrefix("-"), line.dropFirst(column - 1).first == " " {
                let name = line.prefix(column).trimmingCharacters(in: .whitespaces)
                return "  \(name)\n" + wrapped(String(line.dropFirst(column)), indent: 6, width: width)
            }
            if indent > 0, let gap = words.firstRange(of: "  ") {
                let name = String(repeating: " ", count: indent) + words[..<gap.lowerBound]
                return name + "\n" + wrapped(String(words[gap.upperBound...]), indent: 6, width: width)
            }
            if indent == 0 { return wrapped(words, indent: 0, width: width) }
            // The last line, which the parser adds, is a sentence.
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
