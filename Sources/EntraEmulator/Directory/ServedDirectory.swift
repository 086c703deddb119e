// Licensed under the MIT License. See LICENSE.

import Synchronization

/// The checked directory of a running emulator, with the lookups that the endpoints need. The control API may replace it.
final class ServedDirectory: Sendable {
    private let storage: Mutex<ServedDirectoryState>
    /// The directory of the start, to which a reset returns.
    let initial: EmulatorDirectory
    /// The accounts of the start; those that exist now are in the store.
    let users: [User]
    private let nativeOfStart: NativeAuthSettings
    private let acceptsUnknownClients: Bool

    /// Checks a directory; ids and names of tenants become lower-case.
    ///
    /// `native`: The settings of native authentication where the directory has none.
    /// `acceptsUnknownClients`: Whether any client id is taken for the first public client.
    /// - Throws: `EmulatorDirectory.InvalidEntry` for the first entry that cannot be used, those settings included.
    init(
        _ directory: EmulatorDirectory,
        native: NativeAuthSettings = .init(),
        acceptsUnknownClients: Bool = false
    ) throws(EmulatorDirectory.InvalidEntry) {
        try EmulatorDirectory.check(native)
        nativeOfStart = native
        self.acceptsUnknownClients = acceptsUnknownClients
        let checked = try ServedDirectoryState(directory)
        users = try directory.checkedUsers(checked.tenants)
        initial = directory
        storage = Mutex(checked)
    }

    /// The directory as it is now, as one value. Its list of users is that of the start.
    var description: EmulatorDirectory { contents.description }

    /// Puts another directory in the place of this one. Users are left as they are.
    ///
    /// - Throws: `EmulatorDirectory.InvalidEntry`; then nothing changes.
    func replace(with directory: EmulatorDirectory) throws(EmulatorDirectory.InvalidEntry) {
        let checked = try ServedDirectoryState(directory)
        storage.withLock { $0 = checked }
    }

    /// The account that a user would be.
    ///
    /// - Throws: `EmulatorDirectory.InvalidEntry` for a user who does not fit into the directory.
    func account(of user: EmulatorDirectory.User) throws(EmulatorDirectory.InvalidEntry) -> User {
        // Each user that is checked becomes one account.
        try accounts(of: [user])[0]
    }

    /// Checks users beside the directory, and makes their accounts. The users must differ from each other, too.
    func accounts(of users: [EmulatorDirectory.User]) throws(EmulatorDirectory.InvalidEntry) -> [User] {
        var description = contents.description
        description.users = users
        return try description.checkedUsers(tenants)
    }

    private var contents: ServedDirectoryState { storage.withLock { $0 } }

    /// The settings of native authentication.
    var native: NativeAuthSettings { contents.description.native ?? nativeOfStart }

    /// Whether browsers send the cookies of a session in a frame of another site.
    var allowsThirdPartyCookies: Bool { contents.description.allowsThirdPartyCookies }

    // MARK: Tenants

    /// The tenants, in their order.
    var tenants: [Tenant] { contents.tenants }

    /// The tenant with that id.
    func tenant(id: String) -> Tenant? {
        contents.tenant(named: id).flatMap { $0.id == id ? $0 : nil }
    }

    /// The tenant that an id, a domain or an alias names; letter case does not matter.
    func tenant(named name: String) -> Tenant? {
        contents.tenant(named: name)
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
            TenantSelector(reserved: segment.tenant) ?? tenant(named: segment.tenant).map { .tenant($0) }
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

    /// The applications, in their order.
    var applications: [AppRegistration] { contents.applications }

    /// The application with that client id; letter case does not matter.
    func application(_ clientID: String) -> AppRegistration? {
        let contents = contents
        if let known = contents.application(clientID) { return known }
        guard acceptsUnknownClients, Self.isClientID(clientID) else { return nil }
        guard var guest = contents.applications.first(where: { $0.kind == .publicClient }) else { return nil }
        (guest.clientID, guest.displayName) = (clientID, clientID)
        return guest
    }

    /// The application that the parameters of a request name.
    ///
    /// - Throws: The error of a parameter that is there twice, and of a client id that is missing or unknown.
    func client(of parameters: FormValues) throws(EntraError) -> AppRegistration {
        if let name = parameters.duplicatedName { throw .duplicatedParameter(name) }
        guard let clientID = parameters["client_id"] else { throw .missingParameter("client_id") }
        guard let client = application(clientID) else { throw .unknownClient(clientID) }
        return client
    }

    /// Whether a text can be the client id of a registration elsewhere.
    private static func isClientID(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count) && EmulatorDirectory.isPathSegment(text)
    }

    /// The APIs, in their order.
    var apis: [API] { contents.apis }

    /// The API that a scope prefix names.
    func api(identifier: String) -> API? {
        contents.api(named: identifier)
    }

    /// The API whose tokens carry that audience.
    func api(audience: String) -> API? {
        contents.api(named: audience)
    }

    /// The policies of conditional access, in their order.
    var policies: [AccessRule] { contents.policies }

    /// Microsoft Graph.
    var graph: API? { contents.api(named: API.microsoftGraph.audience) }

    /// The permissions that an administrator has given an application for everybody.
    func administratorConsents(to client: AppRegistration, in tenant: Tenant, audience: String) -> Set<String> {
        guard let api = api(audience: audience) else { return [] }
        var given: Set<String> = []
        if tenant.kind == .external, client.consentedAudiences.contains(api.audience) {
            given = Set(api.scopes.filter { !$0.isAdministratorOnly }.map(\.name))
        }
        if let granted = client.grantedScopes[api.audience] {
            given.formUnion(granted.contains("*") ? api.scopes.map(\.name) : granted)
            if granted.contains("*"), api.isGraph {
                given.formUnion(GraphPermissions.shared.scopes.values.map(\.name))
            }
        }
        return given.isEmpty ? [] : given.union(RequestedScopes.openIDScopes)
    }

    // MARK: Groups and identities

    /// The groups of which a user is a member in a tenant itself, in their order.
    func groups(of user: User, in tenant: Tenant) -> [EmulatorDirectory.Group] {
        contents.groups(ofMember: user.memberNames(in: tenant), in: tenant)
    }

    /// The groups of which a group is a member itself, in their order.
    func groups(of group: EmulatorDirectory.Group, in tenant: Tenant) -> [EmulatorDirectory.Group] {
        contents.groups(ofMember: [group.id], in: tenant)
    }

    /// Groups, and the groups that have those as members, and so on. Each is there once.
    func closure(of groups: [EmulatorDirectory.Group], in tenant: Tenant) -> [EmulatorDirectory.Group] {
        let contents = contents
        var found = groups
        var seen = Set(groups.map(\.id))
        var position = 0
        while position < found.count {
            found += contents.groups(ofMember: [found[position].id], in: tenant).filter { seen.insert($0.id).inserted }
            position += 1
        }
        return found
    }

    /// The app roles of an API that a user has: by name, or through a group.
    func roles(of user: User, in tenant: Tenant, at api: API) -> [String] {
        guard api.roles.contains(where: { !$0.members.isEmpty }) else { return [] }
        let names = assignableNames(of: user, in: tenant)
        return api.roles.filter { $0.members.contains { names.contains($0.lowercased()) } }.map(\.value)
    }

    /// Whether a user may use an application.
    func isAssigned(_ user: User, in tenant: Tenant, to client: AppRegistration) -> Bool {
        guard let assigned = client.assignedTo else { return true }
        if !assigned.isDisjoint(with: assignableNames(of: user, in: tenant)) { return true }
        return api(identifier: client.clientID).map { !roles(of: user, in: tenant, at: $0).isEmpty } ?? false
    }

    /// The names by which a user can have a role or an application: the user's, and those of the groups. In lower case.
    private func assignableNames(of user: User, in tenant: Tenant) -> Set<String> {
        let groups = groups(of: user, in: tenant).flatMap { [$0.id.lowercased(), $0.displayName.lowercased()] }
        return Set(user.memberNames(in: tenant) + groups)
    }

    /// The managed identities, in their order.
    var managedIdentities: [EmulatorDirectory.ManagedIdentity] { contents.description.managedIdentities }

    // MARK: Contacts

    /// Whether the service sends no codes to an e-mail address or a telephone number.
    func isBlockedContact(_ contact: String) -> Bool {
        let domain = contact.lowercased().split(separator: "@").last.map(String.init)
        let number = contact.filter { $0.isWholeNumber || $0 == "+" }
        return contents.description.blockedContacts.contains { $0 == number || $0.lowercased() == domain }
    }
}
