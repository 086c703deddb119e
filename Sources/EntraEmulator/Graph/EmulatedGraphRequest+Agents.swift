// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import MSALBase

/// Requests about agents. The permissions are those of other applications and users (inferred: the table of permissions
/// has none of agents).
extension EmulatedGraphRequest {
    /// The type that the address or the body names.
    var agentType: GraphAgentType? {
        address.agentType ?? JSONValue(parsing: body)?["@odata.type"]?.string.flatMap(GraphAgentType.init(named:))
    }

    /// The objects of the type in the address.
    func agentObjects() throws -> ([GraphObject], GraphKind) {
        switch (address.agentType, address.collection) {
        case (.blueprint, .applications):
            let all = graph.applications.filter(\.isAgentBlueprint)
            return (GraphTypes.application.objects(all, in: graph), GraphTypes.application.kind)
        case (.principal, .servicePrincipals):
            let blueprints = Set(graph.applications.filter(\.isAgentBlueprint).map(\.clientID))
            let all = graph.principals.filter { blueprints.contains($0.clientID) }
            return (GraphTypes.servicePrincipal.objects(all, in: graph), GraphTypes.servicePrincipal.kind)
        case (.identity, .servicePrincipals):
            return (GraphTypes.agentIdentity.objects(graph.agents, in: graph), GraphTypes.agentIdentity.kind)
        case (.user, .users):
            let all = try graph.store.accounts(in: graph.tenant.id).filter { $0.agent != nil }
            return (GraphTypes.user.objects(all, in: graph), GraphTypes.user.kind)
        default: throw notSupported
        }
    }

    /// Creates, changes, and removes agents, and creates their user accounts; `nil` for all other requests. A blueprint is
    /// created as an application, and has a service principal from then on.
    func changeAgents(_ editor: ServedDirectoryEditor) async throws -> GraphReply? {
        switch (address.collection, exchange.method, address.id) {
        case (.servicePrincipals, .post, nil) where agentType == .identity: return try createAgent(editor)
        case (.users, .post, nil) where agentType == .user: return try await createAgentUser(editor)
        case (.servicePrincipals, .patch, _?), (.servicePrincipals, .delete, _?):
            let cast = GraphResourcePath.Tail.cast(GraphAgentType.identity.rawValue, counts: false)
            guard address.part == nil, [.none, cast].contains(address.tail), let agent = try? graph.principal(key).agent
            else { return nil }
            if exchange.method == .delete {
                try editor.change { $0.agents.removeAll { $0.id.lowercased() == agent.id } }
                return Self.done
            }
            let sent = try members()
            guard Set(sent.keys).isSubset(of: ["displayName", "accountEnabled"]) else {
                throw GraphFault.notSupported("writable properties of agents except displayName and accountEnabled")
            }
            try editAgent(agent.id, with: editor) { entry in
                entry.displayName = sent["displayName"]?.string ?? entry.displayName
                entry.isEnabled = sent["accountEnabled"]?.bool ?? entry.isEnabled
            }
            return Self.done
        default: return nil
        }
    }

    /// Changes the agent with an ID.
    func editAgent(
        _ id: String,
        with editor: ServedDirectoryEditor,
        change: (inout EmulatorDirectory.Agent) -> Void
    ) throws {
        try editor.change { directory in
            guard let index = directory.agents.firstIndex(where: { $0.id.lowercased() == id }) else {
                throw GraphFault.notFound(id)
            }
            change(&directory.agents[index])
        }
    }

    private func createAgent(_ editor: ServedDirectoryEditor) throws -> GraphReply {
        let sent = try members()
        let agent = EmulatorDirectory.Agent(
            id: UUID.random().text,
            displayName: try required("displayName", in: sent),
            blueprint: try required("agentIdentityBlueprintId", in: sent),
            tenant: graph.tenant.domain
        )
        try editor.change { $0.agents.append(agent) }
        return created(GraphTypes.agentIdentity.object(try graph.principal(agent.id), in: graph))
    }

    private func createAgentUser(_ editor: ServedDirectoryEditor) async throws -> GraphReply {
        let sent = try members()
        let name = try required("userPrincipalName", in: sent).lowercased()
        let parent = try required("identityParentId", in: sent).lowercased()
        guard try graph.principal(parent).agent != nil else { throw GraphFault.notFound(parent) }
        var user = EmulatorDirectory.User(
            id: UUID.random().text,
            tenant: graph.tenant.domain,
            userPrincipalName: name,
            displayName: try required("displayName", in: sent),
            password: nil
        )
        (user.agent, user.isEnabled) = (parent, sent["accountEnabled"]?.bool ?? true)
        try editor.add(user)
        return created(try await graph.object(user.id, in: .users))
    }
}
