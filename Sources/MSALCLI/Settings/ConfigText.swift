// Licensed under the MIT License. See LICENSE.

import Foundation
import UserFiles
import Yams

/// The text of config.yaml. It is changed line by line, so comments, order, and layout stay as the user wrote them.
struct ConfigText {
    /// The values by their positions. A position is a path such as `profiles`, `contoso`, `client_id`. A single value is
    /// a list with one element.
    typealias Values = [[String]: [String]]

    private(set) var text: String
    private(set) var values: Values

    /// - Throws: `Failure` with the status `usage`, if the text is not valid YAML.
    init(_ text: String) throws(Failure) {
        self.text = text
        values = try Self.values(of: text)
    }

    /// Sets a value, or removes it.
    ///
    /// - Throws: `Failure` with the status `usage`, if the layout is too unusual to change safely, for example with
    ///   braces.
    mutating func set(_ value: ConfigValue?, at position: [String]) throws(Failure) {
        var expected = values
        expected[position] = value?.texts
        guard expected != values else { return }
        // The edited text is parsed again. If its values are not exactly the expected ones, nothing is changed.
        guard let edited = Self.edited(text, value: value, at: position), (try? Self.values(of: edited)) == expected
        else {
            throw .usage(
                "\(position.joined(separator: ".")) cannot be changed here, because of the file's layout.",
                remedy: "Edit the file instead."
            )
        }
        (text, values) = (edited, expected)
    }

    private static func values(of text: String) throws(Failure) -> Values {
        var values: Values = [:]
        func collect(_ node: Node, at position: [String]) {
            if let mapping = node.mapping {
                for (key, value) in mapping { collect(value, at: position + [key.string ?? ""]) }
            } else if let sequence = node.sequence {
                values[position] = sequence.map { $0.scalar?.string ?? "" }
            } else if node.null == nil, let text = node.scalar?.string {
                values[position] = [text]
            }
        }
        if let root = try ProfileFile.compose(text, path: "config.yaml") { collect(root, at: []) }
        return values
    }

    /// The text with the new value at its position; `nil` if the position has no lines of its own.
    private static func edited(_ text: String, value: ConfigValue?, at position: [String]) -> String? {
        let lineEnd = text.contains("\r\n" as Character) ? "\r\n" : "\n"
        var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0.last == "\r" ? $0.dropLast() : $0) }
        if lines.last?.isEmpty == true { lines.removeLast() }
        // YAML ends a line at these characters too, so its line numbers would not be those of `lines`.
        let otherLineEnds: Set<Unicode.Scalar> = ["\r", "\u{85}", "\u{2028}", "\u{2029}"]
        guard !lines.contains(where: { $0.unicodeScalars.contains(where: otherLineEnds.contains) }) else { return nil }
        // The text can be parsed, because it was parsed before.
        let root = try? Yams.compose(yaml: text.withoutByteOrderMark)
        guard edit(&lines, value: value, at: position[...], in: root, area: (indent: 0, end: lines.count)) else {
            return nil
        }
        // Removing the last account also removes the line `accounts:`. A profile remains even without settings, because
        // `default_profile` may name it.
        if value == nil, position.count == 2,
            let (key, list) = root?.mapping?.first(where: { $0.key.string == position[0] }),
            list.mapping?.count == 1, let mark = key.mark
        {
            lines.remove(at: mark.line - 1)
        }
        return lines.joined(separator: lineEnd) + lineEnd
    }

    /// Changes the lines of a mapping, which end at `area.end`.
    private static func edit(
        _ lines: inout [String],
        value: ConfigValue?,
        at position: ArraySlice<String>,
        in node: Node?,
        area: (indent: Int, end: Int)
    ) -> Bool {
        guard let name = position.first else { return false }
        guard let mapping = node?.mapping, let first = mapping.first?.key.mark, mapping.style != .flow else {
            // Either nothing is here, or something that is not a mapping on lines of its own.
            let isNothing = node.map { $0.null != nil } ?? true
            guard isNothing, let value else { return false }
            lines.insert(contentsOf: written(value, at: position, indent: area.indent), at: area.end)
            return true
        }
        let indent = first.column - 1
        guard let (key, member) = mapping.first(where: { $0.key.string == name }), let mark = key.mark else {
            guard let value else { return false }
            lines.insert(contentsOf: written(value, at: position, indent: indent), at: area.end)
            return true
        }
        let line = mark.line - 1
        let end = end(of: line, indent: indent, isSequence: member.sequence != nil, lines: lines)
        guard position.count == 1 else {
            let inner = (indent: indent + 2, end: member.null != nil ? line + 1 : end)
            return edit(&lines, value: value, at: position.dropFirst(), in: member, area: inner)
        }
        lines.replaceSubrange(line..<end, with: value.map { written($0, at: position, indent: indent) } ?? [])
        return true
    }

    /// The first line after the value of the key in `line`. Comments and empty lines at the value's end belong to the
    /// next key.
    private static func end(of line: Int, indent: Int, isSequence: Bool, lines: [String]) -> Int {
        var end = line + 1
        for index in lines.indices.dropFirst(line + 1) {
            let words = lines[index].drop { $0 == " " }
            if words.isEmpty || words.hasPrefix("#") { continue }
            let column = lines[index].count - words.count
            guard column > indent || (isSequence && column == indent && words.hasPrefix("-")) else { break }
            end = index + 1
        }
        return end
    }

    private static func written(_ value: ConfigValue, at position: ArraySlice<String>, indent: Int) -> [String] {
        var (lines, indent) = ([String](), indent)
        for name in position.dropLast() {
            lines.append(String(repeating: " ", count: indent) + "\(ConfigValue.quoted(name)):")
            indent += 2
        }
        let name = ConfigValue.quoted(position.last ?? "")
        return lines + [String(repeating: " ", count: indent) + "\(name): \(value.yaml)"]
    }
}

/// A value of config.yaml.
enum ConfigValue: Equatable {
    case text(String)
    case list([String])

    var texts: [String] {
        switch self {
        case .text(let text): [text]
        case .list(let texts): texts
        }
    }

    fileprivate var yaml: String {
        switch self {
        case .text(let text): Self.quoted(text)
        case .list(let texts): "[\(texts.map(Self.quoted).joined(separator: ", "))]"
        }
    }

    /// YAML 1.2.2, §7.3.2: in single quotes, only the single quote is special.
    fileprivate static func quoted(_ text: String) -> String {
        let isPlain =
            text.first.map { $0.isASCII && ($0.isLetter || $0.isNumber) } ?? false
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./:@+=".contains($0)) }
            && text.last != ":" && !["null", "true", "false", "yes", "no", "on", "off"].contains(text.lowercased())
        return isPlain ? text : "'" + text.unicodeScalars.map { $0 == "'" ? "''" : String($0) }.joined() + "'"
    }
}
