// Licensed under the MIT License. See LICENSE.

import Synchronization

/// The validated directory of a running emulator, with the lookups that the endpoints need. The control API may replace
/// it.
final class ServedDirectory: Sendable {
    private let storage: Mutex<ServedDirectoryState>
    /// The initial directory, which a reset restores.
    let initial: EmulatorDirectory
    /// The initial accounts; the current ones are in the store.
    let users: [User]
    private let initialNativeSettings: NativeAuthSettings
    private let acceptsUnknownClients: Bool

    /// Validates a directory; IDs and names of tenants are converted to lower case.
    ///
    /// `native`: The settings of native authentication if the directory has none.
    /// `acceptsUnknownClients`: Whether an unknown client ID is treated like the first public client.
    /// - Throws: `EmulatorDirectory.InvalidEntry` for the first invalid entry, including those settings.
    init(
        _ directory: EmulatorDirectory,
        native: NativeAuthSettings = .init(),
        acceptsUnknownClients: Bool = false
    ) throws(EmulatorDirectory.InvalidEntry) {
        try EmulatorDirectory.check(native)
        initialNativeSettings = native
        self.acceptsUnknownClients = acceptsUnknownClients
        let checked = try ServedDirectoryState(directory)
        users = try directory.checkedUsers(checked.tenants)
        initial = directory
        storage = Mutex(checked)
    }

    /// The current directory as one value. Its list of users is the initial one.
    var description: EmulatorDirectory { contents.description }

    /// Replaces the directory, but not the users.
    ///
    /// - Throws: `EmulatorDirectory.InvalidEntry`; then nothing changes.
    func replace(with directory: EmulatorDirectory) throws(EmulatorDirectory.InvalidEntry) {
        let checked = try ServedDirectoryState(directory)
        storage.withLock { $0 = checked }
    }

    /// The account of a user.
    ///
    /// - Throws: `EmulatorDirectory.InvalidEntry` if the user is invalid in this directory.
    func account(of user: EmulatorDirectory.User) throws(EmulatorDirectory.InvalidEntry) -> User {
        // Each validated user becomes one account.
        try accounts(of: [user])[0]
    }

    /// Validates users against the directory and against each other, and creates their accounts.
    func accounts(of users: [EmulatorDirectory.User]) throws(EmulatorDirectory.InvalidEntry) -> [User] {
        var description = contents.description
        description.users = users
        return try description.checkedUsers(tenants)
    }

    private var contents: ServedDirectoryState { storage.withLock { $0 } }

    /// The settings of native authentication.
    var native: NativeAuthSettings { contents.description.native ?? initialNativeSettings }

    /// Whether browsers send the session cookies in a frame of another site.
    var allowsThirdPartyCookies: Bool { contents.description.allowsThirdPartyCookies }

    // MARK: Tenants

    /// The tenants in their original order.
    var tenants: [Tenant] { contents.tenants }

    func tenant(id: String) -> Tenant? {
        contents.tenant(named: id).flatMap { $0.id == id ? $0 : nil }
    }

    /// The tenant with an ID, a domain, or an alias, regardless of case.
    func tenant(named name: String) -> Tenant? {
        contents.tenant(named: name)
    }

    /// The ID of the tenant for personal accounts.
    var personalTenantID: String {
        tenants.first { $0.kind == .personal }?.id ?? Tenant.personalAccountsID
    }

    /// The tenants that the first path segments of a request select.
    ///
    /// - Throws: AADSTS90002 if the tenant or the policy does not exist.
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

    /// The applications in their original order.
    var applications: [AppRegistration] { contents.applications }

    /// The application or agent with a client ID, regardless of case.
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
    /// - Throws: An error if a parameter is repeated, or the client ID is missing, unknown, or that of an agent.
    func client(of parameters: FormValues) throws(EntraError) -> AppRegistration {
        if let name = parameters.duplicatedName { throw .duplicatedParameter(name) }
        guard let clientID = parameters["client_id"] else { throw .missingParameter("client_id") }
        guard let client = application(clientID) else { throw .unknownClient(clientID) }
        guard client.agent == nil else { throw .agentIsNotInteractive }
        return client
    }

    /// Whether a text has the form of a client ID.
    private static func isClientID(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count) && EmulatorDirectory.isPathSegment(text)
    }

    /// The APIs in their original order.
    var apis: [API] { contents.apis }

    /// The API with a scope prefix.
    func api(identifier: String) -> API? {
        contents.api(named: identifier)
    }

    /// The API with an audience.
    func api(audience: String) -> API? {
        contents.api(named: audience)
    }

    /// The Conditional Access policies in their original order.
    var policies: [AccessRule] { contents.policies }

    var graph: API? { contents.api(named: API.microsoftGraph.audience) }

    /// The permissions of an application with admin consent for all users.
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

    /// The groups in a tenant that a user is a direct member of, in their original order.
    func groups(of user: User, in tenant: Tenant) -> [EmulatorDirectory.Group] {
        contents.groups(ofMember: user.memberNames(in: tenant), in: tenant)
    }

    /// The groups that a group is a direct member of, in their original order.
    func groups(of group: EmulatorDirectory.Group, in tenant: Tenant) -> [EmulatorDirectory.Group] {
        contents.groups(ofMember: [group.id], in: tenant)
    }

    /// Groups together with all groups that contain them directly or indirectly, without duplicates.
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

    /// The app roles of an API that a user has, directly or through a group.
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

    /// The names and IDs of a user and the user's groups, which role and app assignments refer to. In lower case.
    private func assignableNames(of user: User, in tenant: Tenant) -> Set<String> {
        let groups = groups(of: user, in: tenant).flatMap { [$0.id.lowercased(), $0.displayName.lowercased()] }
        return Set(user.memberNames(in: tenant) + groups)
    }

    /// The claims that tests set in tokens.
    var tokenClaims: [EmulatorDirectory.TokenClaims] { contents.description.tokenClaims }

    /// The managed identities in their original order.
    var managedIdentities: [EmulatorDirectory.ManagedIdentity] { contents.description.managedIdentities }

    // MARK: Contacts

    /// Whether the service does not send codes to an email address or phone number.
    func isBlockedContact(_ contact: String) -> Bool {
        let domain = contact.lowercased().split(separator: "@").last.map(String.init)
        let number = contact.filter { $0.isWholeNumber || $0 == "+" }
        return contents.description.blockedContacts.contains { $0 == number || $0.lowercased() == domain }
    }
}
