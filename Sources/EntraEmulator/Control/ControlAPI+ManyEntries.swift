// Licensed under the MIT License. See LICENSE.

import Hummingbird
import MSALBase

/// `POST /directory`: adds many entries at once, all or none.
extension ControlAPI {
    /// Adds the entries of a body with the lists of a directory file, and returns the number of entries of each list.
    func addToDirectory(_ body: JSONValue) throws -> Response {
        let body = try ControlBody(body, of: .addToDirectory)
        var added = EmulatorDirectory(tenants: [], users: [], applications: [], apis: [])
        added.users = try entries("users", of: body) { Self.completed($0) }
        added.tenants = try entries(.tenants, of: body)
        added.groups = try entries(.groups, of: body)
        added.applications = try entries(.applications, of: body)
        added.apis = try entries(.apis, of: body)
        added.policies = try entries(.policies, of: body)
        added.managedIdentities = try entries(.managedIdentities, of: body)
        added.agents = try entries(.agents, of: body)
        added.tokenClaims = try entries(.tokenClaims, of: body)
        try parts.editor.add(contentsOf: added)
        let counts = try ControlOperation.addToDirectory.members.map(\.name).compactMap { name in
            try Self.list(name, of: body).map { (name, JSONValue.int($0.count)) }
        }
        return .json(["added": .object(Dictionary(uniqueKeysWithValues: counts))], status: .created)
    }

    private func entries<Entry>(_ list: DirectoryList<Entry>, of body: ControlBody) throws -> [Entry] {
        try entries(list.name, of: body) { Self.withSecrets($0) }
    }

    private func entries<Entry: FileEntry>(
        _ name: String,
        of body: ControlBody,
        completing complete: (JSONValue) -> JSONValue
    ) throws -> [Entry] {
        try (Self.list(name, of: body) ?? []).enumerated().map { position, value throws(DirectoryFileError) in
            do throws(DirectoryFileError) {
                return try EntryBody<Entry>().entry(complete(value))
            } catch {
                let issue = error.issue
                throw DirectoryFileError(problem: "\(name)[\(position)]: \(issue.problem)", remedy: issue.remedy)
            }
        }
    }

    private static func list(_ name: String, of body: ControlBody) throws(ControlRefusal) -> [JSONValue]? {
        guard let value = body[name] else { return nil }
        guard let list = value.array else { throw ControlRefusal("'\(name)' must be a list of entries") }
        return list
    }
}
