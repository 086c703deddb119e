// Licensed under the MIT License. See LICENSE.

/// A state of a directory, with its lookups.
struct ServedDirectoryState: Sendable {
    /// The original entries.
    let description: EmulatorDirectory
    let tenants: [Tenant]
    let applications: [AppRegistration]
    let apis: [API]
    let policies: [AccessRule]
    /// The registrations that stand for agents, by client ID.
    private let agents: [String: AppRegistration]
    private let tenantIndex: [String: Int]
    private let applicationIndex: [String: Int]
    private let apiIndex: [String: Int]
    /// The positions of the groups of a member, by its name or ID.
    private let groupIndex: [String: [Int]]

    /// Validates everything but the users.
    ///
    /// - Throws: `EmulatorDirectory.InvalidEntry` for the first invalid entry.
    init(_ directory: EmulatorDirectory) throws(EmulatorDirectory.InvalidEntry) {
        tenants = try directory.checkedTenants()
        apis = try directory.checkedAPIs()
        applications = try directory.checkedApplications(apis, in: tenants)
        try directory.checkTokenClaims(apis)
        if let native = directory.native { try EmulatorDirectory.check(native) }
        var description = directory
        description.groups = try directory.checkedGroups(tenants)
        policies = try directory.checkedPolicies(apis, groups: description.groups)
        description.managedIdentities = try directory.checkedIdentities(tenants, apis: apis)
        description.agents = try directory.checkedAgents(tenants)
        let agents = try directory.registrations(of: description.agents, apis: apis, tenants: tenants)
        self.agents = Dictionary(agents.map { ($0.clientID, $0) }) { first, _ in first }
        self.description = description
        tenantIndex = Self.index(tenants.map(\.names))
        apiIndex = Self.index(apis.map { Array($0.names) })
        applicationIndex = Self.index(applications.map { [$0.clientID.lowercased()] })
        var groupIndex: [String: [Int]] = [:]
        for (position, group) in description.groups.enumerated() {
            for member in Set(group.members.map { $0.lowercased() }) {
                groupIndex[member, default: []].append(position)
            }
        }
        self.groupIndex = groupIndex
    }

    // The checks above have ensured that names are unique.
    private static func index(_ names: [[String]]) -> [String: Int] {
        Dictionary(names.enumerated().flatMap { position, names in names.map { ($0, position) } }) { first, _ in first }
    }

    func tenant(named name: String) -> Tenant? {
        tenantIndex[name.lowercased()].map { tenants[$0] }
    }

    func application(_ clientID: String) -> AppRegistration? {
        applicationIndex[clientID.lowercased()].map { applications[$0] } ?? agents[clientID.lowercased()]
    }

    /// The API with a name. The client ID of an application that exposes none names the application itself.
    func api(named name: String) -> API? {
        apiIndex[API.plain(name)].map { apis[$0] }
            ?? application(name).map { API(ofApplication: $0.clientID, named: $0.displayName) }
    }

    /// `names`: The names and IDs of one member, in lower case.
    func groups(ofMember names: [String], in tenant: Tenant) -> [EmulatorDirectory.Group] {
        let positions = Set(names.flatMap { groupIndex[$0] ?? [] })
        return positions.sorted().map { description.groups[$0] }.filter { tenant.isNamed($0.tenant) }
    }
}
