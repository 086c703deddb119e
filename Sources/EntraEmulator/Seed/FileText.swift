// Licensed under the MIT License. See LICENSE.

public import Foundation
import Yams

/// The text of a directory file, as YAML or JSON.
///
/// With YAML aliases, a short text can expand to a huge one, so aliases are never resolved: every `*` is replaced
/// before parsing, and restored in each value.
struct FileText {
    /// The maximum file size in bytes, enough for some 100,000 users.
    static let limit = 32 * 1024 * 1024

    static let tooLarge = DirectoryFileError(
        problem: "the file is larger than \(limit / 1024 / 1024) MiB",
        remedy: "remove entries, or add users to a running emulator"
    )

    /// The text without asterisks.
    private let text: String
    /// The character that replaces each asterisk. The text does not contain it otherwise.
    let star: Unicode.Scalar

    /// Decodes bytes.
    ///
    /// - Throws: An issue if the text is too large or not UTF-8.
    init(_ bytes: Data) throws(DirectoryFileError) {
        guard bytes.count <= Self.limit else { throw Self.tooLarge }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw DirectoryFileError(problem: "the file is not UTF-8 text", remedy: "save it as UTF-8")
        }
        try self.init(text)
    }

    init(_ text: String) throws(DirectoryFileError) {
        var text = text
        if text.hasPrefix("\u{FEFF}") { text.removeFirst() }
        if text.first(where: { !$0.isWhitespace }) == "{" { text = Self.readableAsYAML(text) }
        let free = Self.privateUse.first { scalar in
            // The text contains this character neither literally nor as an escape.
            !text.unicodeScalars.contains(scalar)
                && text.range(of: String(scalar.value, radix: 16), options: .caseInsensitive) == nil
        }
        guard let star = free else {
            throw DirectoryFileError(
                problem: "the text contains all private-use characters",
                remedy: "remove some of them"
            )
        }
        self.star = star
        self.text = String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "*" ? star : $0 }))
    }

    /// The tree of the text; `nil` if it is empty.
    ///
    /// - Throws: An issue if it is neither YAML nor JSON.
    func composed() throws(DirectoryFileError) -> Node? {
        do {
            // The reader determines the type of a plain value by its member.
            return try Yams.compose(yaml: text, .basic)
        } catch let error as YamlError {
            throw issue(of: error)
        } catch {
            throw DirectoryFileError(problem: "the file is invalid", remedy: "write it as YAML or JSON")
        }
    }

    private func issue(of error: YamlError) -> DirectoryFileError {
        let remedy = "indent with spaces, use 'name: value', and put strings with special characters in quotes"
        return switch error {
        case .parser(_, let problem, let mark, _) where problem.hasPrefix("Maximum nesting level"):
            DirectoryFileError(
                at: mark,
                problem: "the text is nested too deeply",
                remedy: "see: entra-emulator seed schema"
            )
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            DirectoryFileError(at: mark, problem: "the text is not YAML: \(problem)", remedy: remedy)
        case .duplicatedKeysInMapping(let names, let context):
            DirectoryFileError(
                at: context.mark,
                problem: "an object contains '\(restored(names.sorted().joined(separator: ", ")))' more than once",
                remedy: "keep only one"
            )
        case .reader(let problem, let offset, _, _):
            DirectoryFileError(
                problem: "the text contains a character that YAML does not allow (\(problem), at \(offset ?? 0))",
                remedy: "remove it"
            )
        case .writer, .emitter, .representer, .no, .memory, .dataCouldNotBeDecoded:
            DirectoryFileError(problem: "the file is invalid", remedy: "write it as YAML or JSON")
        }
    }

    /// A value as it was written.
    func restored(_ value: String) -> String {
        // Compare Unicode scalars, because a combining mark after an asterisk forms one character with it.
        guard value.unicodeScalars.contains(star) else { return value }
        return String(String.UnicodeScalarView(value.unicodeScalars.map { $0 == star ? "*" : $0 }))
    }

    private static let privateUse = (0xE000...0xE0FF).compactMap(Unicode.Scalar.init)

    /// Rewrites characters that JSON and YAML 1.1 read differently, so that both read them in the same way.
    ///
    /// `\uD83D\uDE00` is one character, for which YAML has no such escapes. U+0085, U+2028, and U+2029 are ordinary
    /// characters in JSON, but line breaks in YAML.
    private static func readableAsYAML(_ json: String) -> String {
        joiningSurrogates(json)
            .replacing("\u{85}", with: #"\u0085"#)
            .replacing("\u{2028}", with: #"\u2028"#)
            .replacing("\u{2029}", with: #"\u2029"#)
    }

    private static func joiningSurrogates(_ text: String) -> String {
        text.replacing(/\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})/) { match in
            guard let high = UInt32(match.1, radix: 16), let low = UInt32(match.2, radix: 16),
                let scalar = Unicode.Scalar(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
            else { return String(match.0) }
            return String(scalar)
        }
    }
}

/// An issue thrown by the code that found it.
struct DirectoryFileError: Error {
    var issue: EmulatorDirectory.InvalidFile.Issue

    init(at mark: Mark? = nil, problem: String, remedy: String) {
        issue = .init(line: mark?.line, column: mark?.column, problem: problem, remedy: remedy)
    }
}

extension EmulatorDirectory {
    /// A directory file that cannot be used, with all errors.
    public struct InvalidFile: LocalizedError, Sendable, Equatable, CustomStringConvertible {
        /// An error in the file. Its message contains no secret.
        public struct Issue: Sendable, Equatable, CustomStringConvertible {
            /// The file name as it was specified; `nil` if the text is not from a file.
            public var file: String?
            /// The line, starting at 1; `nil` for the whole file.
            public var line: Int?
            /// The column in the line, starting at 1.
            public var column: Int?
            /// A description of the error.
            public var problem: String
            /// How to fix it.
            public var remedy: String

            /// One line: the position, the problem, and the remedy.
            public var description: String {
                let place = [file, line.map(String.init), column.map(String.init)].compactMap(\.self)
                    .joined(separator: ":")
                return (place.isEmpty ? "" : place + ": ") + "\(problem); \(remedy)"
            }
        }

        /// The issues, at least one, in the order of their lines.
        public let issues: [Issue]

        /// A line for each issue.
        public var description: String { issues.map(\.description).joined(separator: "\n") }
        /// The same as ``description``; `localizedDescription` returns it.
        public var errorDescription: String? { description }
    }
}
