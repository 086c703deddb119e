// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import Synchronization

/// Changes the directory of a running emulator. Each change is atomic, and changes are serialized.
///
/// A change affects the next request. With a data folder, it is also kept after a restart, until a reset.
final class ServedDirectoryEditor: Sendable {
    private let directory: ServedDirectory
    private let store: EmulatorStore
    private let clock: EmulatorClock
    /// The passwords of added users by ID, for an export with secrets.
    private let passwords: Mutex<[String: String]>

    init(directory: ServedDirectory, store: EmulatorStore, clock: EmulatorClock) {
        self.directory = directory
        self.store = store
        self.clock = clock
        passwords = Mutex(Self.passwords(of: directory.initial))
    }

    private static func passwords(of directory: EmulatorDirectory) -> [String: String] {
        Dictionary(directory.users.compactMap { user in user.password.map { (user.id.lowercased(), $0) } }) { $1 }
    }

    /// Loads the directory from a data folder. Returns whether it differs from the initial one.
    ///
    /// - Throws: `PrivateFolder.Failure` if it cannot be used; it is not changed.
    func restore(from folder: PrivateFolder?) throws -> Bool {
        guard let folder else { return false }
        let start = contents
        do {
            guard let kept = try store.keptDirectory() else { return false }
            try directory.replace(with: kept)
        } catch {
            throw PrivateFolder.Failure(
                description: "the directory in \(folder.url.path) is invalid: \(error.userMessage); "
                    + "use the version of the emulator that wrote it, or another folder"
            )
        }
        return contents != start
    }

    /// Restores the initial directory.
    func reset() throws {
        try restore(Snapshot(contents: directory.initial, passwords: Self.passwords(of: directory.initial)))
    }

    /// The directory without the accounts, and the known passwords.
    struct Snapshot: Sendable {
        fileprivate let contents: EmulatorDirectory
        fileprivate let passwords: [String: String]
    }

    var snapshot: Snapshot { passwords.withLock { Snapshot(contents: directory.description, passwords: $0) } }

    /// Restores a snapshot of the directory, but not of the store.
    func restore(_ snapshot: Snapshot) throws {
        try passwords.withLock { passwords in
            try directory.replace(with: snapshot.contents)
            passwords = snapshot.passwords
        }
    }

    // MARK: Lists

    /// The directory without its users.
    var contents: EmulatorDirectory {
        var contents = directory.description
        contents.users = []
        return contents
    }

    /// Changes everything but users.
    ///
    /// - Throws: `EmulatorDirectory.InvalidEntry` if the directory is invalid, or if users belong to a tenant that no
    ///   longer exists.
    func change<Result>(_ body: (inout EmulatorDirectory) throws -> Result) throws -> Result {
        try passwords.withLock { _ in
            let before = directory.description
            var after = before
            let result = try body(&after)
            after.users = before.users
            try checkTenants(before.tenants, after: after.tenants)
            try directory.replace(with: after)
            try store.keep(directory.description)
            return result
        }
    }

    /// Removes the claims that a test has set for the next sign-in, and returns those that apply to it.
    func takeTokenClaims(of user: User, in tenant: Tenant, clientID: String) throws -> [EmulatorDirectory.TokenClaims]?
    {
        let names = user.memberNames(in: tenant)
        func isDue(_ setting: EmulatorDirectory.TokenClaims) -> Bool {
            var whole = setting
            // The sign-in is for all APIs and types of tokens.
            (whole.api, whole.token) = (nil, nil)
            return setting.isOnce && whole.applies(to: names, clientID: clientID, api: nil)
        }
        guard directory.description.tokenClaims.contains(where: isDue) else { return nil }
        // Of two sign-ins at the same time, only one gets them.
        return try change { directory in
            let due = directory.tokenClaims.filter(isDue)
            directory.tokenClaims.removeAll(where: isDue)
            return due
        }
    }

    /// Checks that users remain in the tenants for which they were validated.
    private func checkTenants(_ before: [Tenant], after: [Tenant]) throws {
        for (index, tenant) in before.enumerated() {
            let same = after.first { $0.id.lowercased() == tenant.id.lowercased() }
            guard same?.kind != tenant.kind else { continue }
            let count = try store.countOfUsers(in: tenant.id.lowercased())
            guard count > 0 else { continue }
            throw CheckedEntry("tenants", at: index, named: tenant.domain).fail(
                .contradictory("has \(count) \(count == 1 ? "user" : "users")"),
                remedy: "remove them before you remove the tenant or change its kind"
            )
        }
    }

    // MARK: Users

    /// Users sorted by name, starting after a name.
    func users(after name: String, limit: Int) throws -> [EmulatorDirectory.User] {
        let accounts = try store.users(after: name, limit: limit)
        let tenants = directory.tenants
        return passwords.withLock { passwords in
            accounts.map { EmulatorDirectory.User($0, tenants: tenants, known: passwords[$0.id]) }
        }
    }

    /// The user with a name or ID.
    func user(_ nameOrID: String) throws -> EmulatorDirectory.User? {
        guard let account = try store.user(nameOrID) else { return nil }
        let known = passwords.withLock { $0[account.id] }
        return EmulatorDirectory.User(account, tenants: directory.tenants, known: known)
    }

    /// Adds a user.
    ///
    /// - Throws: `EmulatorDirectory.InvalidEntry` if the user is invalid, or if the name or an ID is already in use.
    func add(_ user: EmulatorDirectory.User) throws {
        try passwords.withLock { passwords in
            let account = try directory.account(of: user)
            if try store.user(account.id) != nil { throw Self.conflict(of: user, with: account.id) }
            try save(account, described: user, passwords: &passwords)
        }
    }

    /// Replaces the user with the same ID. A new password ends all earlier sign-ins.
    ///
    /// - Throws: As `add(_:)`.
    func replace(_ user: EmulatorDirectory.User) throws {
        try passwords.withLock { passwords in
            var account = try directory.account(of: user)
            if let before = try store.user(account.id) {
                guard before.homeTenantID == account.homeTenantID else {
                    throw CheckedEntry(user).fail(
                        .contradictory("has a different home tenant"),
                        remedy: "remove the user, and add a new one to this tenant"
                    )
                }
                if user.password != nil || user.passwordDigest == nil || user.passwordDigest == before.exportedPassword
                {
                    account.keepPassword(of: before)
                }
                if let password = user.password.map({ Secret($0) }), !before.accepts(password) {
                    // A new password would remove other obstacles, too, but here they are set explicitly.
                    account.replacePassword(with: password, at: clock.now)
                    account.keepSignInBlocks(of: user)
                }
            }
            try save(account, described: user, passwords: &passwords)
        }
    }

    /// Adds entries to all lists, including users, in one transaction.
    ///
    /// - Throws: As `change(_:)` and `add(_:)`.
    func add(contentsOf more: EmulatorDirectory) throws {
        try passwords.withLock { passwords in
            let before = directory.description
            var after = before
            after.tenants += more.tenants
            after.groups += more.groups
            after.applications += more.applications
            after.apis += more.apis
            after.policies += more.policies
            after.managedIdentities += more.managedIdentities
            after.tokenClaims += more.tokenClaims
            after.agents += more.agents
            try directory.replace(with: after)
            do {
                let accounts = try directory.accounts(of: more.users)
                for (account, user) in zip(accounts, more.users) {
                    let taken = try store.user(account.id)?.id ?? store.conflict(with: account)
                    if let taken { throw Self.conflict(of: user, with: taken) }
                }
                try store.keep(directory.description)
                try store.save(accounts, removing: [])
                for (account, user) in zip(accounts, more.users) { passwords[account.id] = user.password }
            } catch {
                // The earlier entries were valid when they were first served, so they can be restored.
                try directory.replace(with: before)
                try store.keep(before)
                throw error
            }
        }
    }

    /// The whole directory, including users.
    func wholeDirectory() throws -> EmulatorDirectory {
        var whole = contents
        let domains = Dictionary(whole.tenants.map { ($0.id, $0.domain) }) { first, _ in first }
        for index in whole.groups.indices {
            whole.groups[index].tenant = domains[whole.groups[index].tenant] ?? whole.groups[index].tenant
        }
        for index in whole.managedIdentities.indices {
            let tenant = whole.managedIdentities[index].tenant
            whole.managedIdentities[index].tenant = domains[tenant] ?? tenant
        }
        for index in whole.agents.indices {
            whole.agents[index].tenant = domains[whole.agents[index].tenant] ?? whole.agents[index].tenant
        }
        whole.users = try users(after: "", limit: .max)
        return whole
    }

    /// Changes the directory and its users: first the lists, then the users that differ.
    ///
    /// - Throws: `EmulatorDirectory.InvalidEntry`; then no user has changed.
    func changeWholeDirectory(by change: (inout EmulatorDirectory) throws -> Void) throws {
        let before = try wholeDirectory()
        var after = before
        try change(&after)
        let known = Dictionary(before.users.map { ($0.id, $0) }) { first, _ in first }
        let kept = Set(after.users.map { $0.id.lowercased() })
        try after.validate()
        for user in before.users where !kept.contains(user.id) { _ = try removeUser(user.id) }
        try self.change { $0 = after }
        for user in after.users where known[user.id.lowercased()] != user {
            if known[user.id.lowercased()] == nil { try add(user) } else { try replace(user) }
        }
    }

    /// Removes the user with a name or ID. Returns the name; `nil` if there is none.
    func removeUser(_ nameOrID: String) throws -> String? {
        try passwords.withLock { passwords in
            guard let account = try store.user(nameOrID) else { return nil }
            try store.save([], removing: [account.id])
            passwords[account.id] = nil
            return account.userPrincipalName
        }
    }

    private func save(
        _ account: User,
        described user: EmulatorDirectory.User,
        passwords: inout [String: String]
    ) throws {
        if let taken = try store.conflict(with: account) { throw Self.conflict(of: user, with: taken) }
        try store.save([account], removing: [])
        passwords[account.id] = user.password ?? passwords[account.id]
    }

    private static func conflict(
        of user: EmulatorDirectory.User,
        with taken: String
    ) -> EmulatorDirectory.InvalidEntry {
        CheckedEntry(user).fail(.duplicate(taken), remedy: "choose another name or ID, or change the existing user")
    }
}

extension CheckedEntry {
    /// The entry of a user who is changed individually.
    fileprivate init(_ user: EmulatorDirectory.User) {
        self.init("users", at: 0, named: user.userPrincipalName)
    }
}
