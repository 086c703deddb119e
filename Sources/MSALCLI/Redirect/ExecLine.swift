// Licensed under the MIT License. See LICENSE.

/// The value of `Exec` in a desktop entry: a program and its arguments (Desktop Entry Specification, "The Exec key").
enum ExecLine {
    /// A word with one of these characters needs quotes.
    private static let reserved = Set<Character>(" \t\n\"'\\><~|&;$*?#()`")
    /// Within quotes, these characters need a backslash before them.
    private static let escaped = Set<Character>("\"`$\\")

    /// The arguments as one line. A percent sign in a word is a plain character, so it is escaped.
    static func line(_ words: [String]) -> String {
        KeyFile.escaped(words.map(quoted).joined(separator: " "))
    }

    private static func quoted(_ word: String) -> String {
        let word = word.replacing("%", with: "%%")
        guard word.isEmpty || word.contains(where: reserved.contains) else { return word }
        return "\"" + word.map { escaped.contains($0) ? "\\\($0)" : "\($0)" }.joined() + "\""
    }

    /// The arguments in a line, without their quotes. Field codes such as `%u`, and `%%`, stay as they are written.
    static func words(_ line: String) -> [String] {
        var (words, word, isQuoted, isEscaped) = ([String](), String?.none, false, false)
        for character in KeyFile.unescaped(line) {
            switch character {
            case _ where isEscaped: (word, isEscaped) = ((word ?? "") + String(character), false)
            case "\\" where isQuoted: isEscaped = true
            case "\"": (word, isQuoted) = (word ?? "", !isQuoted)
            case " " where !isQuoted:
                words += [word].compactMap(\.self)
                word = nil
            default: word = (word ?? "") + String(character)
            }
        }
        return words + [word].compactMap(\.self)
    }
}
