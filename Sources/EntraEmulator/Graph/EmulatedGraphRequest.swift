// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import MSALBase

/// A request with parsed address, token, and options.
struct EmulatedGraphRequest: Sendable {
    let exchange: Exchange
    let address: GraphResourcePath
    let caller: GraphCaller
    let graph: GraphDirectory
    let query: GraphQueryOptions
    let body: Data

    /// The key of the object; the signed-in user's for `/me`.
    var key: String {
        guard address.isMe, let user = caller.user else { return address.id ?? "" }
        return user.objectID(in: caller.tenant.id) ?? user.id
    }

    /// Whether the collection belongs to the directory, where some options require an additional header.
    private var isDirectory: Bool { address.collection != .signIns && address.collection != .permissionGrants }

    // MARK: Permission

    /// Checks that the token has one of the permissions in Microsoft's table.
    ///
    /// - Throws: 403 if it has none, 501 if the request is not in the table.
    func checkPermission() async throws {
        let method = exchange.method == .head ? "GET" : exchange.method.rawValue
        let table = GraphPermissions.shared
        let isOwn = try await isOwn()
        var needs = [table.need(method, at: address.templateByID)]
        if isOwn { needs.append(table.need(method, at: address.template.replacing("/users/{id}", with: "/me"))) }
        let found = needs.compactMap(\.self)
        guard !found.isEmpty else {
            throw GraphFault.notSupported("'\(method) \(exchange.path.prefix(240))' of Microsoft Graph")
        }
        guard caller.user != nil else {
            guard found.contains(where: { !$0.roles.isDisjoint(with: caller.permissions) }) else {
                throw GraphFault.denied(found.reduce(into: []) { $0.formUnion($1.roles) })
            }
            return
        }
        // A permission such as User.Read only covers the signed-in user.
        let isPersonal = [.users, .directoryObjects].contains(address.collection) && !isOwn
        let candidates = found.reduce(into: Set<String>()) { $0.formUnion($1.scopes) }
            .filter { !isPersonal || $0.hasSuffix(".All") }
        guard !candidates.isDisjoint(with: caller.permissions) else { throw GraphFault.denied(candidates) }
    }

    /// Whether the object is the signed-in user.
    private func isOwn() async throws -> Bool {
        guard !address.isMe else { return true }
        guard address.collection == .users, let id = address.id, let user = caller.user else { return false }
        let names = [user.userPrincipalName, user.principalName(in: caller.tenant)].map { $0.lowercased() }
        return id == user.objectID(in: caller.tenant.id) || names.contains(id)
    }

    // MARK: Reading

    /// Responds to a request that changes nothing.
    func read(_ deltas: GraphDeltas) async throws -> GraphReply {
        guard address.id != nil else {
            switch (address.part, address.tail) {
            case (nil, .none) where address.agentType != nil:
                let (objects, kind) = try agentObjects()
                return try await list(objects, as: [kind], at: kind.set)
            case ("delta", .none):
                return GraphReply(json: try await deltas.page(for: self))
            case (nil, .none): return try await list(graph.objects(in: address.collection), as: kinds, at: context)
            case (nil, .count): return try count(try await graph.objects(in: address.collection), as: kinds)
            default: throw GraphFault.wrongMethod
            }
        }
        let object = try await graph.object(key, in: address.collection)
        guard let part = address.part else {
            guard address.tail == .none else { throw notSupported }
            try query.check([object.kind])
            var members = try await query.members(of: object)
            members["@odata.context"] = .string("\(metadata)#\(object.kind.set)/$entity")
            if address.collection == .directoryObjects {
                members["@odata.type"] = .string("#microsoft.graph.\(object.kind.name)")
            }
            return GraphReply(json: .object(members))
        }
        if part == "photo" { return try await photo() }
        if part == "extensionproperties", address.tail == .none {
            let application = try graph.application(key)
            let properties = application.extensionProperties.map { name in
                JSONValue.object(GraphDirectory.extensionProperty(name, of: application))
            }
            return GraphReply(json: ["value": .array(properties)])
        }
        guard let related = try await object.related(part) else { throw GraphFault.wrongMethod }
        switch related {
        case .one(let found):
            guard let found else { throw GraphFault.notFound(part) }
            try query.check([found.kind])
            if address.tail == .reference { return GraphReply(json: reference(to: found)) }
            var members = try await query.members(of: found)
            members["@odata.context"] = .string("\(metadata)#directoryObjects/$entity")
            members["@odata.type"] = .string("#microsoft.graph.\(found.kind.name)")
            return GraphReply(json: .object(members))
        case .many(let found): return try await relation(found, named: part)
        }
    }

    private func relation(_ found: [GraphObject], named part: String) async throws -> GraphReply {
        let kinds = Self.kinds(of: part)
        let isMixed = kinds.count > 1
        let context = isMixed ? "directoryObjects" : kinds.first?.set ?? ""
        switch address.tail {
        case .none: return try await list(found, as: kinds, at: context)
        case .count: return try count(found, as: kinds)
        case .reference:
            return GraphReply(json: [
                "@odata.context": .string("\(metadata)#Collection($ref)"),
                "value": .array(found.map(reference)),
            ])
        case .cast(let name, let counts):
            guard let kind = kinds.first(where: { $0.name.lowercased() == name }) else { throw notSupported }
            let ofKind = found.filter { $0.kind.name == kind.name }
            return try counts ? count(ofKind, as: [kind]) : await list(ofKind, as: [kind], at: kind.set)
        case .element(let id, false):
            guard let element = found.first(where: { $0.id == id }) else { throw GraphFault.notFound(id) }
            return GraphReply(json: .object(try await query.members(of: element)))
        case .element(_, true), .value: throw notSupported
        }
    }

    /// The types of the objects of a relation. Members and memberships may have two, so each object contains its type.
    private static func kinds(of relation: String) -> [GraphKind] {
        switch relation {
        case "approleassignments", "approleassignedto": [GraphTypes.roleAssignment.kind]
        case "oauth2permissiongrants": [GraphTypes.permissionGrant.kind]
        default: [GraphTypes.user.kind, GraphTypes.group.kind]
        }
    }

    private func list(_ objects: [GraphObject], as kinds: [GraphKind], at context: String) async throws -> GraphReply {
        var query = query
        // The newest come first, as in the service.
        if address.collection == .signIns, query.order.isEmpty {
            query.order = [GraphQueryOptions.Order(path: ["createddatetime"], isDescending: true)]
        }
        var members = try await query.page(of: objects, as: kinds, isDirectory: isDirectory, exchange: exchange)
        members["@odata.context"] = .string("\(metadata)#\(context)")
        return GraphReply(json: .object(members))
    }

    private func count(_ objects: [GraphObject], as kinds: [GraphKind]) throws -> GraphReply {
        guard query.isEventual || !isDirectory else {
            throw GraphFault.badBody(
                "$count is not currently supported. It needs the header 'ConsistencyLevel: eventual'."
            )
        }
        var query = query
        query.counts = true
        let number = try query.matching(objects, as: kinds, isDirectory: isDirectory).count
        return GraphReply(file: ("text/plain; charset=utf-8", Data(String(number).utf8)))
    }

    private func reference(to object: GraphObject) -> JSONValue {
        ["@odata.id": .string("\(exchange.base)/\(version)/directoryObjects/\(object.id)")]
    }

    /// The photo of a user.
    private func photo() async throws -> GraphReply {
        guard address.collection == .users else { throw notSupported }
        let user = try await graph.user(key)
        guard let photo = user.photo.flatMap({ Data(base64Encoded: $0) }) else {
            throw GraphFault(status: .notFound, code: "ImageNotFound", message: "The photo wasn't found.")
        }
        let type = photo.starts(with: [0x89, 0x50, 0x4E, 0x47]) ? "image/png" : "image/jpeg"
        switch address.tail {
        case .value: return GraphReply(file: (type, photo))
        case .none:
            return GraphReply(json: [
                "@odata.context": .string("\(metadata)#users('\(key)')/photo/$entity"),
                "@odata.mediaContentType": .string(type), "id": "default",
            ])
        case .count, .reference, .cast, .element: throw notSupported
        }
    }

    // MARK: Names

    private var kinds: [GraphKind] { GraphDirectory.kinds(of: address.collection) }
    private var context: String { kinds.first?.set ?? "" }
    /// `v1.0` or `beta`.
    var version: String { exchange.path.split(separator: "/").first.map { $0.lowercased() } ?? "v1.0" }
    var metadata: String { "https://graph.microsoft.com/\(version)/$metadata" }
    var notSupported: GraphFault { .notSupported("'\(exchange.path.prefix(240))' of Microsoft Graph") }
}
