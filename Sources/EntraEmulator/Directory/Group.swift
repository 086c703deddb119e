// Licensed under the MIT License. See LICENSE.

import Foundation

extension EmulatorDirectory {
    /// A group of users.
    public struct Group: Sendable, Codable, Equatable {
        /// The object id, a GUID.
        public var id: String
        /// The tenant: its id, its domain or one of its aliases.
        public var tenant: String
        /// The name shown to people.
        public var displayName: String
        /// The user principal names or object ids of its users, and the ids of groups that are members. Tokens and
        /// policies count the members of those, too.
        public var members: [String]
        /// `description` in Microsoft Graph.
        public var summary: String?
        /// `mailNickname` in Microsoft Graph; `nil` takes the letters and digits of the display name.
        public var mailNickname: String?

        /// Describes a group.
        public init(id: String, tenant: String, displayName: String, members: [String] = []) {
            self.id = id
            self.tenant = tenant
            self.displayName = displayName
            self.members = members
        }

        /// Reads a group; an id that is left out is derived from tenant and name.
        public init(from decoder: any Decoder) throws { try self.init(members: decoder) }
    }

    /// An identity that a machine in the cloud has, as managed identities do.
    public struct ManagedIdentity: Sendable, Codable, Equatable {
        /// The name.
        public var name: String
        /// The tenant: its id, its domain or one of its aliases.
        public var tenant: String
        /// The client id, a GUID.
        public var clientID: String
        /// The object id of its service principal, a GUID.
        public var objectID: String
        /// The Azure resource id of a user-assigned identity; `nil` for the one that the system assigned.
        public var resourceID: String?
        /// The app roles that it was given, by any name of the API.
        public var grantedRoles: [String: [String]] = [:]

        /// Describes a managed identity.
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

        /// Reads an identity; ids that are left out are derived from tenant and name.
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
        .summary("A GUID. Without it, one is derived from tenant and name.")
        members.required("tenant", at: \.tenant).summary("The tenant by id, domain or alias.")
        members.required("displayName", at: \.displayName).summary("The name shown to people.")
        members.optional("members", at: \.members)
            .summary("The names or object ids of its users, and the ids of groups that are members.")
        members.optional("description", at: \.summary).summary("description in Microsoft Graph.")
        members.optional("mailNickname", at: \.mailNickname)
            .summary("mailNickname in Microsoft Graph. Without it, the letters and digits of displayName.")
    }
}

extension EmulatorDirectory.ManagedIdentity: FileEntry {
    static let form = EntryForm(
        "managed identity",
        summary: "An identity that a machine in the cloud has.",
        blank: EmulatorDirectory.ManagedIdentity(name: "", tenant: "", clientID: "", objectID: "")
    ) { members in
        members.required("name", at: \.name).summary("The name.")
        members.required("tenant", at: \.tenant).summary("The tenant by id, domain or alias.")
        members.derived("clientId", at: \.clientID, as: .text(.guid)) {
            UUID.derived(from: "identity", $0.tenant, $0.name).text
        }
        .summary("A GUID. Without it, one is derived from tenant and name.")
        members.derived("objectId", at: \.objectID, as: .text(.guid)) {
            UUID.derived(from: "principal", $0.tenant, $0.name).text
        }
        .summary("A GUID. Without it, one is derived from tenant and name.")
        members.optional("resourceId", at: \.resourceID)
            .summary("/subscriptions/… of a user-assigned identity. Without it, the system assigned it.")
        members.optional("grantedRoles", at: \.grantedRoles)
            .summary("The app roles that it was given, by a name of the API.")
    }
}
