// Licensed under the MIT License. See LICENSE.

import Foundation

/// The directory of one tenant as Microsoft Graph reads it.
struct GraphDirectory: Sendable {
    typealias Group = EmulatorDirectory.Group

    let tenant: Tenant
    let directory: ServedDirectory
    let store: EmulatorStore
    let signIns: SignInLog

    /// The types of a collection's objects.
    static func kinds(of collection: GraphResourcePath.Collection) -> [GraphKind] {
        switch collection {
        case .users: [GraphTypes.user.kind]
        case .groups: [GraphTypes.group.kind]
        case .applications: [GraphTypes.application.kind]
        case .servicePrincipals: [GraphTypes.servicePrincipal.kind]
        case .organization: [GraphTypes.organization.kind]
        case .permissionGrants: [GraphTypes.permissionGrant.kind]
        case .signIns: [GraphTypes.signIn.kind]
        case .directoryObjects:
            [
                GraphTypes.user.kind, GraphTypes.group.kind, GraphTypes.application.kind,
                GraphTypes.servicePrincipal.kind,
            ]
        }
    }

    /// All objects of a collection. Users are sorted by ID.
    ///
    /// - Throws: 400 for `directoryObjects`, which Graph does not list.
    func objects(in collection: GraphResourcePath.Collection) async throws -> [GraphObject] {
        switch collection {
        case .users: GraphTypes.user.objects(try store.accounts(in: tenant.id), in: self)
        case .groups: GraphTypes.group.objects(groups, in: self)
        case .applications: GraphTypes.application.objects(applications, in: self)
        case .servicePrincipals: GraphTypes.servicePrincipal.objects(principals, in: self)
        case .organization: [GraphTypes.organization.object(tenant, in: self)]
        case .permissionGrants: GraphTypes.permissionGrant.objects(try permissionGrants(), in: self)
        case .signIns: GraphTypes.signIn.objects(try await ownSignIns(), in: self)
        case .directoryObjects:
            throw GraphFault.badRequest("Resource not found for the segment 'directoryObjects'. Name an object.")
        }
    }

    /// The object with an ID or another key.
    ///
    /// - Throws: 404 if there is none.
    func object(_ key: String, in collection: GraphResourcePath.Collection) async throws -> GraphObject {
        switch collection {
        case .users: return GraphTypes.user.object(try await user(key), in: self)
        case .groups: return GraphTypes.group.object(try group(key), in: self)
        case .applications: return GraphTypes.application.object(try application(key), in: self)
        case .servicePrincipals:
            let principal = try principal(key)
            let type = principal.agent == nil ? GraphTypes.servicePrincipal : GraphTypes.agentIdentity
            return type.object(principal, in: self)
        case .organization, .permissionGrants, .signIns:
            guard let found = try await objects(in: collection).first(where: { $0.id == key }) else {
                throw GraphFault.notFound(key)
            }
            return found
        case .directoryObjects:
            for collection in [GraphResourcePath.Collection.users, .groups, .applications, .servicePrincipals] {
                // An object that is not in this collection may be in the next.
                if let found = try? await object(key, in: collection), found.id == key { return found }
            }
            throw GraphFault.notFound(key)
        }
    }

    // MARK: Users and groups

    /// The user with an object ID or user principal name.
    func user(_ key: String) async throws -> User {
        var found = try await store.user(objectID: key.lowercased(), in: tenant.id)
        if found == nil { found = try await store.user(named: homeName(ofGuest: key) ?? key) }
        guard let found, found.objectID(in: tenant.id) != nil else { throw GraphFault.notFound(key) }
        return found
    }

    /// The name in the home tenant of a guest's `name_domain#EXT#@tenant`.
    private func homeName(ofGuest name: String) -> String? {
        guard let mark = name.range(of: "#EXT#@", options: .caseInsensitive),
            tenant.isNamed(String(name[mark.upperBound...]))
        else { return nil }
        let encoded = name[..<mark.lowerBound]
        // The underscore that replaces the at sign is the last one, because domains have none.
        guard let at = encoded.lastIndex(of: "_") else { return nil }
        return encoded[..<at] + "@" + encoded[encoded.index(after: at)...]
    }

    var groups: [Group] { directory.description.groups.filter { $0.tenant == tenant.id } }

    func group(_ id: String) throws(GraphFault) -> Group {
        guard let group = groups.first(where: { $0.id == id.lowercased() }) else { throw .notFound(id) }
        return group
    }

    /// The direct members of a group: users and groups. Unknown names are ignored.
    func members(of group: Group) async throws -> [GraphObject] {
        var found: [GraphObject] = []
        for name in group.members {
            if let user = try? await user(name) {
                found.append(GraphTypes.user.object(user, in: self))
            } else if let inner = try? self.group(name) {
                found.append(GraphTypes.group.object(inner, in: self))
            }
        }
        return found
    }

    /// The direct and indirect members of a group, without duplicates.
    func allMembers(of group: Group) async throws -> [GraphObject] {
        var found: [GraphObject] = []
        var seen: Set = [group.id]
        var waiting = [group]
        while let next = waiting.popLast() {
            for member in try await members(of: next) where seen.insert(member.id).inserted {
                found.append(member)
                if member.kind.set == "groups" { waiting.append(try self.group(member.id)) }
            }
        }
        return found
    }

    func objects(_ groups: [Group]) -> GraphRelated { .many(GraphTypes.group.objects(groups, in: self)) }

    /// The IDs of the groups that contain an object directly or indirectly.
    func allGroups(of object: GraphObject) async throws -> [String] {
        guard case .many(let groups)? = try await object.related("transitivememberof") else { return [] }
        return groups.map(\.id)
    }

    func manager(of user: User) async throws -> GraphObject? {
        guard let name = user.manager, let manager = try? await self.user(name) else { return nil }
        return GraphTypes.user.object(manager, in: self)
    }

    func directReports(of user: User) throws -> [GraphObject] {
        let names = Set(user.memberNames(in: tenant))
        return try store.accounts(in: tenant.id)
            .filter { $0.manager.map { names.contains($0.lowercased()) } ?? false }
            .map { GraphTypes.user.object($0, in: self) }
    }

    // MARK: Sign-ins

    /// The decisions about users of the tenant.
    private func ownSignIns() async throws -> [SignInDecision] {
        var isOwn: [String: Bool] = [:]
        var found: [SignInDecision] = []
        for decision in signIns.elements {
            if decision.user.isEmpty {
                let agent = directory.application(decision.application)?.agent
                if agent?.tenantID == tenant.id { found.append(decision) }
                continue
            }
            if isOwn[decision.user] == nil {
                isOwn[decision.user] = try await store.user(named: decision.user)?.objectID(in: tenant.id) != nil
            }
            if isOwn[decision.user] == true { found.append(decision) }
        }
        return found
    }
}
