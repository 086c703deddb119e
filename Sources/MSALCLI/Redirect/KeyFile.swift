// Licensed under the MIT License. See LICENSE.

import Foundation
import UserFiles

/// A text in the desktop's key-value format (Desktop Entry Specification, "Basic format of the file"). The command
/// reads and changes single lines of it.
struct KeyFile: Equatable {
    private var lines: [String]

    init(_ text: String) {
        lines = text.withoutByteOrderMark.replacing("\r\n", with: "\n").components(separatedBy: "\n")
        if lines.last?.isEmpty == true { lines.removeLast() }
    }

    var text: String { lines.map { $0 + "\n" }.joined() }

    /// A value. If a key occurs twice, its last line counts.
    subscript(group: String, key key: String) -> String? {
        position(of: key, in: group).map { index in
            String(lines[index].drop { $0 != "=" }.dropFirst()).trimmingCharacters(in: .whitespaces)
        }
    }

    /// A list of texts, each of which ends with a semicolon.
    func list(_ group: String, key: String) -> [String] {
        self[group, key: key]?.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) } ?? []
    }

    /// Sets a value, or removes its line.
    mutating func set(_ value: String?, key: String, in group: String) {
        while let index = position(of: key, in: group) { lines.remove(at: index) }
        guard let value else { return }
        guard let header = lines.firstIndex(of: "[\(group)]") else {
            lines += ["[\(group)]", "\(key)=\(value)"]
            return
        }
        lines.insert("\(key)=\(value)", at: header + 1)
    }

    /// A text as a value of the type string ("Possible value types").
    static func escaped(_ text: String) -> String {
        let words = text.replacing("\\", with: #"\\"#)
        return words.hasPrefix(" ") ? #"\s"# + words.dropFirst() : words
    }

    /// The text that a value of the type string stands for.
    static func unescaped(_ value: String) -> String {
        let meanings: [Character: Character] = ["s": " ", "n": "\n", "t": "\t", "r": "\r", "\\": "\\"]
        var (text, isEscaped) = ("", false)
        for character in value {
            if isEscaped {
                text += meanings[character].map { "\($0)" } ?? "\\\(character)"
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                text.append(character)
            }
        }
        return text
    }

    private func position(of key: String, in group: String) -> Int? {
        var (current, last) = ("", Int?.none)
        for (index, line) in lines.enumerated() {
            let words = line.trimmingCharacters(in: .whitespaces)
            if words.hasPrefix("["), words.hasSuffix("]") {
                current = String(words.dropFirst().dropLast())
            } else if current == group, !words.hasPrefix("#"),
                words.prefix(while: { $0 != "=" }).trimmingCharacters(in: .whitespaces) == key, words.contains("=")
            {
                last = index
            }
        }
        return last
    }
}
