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
        /// The user principal names or object ids of its members.
        public var members: [String]

        /// Describes a group.
        public init(id: String, tenant: String, displayName: String, members: [String] = []) {
            self.id = id
            self.tenant = tenant
            self.displayName = displayName
            self.members = members
        }

        /// Reads a group; an id that is left out is derived from tenant and name.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            tenant = try container.decode(String.self, forKey: .tenant)
            displayName = try container.decode(String.self, forKey: .displayName)
            id = try container.value(.id, default: UUID.derived(from: "group", tenant, displayName).text)
            members = try container.value(.members, default: [])
        }

        enum CodingKeys: String, CodingKey, CaseIterable {
            case id, tenant, displayName, members
        }
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
        public init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            name = try members.decode(String.self, forKey: .name)
            tenant = try members.decode(String.self, forKey: .tenant)
            clientID = try members.value(.clientID, default: UUID.derived(from: "identity", tenant, name).text)
            objectID = try members.value(.objectID, default: UUID.derived(from: "principal", tenant, name).text)
            resourceID = try members.value(.resourceID)
            grantedRoles = try members.value(.grantedRoles, default: [:])
        }

        enum CodingKeys: String, CodingKey, CaseIterable {
            case name, tenant
            case clientID = "clientId"
            case objectID = "objectId"
            case resourceID = "resourceId"
            case grantedRoles
        }
    }
}
