// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import MSALBase

/// Changes of users and groups.
extension EmulatedGraphRequest {
    private static let photoLimit = 48 * 1024

    // MARK: Users

    func changeUsers(_ editor: ServedDirectoryEditor, now: Date) async throws -> GraphReply {
        if try makesObject() { return try await createUser(editor) }
        switch (exchange.method, address.part) {
        case (.patch, nil) where address.tail == .none:
            try await changeUser(by: try userMembers(try members()), with: editor)
        case (.delete, nil) where address.tail == .none: try await removeUser(try await graph.user(key), with: editor)
        case (.put, "manager") where address.tail == .reference:
            let manager = try await graph.user(try referencedID())
            try await changeUser(by: ["manager": .string(manager.id)], with: editor)
        case (.delete, "manager") where address.tail == .reference:
            try await changeUser(by: ["manager": .null], with: editor)
        case (.put, "photo"), (.patch, "photo"):
            guard address.tail == .value, (1...Self.photoLimit).contains(body.count) else {
                throw GraphFault.badBody(
                    "The photo must be a JPEG or PNG file of at most \(Self.photoLimit) bytes, at photo/$value."
                )
            }
            let photo = JSONValue.string(body.base64EncodedString())
            try await changeUser(by: ["photo": photo], with: editor)
            return GraphReply()
        case (.delete, "photo"): try await changeUser(by: ["photo": .null], with: editor)
        case (.post, "revokesigninsessions"):
            let user = try await graph.user(key)
            _ = try await graph.store.endSignIns(of: user.userPrincipalName, at: now)
            return GraphReply(json: ["@odata.context": .string("\(metadata)#Edm.Boolean"), "value": true])
        case (_, "approleassignments"): return try await changeRoleAssignments(editor)
        case (_, _?): return try await membership()
        case (_, nil): throw GraphFault.wrongMethod
        }
        return Self.done
    }

    private func createUser(_ editor: ServedDirectoryEditor) async throws -> GraphReply {
        let sent = try members()
        for name in ["displayName", "mailNickname", "userPrincipalName"] { _ = try required(name, in: sent) }
        guard sent["accountEnabled"]?.bool != nil else {
            throw GraphFault.badBody("Property accountEnabled is required.")
        }
        guard sent["passwordProfile"]?["password"]?.string != nil else {
            throw GraphFault.badBody("Property passwordProfile.password is required.")
        }
        var described = try userMembers(sent)
        let name = try required("userPrincipalName", in: sent).lowercased()
        guard let domain = name.split(separator: "@").last, graph.tenant.isNamed(String(domain)) else {
            throw GraphFault.badBody(
                "The domain portion of the userPrincipalName property is invalid. You must use one of the verified domain "
                    + "names in your organization."
            )
        }
        let id = UUID.random().text
        described["id"] = .string(id)
        described["tenant"] = .string(graph.tenant.domain)
        described["userPrincipalName"] = .string(name)
        guard try await graph.store.user(named: name) == nil else {
            throw GraphFault.badBody(
                "Another object with the same value for property userPrincipalName already exists."
            )
        }
        try editor.add(try EntryBody<EmulatorDirectory.User>().entry(.object(described)))
        return created(try await graph.object(id, in: .users))
    }

    /// Translates the members of a user to the names of a directory file.
    private func userMembers(_ members: [String: JSONValue]) throws(GraphFault) -> [String: JSONValue] {
        let object = EmulatorDirectory.User.form.object
        var described = object.changes(inGraph: members)
        let known = Set(object.members.compactMap(\.graphPath?.first))
        var attributes: [String: JSONValue] = [:]
        for (name, value) in members where !known.contains(name) {
            if name == "passwordProfile" {
                described["password"] = value["password"] ?? .null
                let mustChange = value["forceChangePasswordNextSignIn"]?.bool ?? true
                described["passwordState"] = mustChange ? "mustChange" : "current"
            } else if User.attributeNames.contains(name) || graph.extensionNames.contains(name) {
                attributes[name] = value
            } else if name != "mailNickname" && name != "id" {
                throw .notSupported("writable '\(name.prefix(80))' of users")
            }
        }
        if !attributes.isEmpty { described["attributes"] = .object(attributes) }
        return described
    }

    private func changeUser(by change: [String: JSONValue], with editor: ServedDirectoryEditor) async throws {
        let id = try await graph.user(key).id
        guard let user = try editor.user(id) else { throw GraphFault.notFound(id) }
        try editor.replace(try user.changed(by: .object(change)))
    }

    /// Removes a user, or the guest account of a user in this tenant.
    private func removeUser(_ account: User, with editor: ServedDirectoryEditor) async throws {
        let names = Set(account.memberNames(in: graph.tenant))
        if account.homeTenantID == graph.tenant.id {
            _ = try editor.removeUser(account.id)
        } else if var user = try editor.user(account.id) {
            user.guestObjectIDs = user.guestObjectIDs.filter { !graph.tenant.isNamed($0.key) }
            try editor.replace(user)
        }
        guard graph.groups.contains(where: { $0.members.contains { names.contains($0.lowercased()) } }) else { return }
        try editor.change { directory in
            for index in directory.groups.indices where graph.tenant.isNamed(directory.groups[index].tenant) {
                directory.groups[index].members.removeAll { names.contains($0.lowercased()) }
            }
        }
    }

    // MARK: Groups

    func changeGroups(_ editor: ServedDirectoryEditor) async throws -> GraphReply {
        if try makesObject() { return try await createGroup(editor) }
        let group = try graph.group(key)
        switch (exchange.method, address.part, address.tail) {
        case (.patch, nil, .none):
            let described = try groupMembers(try members())
            let added = try await boundMembers()
            try edit(group, with: editor) { entry in
                entry = try EntryBody().entry(entry, changedBy: .object(described))
                try Self.add(added, to: &entry)
            }
        case (.delete, nil, .none):
            try editor.change { directory in
                directory.groups.removeAll { $0.id.lowercased() == group.id }
                for index in directory.groups.indices {
                    directory.groups[index].members.removeAll { $0.lowercased() == group.id }
                }
            }
        case (.post, "members", .reference):
            let member = try await member(try referencedID())
            try edit(group, with: editor) { try Self.add([member], to: &$0) }
        case (.delete, "members", .element(let id, true)):
            guard let member = try await graph.members(of: group).first(where: { $0.id == id }) else {
                throw GraphFault.notFound(id)
            }
            var names: Set = [member.id]
            if member.kind.set == "users" { names = Set(try await graph.user(id).memberNames(in: graph.tenant)) }
            try edit(group, with: editor) { $0.members.removeAll { names.contains($0.lowercased()) } }
        case (_, "approleassignments", _): return try await changeRoleAssignments(editor)
        case (_, "members", _), (_, "transitivemembers", _), (_, "memberof", _), (_, "transitivememberof", _),
            (_, nil, _):
            throw GraphFault.wrongMethod
        case (_, _?, _): return try await membership()
        }
        return Self.done
    }

    private func createGroup(_ editor: ServedDirectoryEditor) async throws -> GraphReply {
        let sent = try members()
        for name in ["displayName", "mailNickname"] { _ = try required(name, in: sent) }
        for name in ["mailEnabled", "securityEnabled"] where sent[name]?.bool == nil {
            throw GraphFault.badBody("Property \(name) is required.")
        }
        var described = try groupMembers(sent)
        let id = UUID.random().text
        described["id"] = .string(id)
        described["tenant"] = .string(graph.tenant.domain)
        var group = try EntryBody<EmulatorDirectory.Group>().entry(.object(described))
        try Self.add(try await boundMembers(), to: &group)
        let finished = group
        try editor.change { $0.groups.append(finished) }
        return created(try await graph.object(id, in: .groups))
    }

    /// Translates the members of a group to the names of a directory file. The emulator has only security groups.
    private func groupMembers(_ members: [String: JSONValue]) throws(GraphFault) -> [String: JSONValue] {
        var described: [String: JSONValue] = [:]
        for (name, value) in members {
            switch (name, value) {
            case ("displayName", _), ("description", _), ("mailNickname", _): described[name] = value
            case ("securityEnabled", true), ("mailEnabled", false), ("groupTypes", []), ("isAssignableToRole", false),
                ("members@odata.bind", _), ("id", _):
                continue
            default:
                throw .notSupported("groups with this '\(name.prefix(80))', only security groups")
            }
        }
        return described
    }

    /// The IDs of `members@odata.bind`.
    private func boundMembers() async throws -> [String] {
        guard let bound = JSONValue(parsing: body)?["members@odata.bind"] else { return [] }
        guard let addresses = bound.array, addresses.count <= 20 else {
            throw GraphFault.badBody("members@odata.bind must be a list of at most 20 addresses.")
        }
        var ids: [String] = []
        for address in addresses { ids.append(try await member(try id(inAddress: address))) }
        return ids
    }

    /// The ID by which a group refers to a user or a group.
    private func member(_ id: String) async throws -> String {
        let object = try await graph.object(id, in: .directoryObjects)
        guard ["users", "groups"].contains(object.kind.set) else {
            throw GraphFault.notSupported("'\(object.kind.name)' as a member of groups")
        }
        return object.id
    }

    private static func add(_ ids: [String], to group: inout EmulatorDirectory.Group) throws(GraphFault) {
        for id in ids {
            guard !group.members.contains(where: { $0.lowercased() == id }) else {
                throw .badBody(
                    "One or more added object references already exist for the following modified properties: 'members'."
                )
            }
            group.members.append(id)
        }
    }

    private func edit(
        _ group: EmulatorDirectory.Group,
        with editor: ServedDirectoryEditor,
        change: (inout EmulatorDirectory.Group) throws -> Void
    ) throws {
        try editor.change { directory in
            guard let index = directory.groups.firstIndex(where: { $0.id.lowercased() == group.id }) else { return }
            try change(&directory.groups[index])
        }
    }
}
