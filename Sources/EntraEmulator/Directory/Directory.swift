// Licensed under the MIT License. See LICENSE.

/// A checked `EmulatorDirectory`, with the lookups that the endpoints need. It does not change while the emulator runs.
struct Directory: Sendable {
    let tenants: [Tenant]
    /// The accounts of the start; those that exist now are in the store.
    let users: [User]
    let applications: [AppRegistration]
    let apis: [API]
    private let blockedContacts: [String]

    /// Checks a directory; ids and names of tenants become lower-case.
    ///
    /// - Throws: `EmulatorDirectory.InvalidEntry` for the first entry that cannot be used.
    init(_ directory: EmulatorDirectory) throws(EmulatorDirectory.InvalidEntry) {
        tenants = try directory.checkedTenants()
        apis = try directory.checkedAPIs()
        users = try directory.checkedUsers(tenants)
        applications = try directory.checkedApplications(apis)
        blockedContacts = directory.blockedContacts.map { $0.lowercased() }
    }

    // MARK: Tenants

    /// The tenant with that id.
    func tenant(id: String) -> Tenant? {
        tenants.first { $0.id == id }
    }

    /// The id of the tenant of personal accounts.
    var personalTenantID: String {
        tenants.first { $0.kind == .personal }?.id ?? Tenant.personalAccountsID
    }

    /// The tenants that the first path segments of a request select.
    ///
    /// - Throws: AADSTS90002 for a tenant or a policy that does not exist.
    func selector(for segment: TenantSegment) throws(EntraError) -> TenantSelector {
        let selector =
            TenantSelector(reserved: segment.tenant)
            ?? tenants.first { $0.isNamed(segment.tenant) }.map { .tenant($0) }
        guard let selector else { throw .unknownTenant(segment.tenant) }
        guard let policy = segment.policy else { return selector }
        guard case .tenant(let tenant) = selector, tenant.hasPolicy(policy) else {
            throw .unknownTenant(segment.description)
        }
        return selector
    }

    /// The tenant whose tokens a user gets when signing in through the selector.
    func issuingTenant(for user: User, in selector: TenantSelector) -> Tenant? {
        switch selector {
        case .tenant(let tenant): user.objectID(in: tenant.id) == nil ? nil : tenant
        case .common, .organizations, .consumers:
            tenant(id: user.homeTenantID).flatMap { selector.admits($0) ? $0 : nil }
        }
    }

    // MARK: Applications and APIs

    /// The application with that client id; letter case does not matter.
    func application(_ clientID: String) -> AppRegistration? {
        applications.first { $0.clientID.lowercased() == clientID.lowercased() }
    }

    /// The API that a scope prefix names.
    func api(identifier: String) -> API? {
        apis.first { $0.isNamed(identifier) }
    }

    /// The API whose tokens carry that audience.
    func api(audience: String) -> API? {
        apis.first { $0.audience == audience }
    }

    /// Microsoft Graph.
    var graph: API? {
        apis.first(where: \.isGraph)
    }

    /// The permissions that an administrator of an External ID tenant has given an application for everybody.
    func administratorConsents(to client: AppRegistration, in tenant: Tenant, audience: String) -> Set<String> {
        guard tenant.kind == .external, client.consentedAudiences.contains(audience) else { return [] }
        let scopes = api(audience: audience)?.scopes.filter { !$0.isAdministratorOnly } ?? []
        return Set(scopes.map(\.name) + ["openid", "profile", "email", "offline_access"])
    }

    // MARK: Contacts

    /// Whether the service sends no codes to an e-mail address or a telephone number.
    func isBlockedContact(_ contact: String) -> Bool {
        let domain = contact.lowercased().split(separator: "@").last.map(String.init)
        let number = contact.filter { $0.isWholeNumber || $0 == "+" }
        return blockedContacts.contains { $0 == number || $0 == domain }
    }
}
