// Licensed under the MIT License. See LICENSE.

import MSALBase
import SealedStore

/// The token store of a sharing group, for programs that manage it. Linux only.
///
/// Applications do not need this: they open and repair their store themselves. The `msal cache` commands use it, as can
/// an app's settings page or an administrator's program.
///
/// ```swift
/// let store = try MSALTokenStore()
/// let statistics = try await store.statistics()
/// let refreshTokens = statistics.records[.refreshToken] ?? 0
/// ```
///
/// Calls read and write the file while other processes use it, and do not disturb them. They run on separate threads.
/// Canceling the task ends a wait for the keyring; the call then fails with ``MSALError/userCanceled``.
///
/// Calls fail with ``MSALError/internal`` and the detail -42008, or -42000 for an invalid setting. The `userInfo` then
/// contains an ``MSALTokenStoreFailure`` under ``MSALTokenStoreFailureKey``, and the description states a remedy.
public struct MSALTokenStore: Sendable, RedactedReflection {
    /// The directory of the store, an absolute path. It may not exist yet.
    public var directory: String { location.directory }

    /// The database file, an absolute path. It may not exist yet.
    public var file: String { location.file }

    /// The location of a new store's key, considering `MSAL_STORE_KEY`: ``MSALStoreProtection/automatic`` only if that
    /// variable leaves the choice open.
    public var protection: MSALStoreProtection { MSALStoreProtection(keys.choice) }

    /// Whether the file exists. The first sign-in of the group creates it.
    public var exists: Bool { access(location.file, F_OK) == 0 }

    /// The absolute paths of copies that damage or updates left next to the store. They contain the tokens of that
    /// time. ``clear(deletingFiles:)`` and ``removeLeftovers()`` delete them.
    public var olderCopies: [String] { LeftoverFiles(of: location).paths }

    /// The past repairs whose copies still exist, newest last. If they recur, check the disk.
    public var repairs: [MSALTokenStoreRepair] {
        StoreRecoveryReport.history(of: location).map(MSALTokenStoreRepair.init)
    }

    /// The default limit of ``importCache(_:maximumSize:)`` in bytes: 1 GiB, about 150,000 accounts with tokens of the
    /// usual length.
    public static let maximumImportSize = 1 << 30

    let location: StoreLocation
    private(set) var keys: StoreKeys
    private(set) var store: SQLiteStore
    let environment: [String: String]
    let mayAskToUnlock: Bool

    /// Whether this process can create files in a directory.
    package var isWritable: @Sendable (String) -> Bool = { access($0, W_OK | X_OK) == 0 }

    /// Finds the store that an application with these settings uses. Nothing is opened or created.
    ///
    /// - Parameters:
    ///   - group: The application's ``MSALCacheConfig/keychainSharingGroup``; `msal.shared` by default.
    ///   - protection: The application's ``MSALCacheConfig/storeProtection``.
    ///   - allowsUnlockPrompt: Whether to prompt the user to unlock the keyring. Calls then wait up to a minute.
    ///   - environment: The source of `MSAL_STORE_DIR`, `MSAL_STORE_KEY`, `XDG_STATE_HOME`, and `HOME`; by default,
    ///     that of the process.
    /// - Throws: Detail -42000 if environment and group do not determine a path, or `MSAL_STORE_KEY` is invalid:
    ///   correct the setting. The same for a store in memory, which lasts only as long as its application object.
    ///   Detail -42008 if the user has no home directory, or the process runs with another user's rights.
    public init(
        group: String = MSALCacheConfig.defaultKeychainSharingGroup(),
        protection: MSALStoreProtection = .automatic,
        allowsUnlockPrompt: Bool = false,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws {
        do throws(StoreError) {
            location = try StoreLocation(group: group, environment: environment)
            let choice = try protection.choice.resolved(environment)
            guard choice != .memory else {
                throw StoreError(
                    .invalidLocation,
                    message: "With \(StoreKeyChoice.variable)=memory there is no store: tokens stay in the process."
                )
            }
            keys = StoreKeys(choice, environment: environment)
            store = SQLiteStore(location: location, keys: keys)
        } catch {
            throw AuthError(error).nsError
        }
        self.environment = environment
        mayAskToUnlock = allowsUnlockPrompt
    }

    /// Opens the store with a protection other than that of `store`.
    init(_ store: MSALTokenStore, protectedBy choice: StoreKeyChoice) {
        self = store
        keys = StoreKeys(choice, environment: environment)
        self.store = SQLiteStore(location: location, keys: keys)
    }

    /// Counts the content of the store. Opens every record, which takes about a second for a hundred thousand of them.
    ///
    /// A store that does not exist yet is empty.
    ///
    /// - Throws: Detail -42008 if the store or its key is unavailable.
    public func statistics() async throws -> MSALTokenStoreStatistics {
        try await work { (keyAccess) throws(StoreError) in try countedRecords(keyAccess) }
    }

    /// Writes to the store and reverts the change. Creates the store if it does not exist yet.
    ///
    /// - Throws: Detail -42008 if a sign-in could not be stored either. The description states the reason.
    public func checkWriting() async throws {
        try await work { (keyAccess) throws(StoreError) in
            try store.prepare(keyAccess, for: .writing)
            let note = RefreshLease(name: "trial", holder: "trial", until: SystemTime().now)
            try store.write(.full) { (transaction) throws(StoreError) in
                try transaction.saveLease(note)
                try transaction.deleteLease(note.name)
            }
        }
    }

    func countedRecords(_ keyAccess: KeyAccessOptions) throws(StoreError) -> MSALTokenStoreStatistics {
        if exists { try store.prepare(keyAccess, for: .reading) }
        return MSALTokenStoreStatistics(try store.statistics(now: SystemTime().now))
    }

    /// Runs work that may wait for the disk, the keyring, or the user, outside of Swift's cooperative thread pool.
    func work<Value: Sendable>(
        _ body: @escaping @Sendable (KeyAccessOptions) throws(StoreError) -> Value
    ) async throws -> Value {
        do throws(AuthError) {
            return try await ClientStore.work(mayAskToUnlock: mayAskToUnlock, body)
        } catch {
            throw error.nsError
        }
    }

    /// Gives the store new keys, moves its key if `protection` names another provider, and reseals every record.
    ///
    /// Other processes can continue to use the store. After an interruption, the next call continues where this one
    /// stopped. The call does nothing if there is no store, or if the store stays unencrypted.
    ///
    /// The key in a credential file is never written. To replace that key, name another file.
    ///
    /// - Parameter protection: The new location of the key; `nil` keeps it in place. ``MSALStoreProtection/none``
    ///   decrypts the store. Applications that specify a protection must then specify this one.
    /// - Returns: The previous location of the key, and the store with its new location.
    /// - Throws: Detail -42000 for ``MSALStoreProtection/automatic`` and ``MSALStoreProtection/inMemory``, which do not
    ///   name a location; -42008 if the old or the new key is unavailable. The store keeps its old key in that case.
    @discardableResult
    public func rotateKey(to protection: MSALStoreProtection? = nil) async throws -> MSALTokenStoreRotation {
        guard let choice = protection?.choice else {
            let previous = try await work { (keyAccess) throws(StoreError) in
                let previous = try countedRecords(keyAccess).keyLocation
                try store.rotateKeys(keyAccess)
                return previous
            }
            return MSALTokenStoreRotation(previousLocation: previous, store: self)
        }
        guard choice != .automatic, choice != .memory else {
            throw AuthError(.invalidParameter, message: "Specify the location of the key, such as key-file.").nsError
        }
        let (present, changed) = (storeToMove, MSALTokenStore(self, protectedBy: choice))
        let previous = try await work { (keyAccess) throws(StoreError) in
            let previous = try present.countedRecords(keyAccess).keyLocation
            try present.store.moveKey(to: try changed.keys.providerForNewStore(keyAccess), keyAccess: keyAccess)
            return previous
        }
        return MSALTokenStoreRotation(previousLocation: previous, store: changed)
    }

    /// The store, opened for the change of its protection.
    ///
    /// A provider in `MSAL_STORE_KEY` is ignored. The variable is used if it names the file with the current key, or
    /// says that there is no key.
    private var storeToMove: MSALTokenStore {
        switch keys.choice {
        case .automatic, .location(.credentialFile, _), .location(.none, _), .memory: self
        case .location: MSALTokenStore(self, protectedBy: .automatic)
        }
    }

    /// Repairs a store whose keys were damaged or changed. Applications repair all other damage automatically.
    ///
    /// The library does not open such a store because another program may have changed it. First find out who can write
    /// to the file. Every record that the store's key still opens is kept and sealed with new keys. All others are
    /// dropped. The previous store is kept in a folder next to it.
    ///
    /// - Returns: The repairs that were made, in order; empty if the store is intact or does not exist.
    /// - Throws: Detail -42008 if the key is unavailable, or the store cannot be written. The store is unchanged then.
    @discardableResult
    public func repair() async throws -> [MSALTokenStoreRepair] {
        try await work { (keyAccess) throws(StoreError) in try store.repair(keyAccess).map(MSALTokenStoreRepair.init) }
    }
}

/// The result of ``MSALTokenStore/rotateKey(to:)``. Linux only.
public struct MSALTokenStoreRotation: Sendable {
    /// The location of the key before the call; `nil` if there is no store.
    public let previousLocation: MSALTokenStoreKeyLocation?

    /// The store, with its current protection.
    public let store: MSALTokenStore
}

/// A repair of a token store, by the library itself or by ``MSALTokenStore/repair()``. Linux only.
public struct MSALTokenStoreRepair: Sendable, Hashable {
    /// The time at which the damage was found.
    public let time: Date

    /// The number of records that were kept.
    public let recordsKept: Int

    /// The number of records that could not be read; `nil` if unknown.
    public let recordsLost: Int?

    /// The folder with the previous store, an absolute path. It contains the tokens of that time.
    public let copy: String

    init(_ report: StoreRecoveryReport) {
        time = report.time
        recordsKept = report.rowsKept
        recordsLost = report.rowsLost
        copy = report.quarantine
    }
}
