// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// Writes entries with the member names of a directory file.
struct FileWriter: Sendable {
    /// The text that replaces a secret.
    static let placeholder = "<hidden>"

    /// Whether secrets are included.
    var showsSecrets = false
    /// Secrets that are never included.
    var hidden: Set<String> = []
    /// Whether members with default values are omitted.
    var omitsDefaults = false

    /// The value of an entry, with all its members.
    func value<Entry: FileEntry>(of entry: Entry) throws -> JSONValue {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        let value = try JSONReader.value(of: try encoder.encode(entry))
        return written(value, as: .object(Entry.form.object))
    }

    private func written(_ value: JSONValue, as shape: FileShape) -> JSONValue {
        switch (value, shape) {
        case (.string(let text), .text(.secret)):
            showsSecrets && !hidden.contains(text) ? value : .string(Self.placeholder)
        case (.array(let elements), .list(let element)): .array(elements.map { written($0, as: element) })
        case (.object(let members), .table(let element)): .object(members.mapValues { written($0, as: element) })
        case (.object(let members), .object(let object)), (.object(let members), .shortened(let object, _)):
            .object(self.members(members, of: object))
        default: value
        }
    }

    private func members(_ members: [String: JSONValue], of object: FileObject) -> [String: JSONValue] {
        var written: [String: JSONValue] = [:]
        var members = members
        // If secrets are hidden, a placeholder replaces the digest of a password.
        if !showsSecrets, members.removeValue(forKey: "passwordDigest").map({ $0 != .null }) == true {
            members["password"] = .string(Self.placeholder)
        }
        for member in object.members {
            guard let value = members[member.name], value != .null else { continue }
            if omitsDefaults, value == member.standard { continue }
            written[member.name] = self.written(value, as: member.shape)
        }
        return written
    }
}
