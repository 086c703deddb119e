// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import Yams

/// A directory entry as a JSON value, with the member names of a directory file.
struct EntryBody<Entry: FileEntry> {
    private var object: FileObject { Entry.form.object }

    /// Decodes an entry.
    ///
    /// - Throws: `DirectoryFileError` for the first error.
    func entry(_ value: JSONValue) throws(DirectoryFileError) -> Entry {
        guard case .object = value else {
            throw DirectoryFileError(
                problem: "the body is not an object",
                remedy: "send the members of one \(object.name)"
            )
        }
        var reader = FileReader()
        reader.root = "the body"
        let read = reader.value(of: Node(value), as: .object(object))
        if let issue = reader.issues.first { throw issue }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        // The reader has validated all members, so the decoder accepts the value.
        guard let entry = try? decoder.decode(Entry.self, from: (read ?? .null).encoded()) else {
            throw DirectoryFileError(
                problem: "the body is not a valid \(object.name)",
                remedy: "see: entra-emulator seed schema"
            )
        }
        return entry
    }

    /// An entry with some of its members changed, as in RFC 7396: `null` removes a member. Secrets that are hidden in
    /// the change are kept.
    func entry(_ entry: Entry, changedBy change: JSONValue) throws -> Entry {
        guard case .object = change else {
            throw DirectoryFileError(problem: "the body is not an object", remedy: "send the members to change")
        }
        let before = try FileWriter(showsSecrets: true).value(of: entry)
        return try self.entry(Self.merged(before, with: change))
    }

    /// An entry with some of its members replaced, as in a form: `null` removes a member. Secrets that are hidden in
    /// the elements of a list are kept.
    func entry(_ entry: Entry, replacing members: [String: JSONValue]) throws -> Entry {
        var all = try FileWriter(showsSecrets: true).value(of: entry).object ?? [:]
        for (name, value) in members {
            let replaced = value.array == nil ? value : Self.merged(all[name] ?? .null, with: value)
            all[name] = value == .null ? nil : replaced
        }
        return try self.entry(.object(all))
    }

    private static func merged(_ value: JSONValue, with change: JSONValue) -> JSONValue {
        if change.string == FileWriter.placeholder { return value }
        switch (value, change) {
        case (.object(var members), .object(let changes)):
            for (name, change) in changes {
                members[name] = change == .null ? nil : merged(members[name] ?? .null, with: change)
            }
            return .object(members)
        case (.array(let before), .array(let after)):
            // The new list replaces the old one. A hidden secret in an element is taken from the old element with the
            // same name, otherwise from the one at the same position.
            return .array(
                after.enumerated().map { position, element in
                    let named = element["name"].flatMap { name in before.first { $0["name"] == name } }
                    let same = named ?? (before.indices.contains(position) ? before[position] : nil)
                    return restored(element, from: same ?? .null)
                }
            )
        case (_, .object(let changes)):
            return .object(changes.filter { $0.value != .null })
        default: return change
        }
    }

    private static func restored(_ value: JSONValue, from before: JSONValue) -> JSONValue {
        if value.string == FileWriter.placeholder { return before["value"] ?? before }
        guard case .object(let members) = value else { return value }
        return .object(
            Dictionary(
                uniqueKeysWithValues: members.map { name, member in
                    (name, member.string == FileWriter.placeholder ? before[name] ?? member : member)
                }
            )
        )
    }
}

extension EmulatorDirectory.User {
    /// The user with some members changed. A new password replaces the current one, even if that is only known as a
    /// digest.
    ///
    /// `isForm`: Whether the members are replaced instead of merged.
    func changed(by change: JSONValue, isForm: Bool = false) throws -> Self {
        var before = self
        if let password = change["password"]?.string, password != FileWriter.placeholder { before.passwordDigest = nil }
        return try isForm
            ? EntryBody().entry(before, replacing: change.object ?? [:]) : EntryBody().entry(before, changedBy: change)
    }
}

extension Node {
    /// Converts a JSON value to a tree in which a string is never interpreted as a number.
    init(_ value: JSONValue) {
        switch value {
        case .null: self.init("null", .implicit, .plain)
        case .bool(let flag): self.init(flag ? "true" : "false", .implicit, .plain)
        case .integer(let number): self.init(String(number), .implicit, .plain)
        case .number(let number): self.init(String(number), .implicit, .plain)
        case .string(let text): self.init(text, .implicit, .doubleQuoted)
        case .array(let elements): self.init(elements.map { Node($0) })
        case .object(let members): self.init(members.sorted { $0.key < $1.key }.map { (Node($0.key), Node($0.value)) })
        }
    }
}
