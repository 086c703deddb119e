// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation

/// A directory with two blueprints, their agents, and the agents' user accounts.
enum AgentDirectory {
    static let blueprint = "00000000-0000-4000-8000-0000000000b1"
    static let otherBlueprint = "00000000-0000-4000-8000-0000000000b2"
    static let secret = "Blueprint-secret-1"
    static let agent = "00000000-0000-4000-8000-0000000000c1"
    static let secondAgent = "00000000-0000-4000-8000-0000000000c2"
    static let foreignAgent = "00000000-0000-4000-8000-0000000000c3"
    static let disabledAgent = "00000000-0000-4000-8000-0000000000c4"
    static let elsewhereAgent = "00000000-0000-4000-8000-0000000000c5"
    static let user = "assistant@contoso.example"
    static let userID = "aaaaaaaa-0000-4000-8000-0000000000d1"
    static let secondUser = "second@contoso.example"
    static let graph = "https://graph.microsoft.com"

    /// Adds them to the default directory.
    static func add(to directory: inout EmulatorDirectory) {
        for id in [blueprint, otherBlueprint] {
            var application = EmulatorDirectory.Application(
                clientID: id,
                displayName: "Blueprint",
                kind: .web,
                redirectURIs: []
            )
            application.isAgentBlueprint = true
            application.inheritablePermissions = [graph]
            application.grantedScopes = [graph: ["User.Read"]]
            application.grantedRoles = [graph: ["User.Read.All"]]
            application.secrets = [EmulatorDirectory.ClientSecret(secret)]
            directory.applications.append(application)
        }
        directory.apis.append(
            EmulatorDirectory.API(
                audience: blueprint,
                identifiers: ["api://\(blueprint)"],
                displayName: "Blueprint",
                scopes: [.init(name: "access_agent", summary: "Talk to the agent")]
            )
        )
        for (id, blueprint, tenant) in [
            (agent, blueprint, "contoso.example"), (secondAgent, blueprint, "contoso.example"),
            (foreignAgent, otherBlueprint, "contoso.example"), (disabledAgent, blueprint, "contoso.example"),
            (elsewhereAgent, blueprint, "fabrikam.example"),
        ] {
            var entry = EmulatorDirectory.Agent(id: id, displayName: id, blueprint: blueprint, tenant: tenant)
            entry.isEnabled = id != disabledAgent
            entry.grantedScopes = [graph: ["Mail.Send"]]
            directory.agents.append(entry)
        }
        for (id, name, agent) in [(userID, user, agent), (secondUserID, secondUser, secondAgent)] {
            var entry = EmulatorDirectory.User(
                id: id,
                tenant: "contoso.example",
                userPrincipalName: name,
                displayName: name,
                password: nil
            )
            entry.agent = agent
            directory.users.append(entry)
        }
    }

    static let secondUserID = "aaaaaaaa-0000-4000-8000-0000000000d2"
}
