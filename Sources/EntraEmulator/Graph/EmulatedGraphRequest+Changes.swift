// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import MSALBase

/// Requests that change the directory, and functions. They write the same data as the control API.
extension EmulatedGraphRequest {
    /// Responds to a request with a method other than `GET`.
    ///
    /// - Throws: 400 for an invalid body, in which case nothing has changed. 405 if the address does not accept the
    ///   method.
    func change(with editor: ServedDirectoryEditor, now: Date) async throws -> GraphReply {
        do {
            if let agents = try await changeAgents(editor) { return agents }
            switch address.collection {
            case .users: return try await changeUsers(editor, now: now)
            case .groups: return try await changeGroups(editor)
            case .applications: return try changeApplications(editor, now: now)
            case .servicePrincipals: return try await changePrincipals(editor)
            case .permissionGrants: return try await changePermissionGrants(editor)
            case .directoryObjects where address.part == "getbyids": return try await objectsByID()
            case .directoryObjects: return try await membership()
            case .organization, .signIns: throw GraphFault.wrongMethod
            }
        } catch let invalid as EmulatorDirectory.InvalidEntry {
            throw GraphFault.badBody("\(invalid)")
        } catch let found as DirectoryFileError {
            throw GraphFault.badBody("\(found.issue.problem); \(found.issue.remedy)")
        }
    }

    /// Whether the request creates an object of the collection, which is the only change of a collection.
    ///
    /// - Throws: 405 for another request to the collection.
    func makesObject() throws(GraphFault) -> Bool {
        guard address.id == nil else { return false }
        guard exchange.method == .post, address.part == nil, address.tail == .none else { throw .wrongMethod }
        return true
    }

    // MARK: Bodies

    /// The members of the body.
    func members() throws(GraphFault) -> [String: JSONValue] {
        guard let members = JSONValue(parsing: body)?.object else { throw .badBody("The body is not a JSON object.") }
        return members.filter { !$0.key.hasPrefix("@") }
    }

    /// A required string of the body.
    func required(_ name: String, in members: [String: JSONValue]) throws(GraphFault) -> String {
        guard let text = members[name]?.string, !text.isEmpty else {
            throw .badBody("Property \(name) is required.")
        }
        return text
    }

    /// The ID at the end of an address, as in `@odata.id`.
    func id(inAddress value: JSONValue?) throws(GraphFault) -> String {
        guard let id = value?.string?.split(separator: "/").last, !id.isEmpty else {
            throw .badBody("The body needs the address of the object as '@odata.id'.")
        }
        return id.replacing("')", with: "").split(separator: "'").last.map { $0.lowercased() } ?? id.lowercased()
    }

    /// `@odata.id` of the body.
    func referencedID() throws(GraphFault) -> String {
        try id(inAddress: JSONValue(parsing: body)?["@odata.id"])
    }

    /// The reply with a created object.
    func created(_ object: GraphObject, besides others: [String: JSONValue] = [:]) -> GraphReply {
        var members = object.members(nil).merging(others) { own, _ in own }
        members["@odata.context"] = .string("\(metadata)#\(object.kind.set)/$entity")
        return GraphReply(status: .created, json: .object(members))
    }

    static let done = GraphReply(status: .noContent)

    // MARK: Functions

    /// `getMemberGroups`, `getMemberObjects`, `checkMemberGroups`, and `checkMemberObjects`.
    func membership() async throws -> GraphReply {
        guard exchange.method == .post, address.tail == .none, let part = address.part else {
            throw GraphFault.wrongMethod
        }
        let object = try await graph.object(key, in: address.collection)
        let groups = try await graph.allGroups(of: object)
        let context = JSONValue.string("\(metadata)#Collection(Edm.String)")
        guard part.hasPrefix("check") else {
            guard try members()["securityEnabledOnly"]?.bool != nil || part == "getmemberobjects" else {
                throw GraphFault.badBody("Property securityEnabledOnly is required.")
            }
            return GraphReply(json: ["@odata.context": context, "value": .strings(groups)])
        }
        let name = part == "checkmembergroups" ? "groupIds" : "ids"
        guard let ids = try members()[name]?.array?.compactMap(\.string), (1...20).contains(ids.count) else {
            throw GraphFault.badBody("Property \(name) must be a list of 1 to 20 IDs.")
        }
        let wanted = Set(ids.map { $0.lowercased() })
        return GraphReply(json: ["@odata.context": context, "value": .strings(groups.filter(wanted.contains))])
    }

    /// `directoryObjects/getByIds`.
    private func objectsByID() async throws -> GraphReply {
        guard exchange.method == .post else { throw GraphFault.wrongMethod }
        let body = try members()
        guard let ids = body["ids"]?.array?.compactMap(\.string), (1...1_000).contains(ids.count) else {
            throw GraphFault.badBody("Property ids must be a list of 1 to 1,000 IDs.")
        }
        let types = body["types"]?.array?.compactMap { $0.string?.lowercased() }
        var found: [JSONValue] = []
        for id in ids {
            // Ignores unknown IDs.
            guard let object = try? await graph.object(id.lowercased(), in: .directoryObjects),
                types?.contains(object.kind.name.lowercased()) ?? true
            else { continue }
            var members = object.members(nil)
            members["@odata.type"] = .string("#microsoft.graph.\(object.kind.name)")
            found.append(.object(members))
        }
        return GraphReply(json: ["@odata.context": .string("\(metadata)#directoryObjects"), "value": .array(found)])
    }
}
