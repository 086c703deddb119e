// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALBase

/// `GET` and `POST /users`; `GET`, `PATCH` and `DELETE /users/{name or id}`.
extension ControlAPI {
    private static let pageLimit = 1...10_000

    func respondFromUsers(to request: DirectoryRequest) throws -> Response {
        let editor = parts.editor
        guard let name = request.name else {
            switch request.method {
            case .get: return try listUsers(request.query)
            case .post:
                let user = try EntryBody<EmulatorDirectory.User>().entry(Self.completed(request.body))
                try editor.add(user)
                return try editor.user(user.id).map { try .json(shown($0), status: .created) } ?? Self.notFound()
            default: return try Self.wrongMethod(allowed: "GET, POST")
            }
        }
        guard let user = try editor.user(name) else { return try Self.notFound() }
        switch request.method {
        case .get: return try .json(shown(user))
        case .patch:
            for key in ["id", "tenant"] where request.body[key] != nil && !isSame(request.body[key], as: key, of: user)
            {
                throw ControlRefusal("'\(key)' cannot be changed; add a new user and remove this one")
            }
            try editor.replace(try user.changed(by: request.body, isForm: request.isForm))
            return try editor.user(user.id).map { try .json(shown($0)) } ?? Self.notFound()
        case .delete:
            guard let removed = try editor.removeUser(name) else { return try Self.notFound() }
            return .json(["removed": .string(removed)])
        default: return try Self.wrongMethod(allowed: "GET, PATCH, DELETE")
        }
    }

    /// Lists the users after the name `after`, up to `limit` (1,000 by default). `next` is the `after` of the next
    /// page, and `more` says whether that page has users yet.
    private func listUsers(_ query: FormValues) throws -> Response {
        let body = try ControlBody(query, of: .entries)
        let limit = try body.number("limit", in: Self.pageLimit) ?? 1_000
        let after = try body.text("after") ?? ""
        let users = try parts.editor.users(after: after, limit: limit + 1)
        let page = users.prefix(limit)
        return .json([
            "users": .array(try page.map(shown)),
            "next": .string(page.last?.userPrincipalName ?? after),
            "more": .bool(users.count > limit),
        ])
    }

    /// A user in the form of a directory file, with the ID of the tenant.
    private func shown(_ user: EmulatorDirectory.User) throws -> JSONValue {
        guard case .object(var members) = try FileWriter().value(of: user) else { return .null }
        members["tenantId"] = parts.directory.tenant(named: user.tenant).map { .string($0.id) }
        return .object(members)
    }

    private func isSame(_ value: JSONValue?, as key: String, of user: EmulatorDirectory.User) -> Bool {
        guard let text = value?.string else { return false }
        guard key == "tenant" else { return text.lowercased() == user.id.lowercased() }
        return parts.directory.tenant(named: text)?.id == parts.directory.tenant(named: user.tenant)?.id
    }

    /// Completes a new user with an unused ID, a lowercase name, and a display name made of the first and last name.
    static func completed(_ body: JSONValue) -> JSONValue {
        guard case .object(var members) = body else { return body }
        members = members.filter { $0.value != .null }
        if members["id"] == nil { members["id"] = .string(UUID().uuidString.lowercased()) }
        if let name = members["userPrincipalName"]?.string { members["userPrincipalName"] = .string(name.lowercased()) }
        if members["displayName"] == nil {
            let names = [members["givenName"]?.string, members["surname"]?.string].compactMap(\.self)
            if !names.isEmpty { members["displayName"] = .string(names.joined(separator: " ")) }
        }
        return .object(members)
    }
}
