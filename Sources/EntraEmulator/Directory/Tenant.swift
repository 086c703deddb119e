// Licensed under the MIT License. See LICENSE.

/// One directory of users.
struct Tenant: Sendable, Equatable {
    /// What kind of people live in it.
    enum Kind: Sendable, Equatable {
        /// An organization.
        case workforce
        /// An External ID tenant, where customers may sign up by themselves.
        case external
        /// The one tenant of personal accounts.
        case personal
    }

    /// The lower-case GUID.
    let id: String
    let kind: Kind
    /// The name a person is shown.
    let displayName: String
    /// The domain of its users, which is also a valid path segment.
    let domain: String
    /// Further path segments that mean this tenant.
    let aliases: [String]

    /// Whether `prompt=create` may open a sign-up page.
    var allowsSignUp: Bool { kind == .external }
    /// Whether a refresh token that comes a second time ends the sign-in (decision E1).
    var rotatesStrictly: Bool { kind == .external }

    /// Whether the path segment names this tenant; letter case does not matter.
    func answers(to segment: String) -> Bool {
        let segment = segment.lowercased()
        return segment == id || segment == domain || aliases.contains(segment)
    }
}

/// What the first path segment of an endpoint selects.
enum TenantSelector: Sendable, Equatable {
    case common
    case organizations
    case consumers
    case tenant(Tenant)

    /// Whether somebody whose home is `tenant` may sign in here without being a guest.
    func admits(_ tenant: Tenant) -> Bool {
        switch self {
        case .common: true
        case .organizations: tenant.kind != .personal
        case .consumers: tenant.kind == .personal
        case .tenant(let selected): selected.id == tenant.id
        }
    }
}
