// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
import HTTPTypes
import MSALBase
import Synchronization

/// The users and groups that apps have received in delta queries (Microsoft Graph, "Use delta query to track changes in
/// Microsoft Graph data"). They are kept in memory.
final class GraphDeltas: Sendable {
    /// The state of one object that an app has received.
    private struct Known: Sendable, Equatable {
        let digest: Data
        let members: Set<String>
    }

    /// The position of an app in a delta query: the objects that it has received, and those that are still to be sent.
    private struct Position: Sendable {
        let collection: GraphResourcePath.Collection
        let tenantID: String
        let known: [String: Known]
        /// The objects that were not sent yet.
        var rest: [JSONValue]
    }

    private let positions = Mutex<[(token: String, position: Position)]>([])
    /// The maximum number of valid links. If there are more, the oldest one becomes invalid.
    private static let limit = 32

    /// Removes all links.
    func removeAll() { positions.withLock { $0.removeAll() } }

    /// A page of the changes since the link of the request, or of everything.
    ///
    /// - Throws: 410 for a link that is no longer valid.
    func page(for call: EmulatedGraphRequest) async throws -> JSONValue {
        let query = call.query
        guard query.filter == nil, query.search == nil, query.order.isEmpty, query.expansions.isEmpty else {
            throw GraphFault.unsupportedQuery("A delta query only supports $select and $top.")
        }
        try query.check(GraphDirectory.kinds(of: call.address.collection))
        var position: Position
        if let token = query.skipToken?.first?.string {
            position = try self.position(token, of: call)
        } else {
            let isLatest = query.deltaToken == "latest"
            let before = try isLatest ? nil : query.deltaToken.map { try self.position($0, of: call).known }
            position = try await compare(call, with: before, isSilent: isLatest)
        }
        let page = position.rest.prefix(query.pageSize)
        position.rest.removeFirst(page.count)
        let token = Secret.random(bytes: 16).exposed
        var members: [String: JSONValue] = [
            "@odata.context": .string("\(call.metadata)#\(call.address.collection.rawValue)"),
            "value": .array(Array(page)),
        ]
        if position.rest.isEmpty {
            members["@odata.deltaLink"] = .string(query.link(to: call.exchange, with: "$deltatoken", of: token))
        } else {
            let text = JSONValue.array([.string(token)]).encoded().base64URL
            members["@odata.nextLink"] = .string(query.link(to: call.exchange, with: "$skiptoken", of: text))
        }
        positions.withLock { positions in
            positions.append((token, position))
            if positions.count > Self.limit { positions.removeFirst() }
        }
        return .object(members)
    }

    private func position(_ token: String, of call: EmulatedGraphRequest) throws(GraphFault) -> Position {
        let found = positions.withLock { positions in positions.first { $0.token == token }?.position }
        guard let found, found.collection == call.address.collection, found.tenantID == call.graph.tenant.id else {
            throw GraphFault(
                status: .gone,
                code: "syncStateNotFound",
                message: "The sync state generation is not found. Start again without a token."
            )
        }
        return found
    }

    /// The current state, and its differences from an earlier one.
    private func compare(
        _ call: EmulatedGraphRequest,
        with before: [String: Known]?,
        isSilent: Bool
    ) async throws -> Position {
        var known: [String: Known] = [:]
        var changes: [JSONValue] = []
        for object in try await call.graph.objects(in: call.address.collection) {
            let members = object.members(call.query.select.map { $0 + ["id"] })
            var belonging: [String: String] = [:]
            if case .many(let found)? = try await object.related("members") {
                for member in found { belonging[member.id] = member.kind.name }
            }
            let state = Known(
                digest: Data(SHA256.hash(data: JSONValue.object(members).encoded())),
                members: Set(belonging.keys)
            )
            known[object.id] = state
            guard !isSilent, state != before?[object.id] else { continue }
            var change = members
            let gone = before?[object.id]?.members.subtracting(state.members) ?? []
            let new = state.members.subtracting(before?[object.id]?.members ?? [])
            let delta: [JSONValue] =
                new.sorted().map { id in
                    ["@odata.type": .string("#microsoft.graph.\(belonging[id] ?? "user")"), "id": .string(id)]
                }
                + gone.sorted().map { id in ["id": .string(id), "@removed": ["reason": "deleted"]] }
            if !delta.isEmpty { change["members@delta"] = .array(delta) }
            changes.append(.object(change))
        }
        for id in Set((before ?? [:]).keys).subtracting(known.keys).sorted() {
            changes.append(["id": .string(id), "@removed": ["reason": "deleted"]])
        }
        return Position(
            collection: call.address.collection,
            tenantID: call.graph.tenant.id,
            known: known,
            rest: changes
        )
    }
}
