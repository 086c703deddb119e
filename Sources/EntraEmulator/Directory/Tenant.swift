// Licensed under the MIT License. See LICENSE.

import Foundation

extension EmulatorDirectory {
    /// A directory of users.
    public struct Tenant: Sendable, Codable, Equatable {
        /// The type of a tenant, which determines who its users are.
        public enum Kind: String, Sendable, Codable, CaseIterable, FileValue {
            /// An organization.
            case workforce
            /// An External ID tenant, where customers may sign up by themselves. Like Azure AD B2C, it also has
            /// endpoints below `/{tenant}/B2C_1…`.
            case external
            /// The single tenant for personal accounts, also available as `consumers`.
            case personal
        }

        /// The ID, a GUID; `utid` of `client_info`.
        public var id: String
        /// The type of the tenant.
        public var kind: Kind
        /// The display name.
        public var displayName: String
        /// The domain of its users, which is also a valid path segment.
        public var domain: String
        /// Further path segments that select this tenant.
        public var aliases: [String]
        /// The names of its Azure AD B2C policies; `nil` accepts every name that starts with `B2C_1`. Only an External
        /// ID tenant has policies.
        public var policies: [String]?
        /// Whether an app may send a user's name and password to the token endpoint. Most organizations forbid it
        /// (AADSTS53003).
        public var allowsPasswordGrant = false

        /// The two-letter code of its country; the optional claim `tenant_ctry`.
        public var country: String?
        /// Its preferred language; the optional claim `xms_tpl`.
        public var preferredLanguage: String?

        /// Creates a tenant.
        public init(
            id: String,
            kind: Kind,
            displayName: String,
            domain: String,
            aliases: [String] = [],
            policies: [String]? = nil,
            allowsPasswordGrant: Bool = false
        ) {
            self.id = id
            self.kind = kind
            self.displayName = displayName
            self.domain = domain
            self.aliases = aliases
            self.policies = policies
            self.allowsPasswordGrant = allowsPasswordGrant
        }

        /// Decodes a tenant; the domain is required. If the ID is omitted, it is derived from the domain.
        public init(from decoder: any Decoder) throws { try self.init(members: decoder) }
    }
}

/// The name of the type inside the emulator.
typealias Tenant = EmulatorDirectory.Tenant

extension Tenant {
    /// `tenant_region_scope`: All tenants are in Europe.
    static let region = "EU"
    /// The ID of the tenant for personal accounts at the service.
    static let personalAccountsID = "9188040d-6c67-4c5b-b112-36a304b66dad"

    /// Whether `prompt=create` may open a sign-up page.
    var allowsSignUp: Bool { kind == .external }
    /// Whether using a refresh token twice ends the sign-in.
    var rotatesStrictly: Bool { kind == .external }

    /// The path segments that select this tenant, in lower case.
    var names: [String] { ([id, domain] + aliases).map { $0.lowercased() } }

    /// Whether a path segment selects this tenant, regardless of case.
    func isNamed(_ segment: String) -> Bool {
        names.contains(segment.lowercased())
    }

    /// The object ID of an application's service principal in this tenant.
    func servicePrincipalID(of clientID: String) -> String {
        UUID.derived(from: "service principal", id, clientID).text
    }

    /// Whether the tenant has a B2C policy with this name, regardless of case.
    func hasPolicy(_ name: String) -> Bool {
        guard kind == .external else { return false }
        return policies.map { $0.contains { $0.lowercased() == name.lowercased() } } ?? true
    }
}

/// The tenants that the first path segment of an endpoint selects.
enum TenantSelector: Sendable, Equatable {
    case common
    case organizations
    case consumers
    case tenant(Tenant)

    /// The segments that select several tenants, or a type of tenant.
    init?(reserved segment: String) {
        switch segment.lowercased() {
        case "common": self = .common
        case "organizations": self = .organizations
        case "consumers": self = .consumers
        default: return nil
        }
    }

    /// Whether a user whose home is `tenant` may sign in here without being a guest.
    func admits(_ tenant: Tenant) -> Bool {
        switch self {
        case .common: true
        case .organizations: tenant.kind != .personal
        case .consumers: tenant.kind == .personal
        case .tenant(let selected): selected.id == tenant.id
        }
    }
}

extension EmulatorDirectory.Tenant: FileEntry {
    static let form = EntryForm(
        "tenant",
        summary: "A directory of users.",
        blank: EmulatorDirectory.Tenant(id: "", kind: .workforce, displayName: "", domain: "")
    ) { members in
        members.derived("id", at: \.id, as: .text(.guid)) { tenant in
            tenant.kind == .personal ? personalAccountsID : UUID.derived(from: "tenant", tenant.domain).text
        }
        .summary("A GUID. By default, it is derived from the domain.")
        members.optional("kind", at: \.kind)
            .summary("An organization, an External ID tenant of customers, or the personal accounts.")
        members.derived("displayName", at: \.displayName, from: \.domain).label("Name")
            .summary("The display name. Defaults to the domain.")
        members.required("domain", at: \.domain).label("Domain").summary(
            "The domain of its users, such as contoso.example."
        )
        members.optional("aliases", at: \.aliases).label("Aliases").summary(
            "Further names of the tenant in an authority."
        )
        members.optional("policies", at: \.policies)
            .summary(
                "The Azure AD B2C policies of an External ID tenant. By default, every name that starts with B2C_1 is accepted."
            )
        members.optional("allowsPasswordGrant", at: \.allowsPasswordGrant)
            .summary("Whether apps may send a user's name and password.")
        members.optional("country", at: \.country).summary("The two-letter code of its country (tenant_ctry).")
        members.optional("preferredLanguage", at: \.preferredLanguage).summary("Its preferred language (xms_tpl).")
    }
}
