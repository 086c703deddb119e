// Licensed under the MIT License. See LICENSE.

/// A list of a directory that the control API reads and changes entry by entry. Users have a store of their own.
struct DirectoryList<Entry: FileEntry> {
    /// The name of the list in paths and files.
    let name: String
    let entries: WritableKeyPath<EmulatorDirectory, [Entry]>
    /// The member that identifies an entry and cannot be changed.
    let key: String
    let id: (Entry) -> String
    /// The names of an entry in addition to its ID.
    let names: (Entry) -> [String]

    /// The position of the entry with an ID or name, regardless of case.
    func position(of name: String, in directory: EmulatorDirectory) -> Int? {
        let entries = directory[keyPath: entries]
        let name = name.lowercased()
        return entries.firstIndex { id($0).lowercased() == name }
            ?? entries.firstIndex { names($0).contains { $0.lowercased() == name } }
    }
}

extension DirectoryList<EmulatorDirectory.Tenant> {
    static var tenants: Self {
        Self(name: "tenants", entries: \.tenants, key: "id", id: \.id, names: { [$0.domain] + $0.aliases })
    }
}

extension DirectoryList<EmulatorDirectory.Group> {
    static var groups: Self {
        Self(name: "groups", entries: \.groups, key: "id", id: \.id, names: { [$0.displayName] })
    }
}

extension DirectoryList<EmulatorDirectory.Application> {
    static var applications: Self {
        Self(
            name: "applications",
            entries: \.applications,
            key: "clientId",
            id: \.clientID,
            names: { [$0.displayName] }
        )
    }
}

extension DirectoryList<EmulatorDirectory.API> {
    static var apis: Self {
        Self(
            name: "apis",
            entries: \.apis,
            key: "clientId",
            id: \.audience,
            names: { $0.identifiers + [$0.displayName] }
        )
    }
}

extension DirectoryList<EmulatorDirectory.ManagedIdentity> {
    static var managedIdentities: Self {
        Self(
            name: "managedIdentities",
            entries: \.managedIdentities,
            key: "clientId",
            id: \.clientID,
            names: { [$0.name, $0.objectID] + [$0.resourceID].compactMap(\.self) }
        )
    }
}

extension DirectoryList<EmulatorDirectory.TokenClaims> {
    static var tokenClaims: Self {
        Self(name: "tokenClaims", entries: \.tokenClaims, key: "id", id: \.id, names: { _ in [] })
    }
}

extension DirectoryList<EmulatorDirectory.Agent> {
    static var agents: Self {
        Self(name: "agents", entries: \.agents, key: "id", id: \.id, names: { [$0.displayName] })
    }
}

extension DirectoryList<EmulatorDirectory.AccessPolicy> {
    static var policies: Self {
        Self(name: "policies", entries: \.policies, key: "id", id: \.id, names: { [$0.name] })
    }
}
