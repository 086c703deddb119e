// Licensed under the MIT License. See LICENSE.

import Foundation

/// A validated `EmulatorDirectory.Agent`, as part of the registration that stands for it at the endpoints.
struct AgentIdentity: Sendable, Equatable {
    /// The client ID and object ID, in lower case.
    let id: String
    /// The client ID of the blueprint, as registered.
    let blueprintID: String
    let tenantID: String
    let isEnabled: Bool
}

extension EmulatorDirectory {
    /// The agents, each with the ID of its tenant.
    func checkedAgents(_ tenants: [Tenant]) throws(InvalidEntry) -> [Agent] {
        var ids = Set((applications.map(\.clientID) + managedIdentities.map(\.clientID)).map { $0.lowercased() })
        return try agents.enumerated().map { index, agent throws(InvalidEntry) in
            let entry = CheckedEntry("agents", at: index, named: agent.displayName)
            try entry.requireGUID(agent.id)
            try entry.claim(agent.id, in: &ids, remedy: "give each agent a unique ID")
            try entry.requireText(agent.displayName, called: "display name")
            let name = agent.blueprint.lowercased()
            guard let blueprint = applications.first(where: { $0.clientID.lowercased() == name }) else {
                throw entry.fail(.unknown(agent.blueprint), remedy: "name the client ID of an application")
            }
            try entry.require(
                blueprint.isAgentBlueprint,
                orFailWith: .contradictory("names '\(agent.blueprint)', which is not a blueprint"),
                remedy: "set isAgentBlueprint of the application"
            )
            var checked = agent
            (checked.id, checked.blueprint) = (agent.id.lowercased(), blueprint.clientID)
            checked.tenant = try Self.tenant(agent.tenant, in: tenants, of: entry).id
            return checked
        }
    }

    /// The registrations that stand for checked agents: no redirect URIs, no credentials, and the permissions of the
    /// agent together with those that it inherits.
    func registrations(of agents: [Agent], apis: [API], tenants: [Tenant]) throws(InvalidEntry) -> [AppRegistration] {
        try agents.enumerated().map { index, agent throws(InvalidEntry) in
            let entry = CheckedEntry("agents", at: index, named: agent.displayName)
            var application = Application(
                clientID: agent.id,
                displayName: agent.displayName,
                kind: .web,
                redirectURIs: []
            )
            application.tenant = agent.tenant
            application.grantedScopes = agent.grantedScopes
            application.grantedRoles = agent.grantedRoles
            for blueprint in applications where blueprint.clientID == agent.blueprint {
                // Microsoft Entra, "Configure inheritable permissions for agent identity blueprints": only the
                // permissions of the listed APIs are inherited. Inferred: the same list applies to app roles.
                let inheritable = apis.filter { api in blueprint.inheritablePermissions.contains(where: api.isNamed) }
                func inherited(_ grants: [String: [String]]) -> [String: [String]] {
                    grants.filter { name, _ in inheritable.contains { $0.isNamed(name) } }
                }
                application.grantedScopes.merge(inherited(blueprint.grantedScopes)) { ($0 + $1).uniqued }
                application.grantedRoles.merge(inherited(blueprint.grantedRoles)) { ($0 + $1).uniqued }
            }
            var registration = try AppRegistration(application, apis: apis, tenants: tenants, as: entry)
            registration.agent = AgentIdentity(
                id: agent.id,
                blueprintID: agent.blueprint,
                tenantID: agent.tenant,
                isEnabled: agent.isEnabled
            )
            return registration
        }
    }
}
