// Licensed under the MIT License. See LICENSE.

import Foundation
import UserFiles

/// A file in the desktop's key-value form: a desktop entry, or a list of default programs.
///
/// - SeeAlso: Desktop Entry Specification, "Basic format of the file".
package struct DesktopEntry: Sendable {
    /// `[Name]` and the lines below it, in the order of the file.
    package struct Group: Sendable {
        /// The name between the brackets.
        var name: String
        /// The values by key, with escapes resolved. A later line overrides an earlier one.
        var values: [String: String] = [:]
    }

    /// The groups, in the order of the file.
    private(set) var groups: [Group] = []

    /// Parses a text. Malformed lines are skipped.
    package init(_ text: String) {
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.hasPrefix("["), line.hasSuffix("]") {
                groups.append(Group(name: String(line.dropFirst().dropLast())))
            } else if !line.hasPrefix("#"), !groups.isEmpty, let equals = line.firstIndex(of: "=") {
                let key = line[..<equals].trimmingCharacters(in: .whitespaces)
                let value = line[line.index(after: equals)...].trimmingCharacters(in: .whitespaces)
                groups[groups.count - 1].values[key] = Self.unescaped(value)
            }
        }
    }

    /// Resolves the escapes in a value (Desktop Entry Specification, "Possible value types"). An unknown escape stays
    /// unchanged.
    private static func unescaped(_ value: String) -> String {
        let meanings: [Character: Character] = ["s": " ", "n": "\n", "t": "\t", "r": "\r", "\\": "\\"]
        var result = ""
        var rest = value[...]
        while let character = rest.popFirst() {
            if character == "\\", let meaning = rest.first.flatMap({ meanings[$0] }) {
                result.append(meaning)
                rest.removeFirst()
            } else {
                result.append(character)
            }
        }
        return result
    }

    /// Reads a file; `nil` if it is missing or unreadable.
    package init?(file: URL) {
        let file = UserFile(file.path(percentEncoded: false), limit: 1 << 20)
        guard let text = try? file.text() else { return nil }  // The next folder follows.
        self.init(text)
    }

    /// Finds the first entry with a name such as `firefox.desktop`, in the user's data folder and then in the system's.
    package init?(named name: String, _ environment: [String: String]) {
        guard !name.contains("/") else { return nil }
        let entries = Self.dataFolders(environment).lazy.compactMap {
            Self(file: $0.appending(path: "applications/\(name)"))
        }
        guard let entry = entries.first else { return nil }
        self = entry
    }

    /// The values of a group; empty if the file has no such group. Groups with the same name are merged.
    subscript(group: String) -> [String: String] {
        groups.filter { $0.name == group }.reduce(into: [:]) { $0.merge($1.values) { $1 } }
    }

    /// `$XDG_DATA_HOME`, then each of `$XDG_DATA_DIRS`.
    static func dataFolders(_ environment: [String: String]) -> [URL] {
        folders(environment, kind: "DATA", home: ".local/share", system: ["/usr/local/share", "/usr/share"])
    }

    /// `$XDG_CONFIG_HOME`, then each of `$XDG_CONFIG_DIRS`.
    static func configurationFolders(_ environment: [String: String]) -> [URL] {
        folders(environment, kind: "CONFIG", home: ".config", system: ["/etc/xdg"])
    }

    // The XDG Base Directory Specification says that relative paths are invalid and must be ignored.
    private static func folders(
        _ environment: [String: String],
        kind: String,
        home: String,
        system: [String]
    ) -> [URL] {
        func absolute(_ path: String?) -> String? { path.flatMap { $0.hasPrefix("/") ? $0 : nil } }
        let own = absolute(environment["XDG_\(kind)_HOME"]) ?? absolute(environment["HOME"]).map { "\($0)/\(home)" }
        let listed = (environment["XDG_\(kind)_DIRS"] ?? "").split(separator: ":").compactMap { absolute(String($0)) }
        let paths = [own].compactMap(\.self) + (listed.isEmpty ? system : listed)
        return paths.map { URL(filePath: $0, directoryHint: .isDirectory) }
    }
}
