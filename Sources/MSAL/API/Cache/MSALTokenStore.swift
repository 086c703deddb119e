// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore
import SealedStore

/// The token store of a sharing group, for programs that look after it. Linux only.
///
/// Applications need none of this: they open and mend their store themselves. The `msal cache` commands are made of it,
/// and so may an app's own settings page or an administrator's program be.
///
/// ```swift
/// let store = try MSALTokenStore()
/// let statistics = try await store.statistics()
/// let refreshTokens = statistics.records[.refreshToken] ?? 0
/// ```
///
/// Calls read and write the file that other processes use at the same moment, and disturb none of them. They work on
/// threads of their own. Cancelling the task ends a wait for the keyring; the call then fails with
/// ``MSALError/userCanceled``.
///
/// Calls fail with ``MSALError/internal``, detail -42008, or -42000 for a wrong setting. The `userInfo` then has an
/// ``MSALTokenStoreFailure`` under ``MSALTokenStoreFailureKey``, and the description says what helps.
public struct MSALTokenStore: Sendable, ClosedMirror {
    /// The directory of the store, an absolute path. It may not be there yet.
    public var directory: String { location.directory }

    /// The database file, an absolute path. It may not be there yet.
    public var file: String { location.file }

    /// Where a new store's key goes. `MSAL_STORE_KEY` has been read: ``MSALStoreProtection/automatic`` is left only
    /// where that variable leaves the choice open.
    public var protection: MSALStoreProtection { MSALStoreProtection(keys.choice) }

    /// Whether the file is there. The first sign-in of the group makes it.
    public var exists: Bool { access(location.file, F_OK) == 0 }

    /// Copies of the store that damage or updates left beside it, absolute paths. The tokens of that time are in them.
    /// ``clear(deletingFiles:)`` and ``removeLeftovers()`` delete them.
    public var olderCopies: [String] { StoreRemains(of: location).paths }

    /// The repairs of the past whose copies are still there, the newest last. If they repeat, check the disk.
    public var repairs: [MSALTokenStoreRepair] { StoreRecovered.history(of: location).map(MSALTokenStoreRepair.init) }

    /// The number of bytes that ``importCache(_:maximumSize:)`` takes at most unless it is given another number: 1 GiB,
    /// about 150,000 accounts with tokens of the usual length.
    public static let maximumImportSize = 1 << 30

    let location: StoreLocation
    private(set) var keys: StoreKeys
    private(set) var store: SQLiteStore
    let environment: [String: String]
    let mayAskToUnlock: Bool

    /// Whether this process may make files in a directory.
    package var isWritable: @Sendable (String) -> Bool = { access($0, W_OK | X_OK) == 0 }

    /// Finds the store that an application with these settings uses. Nothing is opened or made.
    ///
    /// - Parameters:
    ///   - group: The application's ``MSALCacheConfig/keychainSharingGroup``; `msal.shared` unless given.
    ///   - protection: The application's ``MSALCacheConfig/storeProtection``.
    ///   - allowsUnlockPrompt: Whether the user may be asked to unlock the keyring. Calls then wait up to a minute.
    ///   - environment: Where `MSAL_STORE_DIR`, `MSAL_STORE_KEY`, `XDG_STATE_HOME` and `HOME` are read; the process's own
    ///     unless given.
    /// - Throws: Detail -42000 if environment and group give no path, or `MSAL_STORE_KEY` cannot be understood: correct
    ///   the setting. The same for a store in memory, which ends with its application object. Detail -42008 if the user
    ///   has no home directory, or the process runs with another user's rights.
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

    /// Opens the store with another protection than `store` has.
    init(_ store: MSALTokenStore, protectedBy choice: StoreKeyChoice) {
        self = store
        keys = StoreKeys(choice, environment: environment)
        self.store = SQLiteStore(location: location, keys: keys)
    }

    /// Counts what the store holds. It opens every record, which takes about a second for a hundred thousand of them.
    ///
    /// A store that is not there yet holds nothing.
    ///
    /// - Throws: Detail -42008 if the store or its key cannot be had.
    public func statistics() async throws -> MSALTokenStoreStatistics {
        try await work { (patience) throws(StoreError) in try countedRecords(patience) }
    }

    /// Writes something that nobody sees and takes it back. A store that is not there yet is made.
    ///
    /// - Throws: Detail -42008 where a sign-in could not be stored either. The description says why.
    public func checkWriting() async throws {
        try await work { (patience) throws(StoreError) in
            try store.prepare(patience, for: .writing)
            let note = RefreshLease(name: "trial", holder: "trial", until: SystemTime().now)
            try store.write(.full) { (transaction) throws(StoreError) in
                try transaction.saveLease(note)
                try transaction.deleteLease(note.name)
            }
        }
    }

    func countedRecords(_ patience: KeyPatience) throws(StoreError) -> MSALTokenStoreStatistics {
        if exists { try store.prepare(patience, for: .reading) }
        return MSALTokenStoreStatistics(try store.statistics(now: SystemTime().now))
    }

    /// Runs work that may wait for the disk, the keyring or a person, away from the threads of Swift's tasks.
    func work<Value: Sendable>(
        _ body: @escaping @Sendable (KeyPatience) throws(StoreError) -> Value
    ) async throws -> Value {
        do throws(AuthError) {
            return try await ClientStore.work(mayAskToUnlock: mayAskToUnlock, body)
        } catch {
            throw error.nsError
        }
    }
}
