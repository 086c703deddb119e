// Licensed under the MIT License. See LICENSE.

import Foundation

extension EmulatorDirectory {
    /// An agent identity of Entra Agent ID: a service principal without an application and without credentials. Its
    /// blueprint, an ``Application`` with ``Application/isAgentBlueprint``, gets tokens for it.
    ///
    /// An agent's user account is a ``User`` with ``User/agent``. It remains when the agent is removed.
    public struct Agent: Sendable, Codable, Equatable {
        /// The client ID, a GUID. It is also the object ID of the service principal.
        public var id: String
        /// The display name.
        public var displayName: String
        /// The client ID of the blueprint.
        public var blueprint: String
        /// The only tenant of the agent: its ID, its domain, or one of its aliases.
        public var tenant: String
        /// Whether the agent gets tokens (AADSTS7000112 otherwise).
        public var isEnabled = true
        /// Delegated permissions with admin consent for all users, by any name of the API. `["*"]` means all
        /// permissions of the API.
        public var grantedScopes: [String: [String]] = [:]
        /// The app roles that are assigned to the agent, by any name of the API.
        public var grantedRoles: [String: [String]] = [:]

        /// Creates an agent that has no permissions of its own.
        public init(id: String, displayName: String, blueprint: String, tenant: String) {
            self.id = id
            self.displayName = displayName
            self.blueprint = blueprint
            self.tenant = tenant
        }

        /// Decodes an agent; only the blueprint and the tenant are required, and the name if the ID is omitted.
        public init(from decoder: any Decoder) throws { try self.init(members: decoder) }
    }
}

extension EmulatorDirectory.Agent: FileEntry {
    static let form = EntryForm(
        "agent",
        summary: "An agent identity, for which its blueprint gets tokens.",
        blank: EmulatorDirectory.Agent(id: "", displayName: "", blueprint: "", tenant: "")
    ) { members in
        members.derived("id", at: \.id, as: .text(.guid)) { UUID.derived(from: "agent", $0.displayName).text }
            .summary("The client ID and object ID, a GUID. By default, it is derived from the name.")
        members.derived("displayName", at: \.displayName, from: \.id).label("Name")
            .summary("The display name. Defaults to the ID.")
        members.required("blueprint", at: \.blueprint).label("Blueprint")
            .summary("The client ID of the blueprint.")
        members.required("tenant", at: \.tenant).label("Tenant")
            .summary("The only tenant of the agent, by ID, domain, or alias.")
        members.optional("isEnabled", at: \.isEnabled).label("Enabled")
            .summary("Whether the agent gets tokens (AADSTS7000112).")
        members.optional("grantedScopes", at: \.grantedScopes).label("Delegated permissions with admin consent")
            .summary("The scopes to which an administrator has consented, by a name of the API; '*' means all.")
        members.optional("grantedRoles", at: \.grantedRoles).label("Application permissions")
            .summary("The app roles assigned to it, by a name of the API.")
    }
}
