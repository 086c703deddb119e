// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import Hummingbird
import MSALBase

/// `GET` and `POST` of `/tenants`, `/groups`, `/applications`, `/apis`, `/policies`, `/tokenClaims`, `/managedIdentities`,
/// and `/agents`; `GET`, `PATCH`, and `DELETE` of a single entry below them. Members have the names of a directory file.
extension ControlAPI {
    /// Responds to a request for one of the directory's lists; `nil` for any other path.
    func respondFromDirectory(
        to method: HTTPRequest.Method,
        path: String,
        query: FormValues,
        body: JSONValue
    ) throws -> Response? {
        let parts = path.dropFirst().split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let list = parts.first.map(String.init) else { return nil }
        let name = parts.count == 2 ? parts[1].removingPercentEncoding : nil
        guard parts.count == 1 || name?.isEmpty == false else { return nil }
        let request = DirectoryRequest(method: method, name: name, query: query, body: body)
        do {
            switch list {
            case "directory" where name == nil && method == .get: return try wholeDirectory(query)
            case "directory" where name == nil && method == .post: return try addToDirectory(body)
            case "native" where name == nil: return try respondFromNative(to: request)
            case "snapshots": return try respondFromSnapshots(to: request)
            default: return try changed(list, by: request)
            }
        } catch let found as DirectoryFileError {
            throw ControlRefusal("\(found.issue.problem); \(found.issue.remedy)")
        } catch let invalid as EmulatorDirectory.InvalidEntry {
            guard case .duplicate = invalid.problem else { throw ControlRefusal(Self.sentence(invalid)) }
            return .json(
                ["error": "conflict", "error_description": .string(Self.sentence(invalid))],
                status: .conflict
            )
        }
    }

    /// Responds to a request for a list, or for one entry of it; `nil` for an unknown list.
    ///
    /// - Throws: `DirectoryFileError`, `ControlRefusal`, or `EmulatorDirectory.InvalidEntry` for invalid members.
    func changed(_ list: String, by request: DirectoryRequest) throws -> Response? {
        switch list {
        case "users": try respondFromUsers(to: request)
        case "tenants": try respond(to: request, from: .tenants)
        case "groups": try respond(to: request, from: .groups)
        case "applications": try respond(to: request, from: .applications)
        case "apis": try respond(to: request, from: .apis)
        case "policies": try respond(to: request, from: .policies)
        case "tokenClaims": try respond(to: request, from: .tokenClaims)
        case "managedIdentities": try respond(to: request, from: .managedIdentities)
        case "agents": try respond(to: request, from: .agents)
        default: nil
        }
    }

    /// The whole directory in the form of a directory file; `secrets=true` includes the secrets.
    private func wholeDirectory(_ query: FormValues) throws -> Response {
        let withSecrets = try ControlBody(query, of: .directory).flag("secrets") ?? false
        return try .json(parts.editor.wholeDirectory().file(withSecrets: withSecrets))
    }

    /// A request for a list, or for one entry of it.
    struct DirectoryRequest {
        let method: HTTPRequest.Method
        let name: String?
        let query: FormValues
        let body: JSONValue
        /// Whether the members replace those of the entry, as in a form of the console.
        var isForm = false
    }

    private func respond<Entry>(
        to request: DirectoryRequest,
        from list: DirectoryList<Entry>
    ) throws -> Response {
        let editor = parts.editor
        let entries = EntryBody<Entry>()
        guard let name = request.name else {
            switch request.method {
            case .get:
                let all = try editor.contents[keyPath: list.entries].map {
                    try FileWriter().value(of: $0)
                }
                return .json([list.name: .array(all)])
            case .post:
                let entry = try entries.entry(Self.withSecrets(request.body))
                try editor.change { $0[keyPath: list.entries].append(entry) }
                return try shown(list.id(entry), in: list, secrets: entry, status: .created)
            default: return try Self.wrongMethod(allowed: "GET, POST")
            }
        }
        guard let position = list.position(of: name, in: editor.contents) else { return try Self.notFound() }
        let id = list.id(editor.contents[keyPath: list.entries][position])
        switch request.method {
        case .get: return try shown(id, in: list)
        case .patch:
            let change = Self.withSecrets(request.body)
            if let key = change[list.key], key.string?.lowercased() != id.lowercased() {
                throw ControlRefusal("'\(list.key)' cannot be changed; add a new entry and remove this one")
            }
            let before = editor.contents[keyPath: list.entries][position]
            let entry = try editor.change { directory -> Entry? in
                guard let position = list.position(of: id, in: directory) else { return nil }
                let former = directory[keyPath: list.entries][position]
                let entry =
                    try request.isForm
                    ? entries.entry(former, replacing: change.object ?? [:]) : entries.entry(former, changedBy: change)
                directory[keyPath: list.entries][position] = entry
                return entry
            }
            guard let entry else { return try Self.notFound() }
            return try shown(id, in: list, secrets: entry, beyond: before)
        case .delete:
            do {
                try editor.change { directory in
                    guard let position = list.position(of: id, in: directory) else { return }
                    directory[keyPath: list.entries].remove(at: position)
                }
            } catch let invalid as EmulatorDirectory.InvalidEntry {
                throw ControlRefusal("'\(id)' cannot be removed: \(invalid)")
            }
            return .json(["removed": .string(id)])
        default: return try Self.wrongMethod(allowed: "GET, PATCH, DELETE")
        }
    }

    /// The current entry. Only the request that sets a secret gets to see it.
    ///
    /// `before`: The entry with the secrets that were set earlier.
    private func shown<Entry>(
        _ id: String,
        in list: DirectoryList<Entry>,
        secrets: Entry? = nil,
        beyond before: Entry? = nil,
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let contents = parts.editor.contents
        guard let position = list.position(of: id, in: contents) else { return try Self.notFound() }
        guard let secrets else {
            let entry = contents[keyPath: list.entries][position]
            return try .json(FileWriter().value(of: entry), status: status)
        }
        let earlier = try before.map { try FileWriter(showsSecrets: true).value(of: $0) }
        let values = Set((earlier?["secrets"]?.array ?? []).compactMap { $0["value"]?.string })
        return try .json(
            FileWriter(showsSecrets: true, hidden: values).value(of: secrets),
            status: status
        )
    }

    /// Generates a random value for each secret without one.
    static func withSecrets(_ body: JSONValue) -> JSONValue {
        guard case .object(var members) = body, let secrets = members["secrets"]?.array else { return body }
        members["secrets"] = .array(
            secrets.map { secret in
                guard case .object(var values) = secret, values["value"] ?? .null == .null else { return secret }
                values["value"] = .string(Secret.random().exposed)
                return .object(values)
            }
        )
        return .object(members)
    }

    static func notFound() throws -> Response {
        .json(["error": "not_found"], status: .notFound)
    }

    static func wrongMethod(allowed: String) throws -> Response {
        var response = Response.json(
            ["error": "method_not_allowed", "error_description": .string("allowed methods: \(allowed)")],
            status: .methodNotAllowed
        )
        response.headers[.allow] = allowed
        return response
    }

    /// The message about an entry. The position of a user is left out, because a user is changed individually.
    private static func sentence(_ invalid: EmulatorDirectory.InvalidEntry) -> String {
        invalid.description.replacing("users[0]", with: "user", maxReplacements: 1)
    }
}
