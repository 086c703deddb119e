// Licensed under the MIT License. See LICENSE.

import MSALBase

/// Entries of the directory under the names of Microsoft Graph.
extension FileObject {
    /// The properties in Microsoft Graph of an entry in the form of a directory file.
    func graphProperties(of entry: JSONValue) -> JSONValue {
        members.reduce(into: .object([:])) { properties, member in
            guard let path = member.graphPath else { return }
            properties.set(entry[member.name] ?? member.standard ?? member.graphDefault ?? .null, at: path[...])
        }
    }

    /// The members of a directory file that a request to Microsoft Graph sets.
    func changes(inGraph properties: [String: JSONValue]) -> [String: JSONValue] {
        members.reduce(into: [:]) { changes, member in
            guard let path = member.graphPath else { return }
            changes[member.name] = path.reduce(JSONValue?.some(.object(properties))) { $0?[$1] }
        }
    }
}

extension JSONValue {
    /// Sets a nested member.
    mutating func set(_ value: JSONValue, at path: ArraySlice<String>) {
        guard let name = path.first else {
            self = value
            return
        }
        var members = object ?? [:]
        members[name, default: [:]].set(value, at: path.dropFirst())
        self = .object(members)
    }

    /// The value with the members of another one, recursively.
    func overlaid(by other: JSONValue) -> JSONValue {
        guard let own = object, let more = other.object else { return other }
        return .object(own.merging(more) { $0.overlaid(by: $1) })
    }
}
