// Licensed under the MIT License. See LICENSE.

import Foundation

extension EmulatorDirectory {
    /// A group of users.
    public struct Group: Sendable, Codable, Equatable {
        /// The object ID, a GUID.
        public var id: String
        /// The tenant: its ID, its domain, or one of its aliases.
        public var tenant: String
        /// The display name.
        public var displayName: String
        /// The user principal names or object IDs of its users, and the IDs of nested groups. Tokens and policies
        /// include the members of nested groups.
        public var members: [String]
        /// `description` in Microsoft Graph.
        public var summary: String?
        /// `mailNickname` in Microsoft Graph; `nil` uses the letters and digits of the display name.
        public var mailNickname: String?

        /// Creates a group.
        public init(id: String, tenant: String, displayName: String, members: [String] = []) {
            self.id = id
            self.tenant = tenant
            self.displayName = displayName
            self.members = members
        }

        /// Decodes a group; an omitted ID is derived from tenant and name.
        public init(from decoder: any Decoder) throws { try self.init(members: decoder) }
    }

    /// The managed identity of a machine in the cloud.
    public struct ManagedIdentity: Sendable, Codable, Equatable {
        /// The name.
        public var name: String
        /// The tenant: its ID, its domain, or one of its aliases.
        public var tenant: String
        /// The client ID, a GUID.
        public var clientID: String
        /// The object ID of its service principal, a GUID.
        public var objectID: String
        /// The Azure resource ID of a user-assigned identity; `nil` for the system-assigned one.
        public var resourceID: String?
        /// The app roles that are assigned to it, by any name of the API.
        public var grantedRoles: [String: [String]] = [:]

        /// Creates a managed identity.
        public init(
            name: String,
            tenant: String,
            clientID: String,
            objectID: String,
            resourceID: String? = nil
        ) {
            self.name = name
            self.tenant = tenant
            self.clientID = clientID
            self.objectID = objectID
            self.resourceID = resourceID
        }

        /// Decodes an identity; omitted IDs are derived from tenant and name.
        public init(from decoder: any Decoder) throws { try self.init(members: decoder) }
    }
}

extension EmulatorDirectory.Group: FileEntry {
    static let form = EntryForm(
        "group",
        summary: "A group of users.",
        blank: EmulatorDirectory.Group(id: "", tenant: "", displayName: "")
    ) { members in
        members.derived("id", at: \.id, as: .text(.guid)) {
            UUID.derived(from: "group", $0.tenant, $0.displayName).text
        }
        .summary("A GUID. By default, it is derived from tenant and name.")
        members.required("tenant", at: \.tenant).label("Tenant").summary("The tenant by ID, domain, or alias.")
        members.required("displayName", at: \.displayName).label("Name").summary("The display name.")
        members.optional("members", at: \.members).label("Members")
            .summary("The names or object IDs of its users, and the IDs of nested groups.")
        members.optional("description", at: \.summary).label("Description").summary("description in Microsoft Graph.")
        members.optional("mailNickname", at: \.mailNickname)
            .summary("mailNickname in Microsoft Graph. Defaults to the letters and digits of displayName.")
    }
}

extension EmulatorDirectory.ManagedIdentity: FileEntry {
    static let form = EntryForm(
        "managed identity",
        summary: "The managed identity of a machine in the cloud.",
        blank: EmulatorDirectory.ManagedIdentity(name: "", tenant: "", clientID: "", objectID: "")
    ) { members in
        members.required("name", at: \.name).summary("The name.")
        members.required("tenant", at: \.tenant).summary("The tenant by ID, domain, or alias.")
        members.derived("clientId", at: \.clientID, as: .text(.guid)) {
            UUID.derived(from: "identity", $0.tenant, $0.name).text
        }
        .summary("A GUID. By default, it is derived from tenant and name.")
        members.derived("objectId", at: \.objectID, as: .text(.guid)) {
            UUID.derived(from: "principal", $0.tenant, $0.name).text
        }
        .summary("A GUID. By default, it is derived from tenant and name.")
        members.optional("resourceId", at: \.resourceID)
            .summary("/subscriptions/… of a user-assigned identity. Without it, the identity is system-assigned.")
        members.optional("grantedRoles", at: \.grantedRoles)
            .summary("The app roles assigned to it, by a name of the API.")
    }
}
