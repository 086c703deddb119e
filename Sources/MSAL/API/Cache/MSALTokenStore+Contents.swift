// Licensed under the MIT License. See LICENSE.

private import MSALCore
import SealedStore

extension MSALTokenStore {
    /// Merges a token cache of another Microsoft library into the store, whole or not at all. Nothing is deleted.
    ///
    /// Of two records with the same identity the newer one stays. Unknown members are kept for the next export.
    ///
    /// Reading needs three times the memory of the text. An application whose store has more records than its
    /// ``MSALCacheConfig/maximumStoredRecords`` drops the oldest access tokens.
    ///
    /// - Parameters:
    ///   - text: JSON as MSAL for Python, .NET, Go, Java and Node, msal-extensions and Azure CLI write it, or base64 of it.
    ///   - maximumSize: The number of bytes that the text may have; ``maximumImportSize`` unless given.
    /// - Returns: The counts of what was added and replaced.
    /// - Throws: Detail -42008. Without an ``MSALTokenStoreFailure`` the text is no token cache, and the description says
    ///   where it stops being one. With a failure the store cannot be written. The store is unchanged either way.
    @discardableResult
    public func importCache(
        _ text: Data,
        maximumSize: Int = MSALTokenStore.maximumImportSize
    ) async throws -> MSALTokenStoreImport {
        let document: CacheDocument
        do throws(InterchangeError) {
            document = try CacheDocument(parsing: text, maximumSize: maximumSize)
        } catch {
            throw AuthError(.unexpected, message: error.message).nsError
        }
        return try await work { (patience) throws(StoreError) in
            try store.prepare(patience, for: .writing)
            return MSALTokenStoreImport(try store.merge(document))
        }
    }

    /// The store as a token cache that other Microsoft libraries read. **It holds refresh tokens in plain text.**
    ///
    /// Tokens that are bound to a key, and notes on sign-ins, stay in the store.
    ///
    /// - Parameter host: A host of a cloud. All records of that cloud are written under its name, because MSAL Python
    ///   finds only records under the host of its authority. `nil` leaves the names as they are.
    /// - Returns: JSON in UTF-8. A store that is not there yet gives a cache without records.
    /// - Throws: Detail -42000 for a host of no cloud; -42008 if the store or its key cannot be had.
    public func exportCache(forHost host: String? = nil) async throws -> Data {
        if let host, KnownClouds.metadata(for: host) == nil {
            throw AuthError(.invalidParameter, message: "No cloud has a host named \(host).").nsError
        }
        return try await work { (patience) throws(StoreError) in
            if exists { try store.prepare(patience, for: .reading) }
            return try store.exportedCache(forHost: host)
        }
    }

    /// Deletes every account and token of the group, and older copies of the store that were kept beside it.
    ///
    /// The empty store and its key stay. A store whose key is gone gets a new key.
    ///
    /// - Parameter deletesFiles: Whether the files are deleted if the store cannot be opened at all. The key stays.
    /// - Returns: What was deleted.
    /// - Throws: Detail -42008 if the store cannot be opened, or if something beside it cannot be deleted. The
    ///   description names it.
    @discardableResult
    public func clear(deletingFiles deletesFiles: Bool = false) async throws -> MSALTokenStoreClearing {
        try await work { (patience) throws(StoreError) in
            let outcome = try empty(patience, deletesFiles: deletesFiles)
            let remains = StoreRemains(of: location)
            let count = remains.paths.count
            try remains.remove()
            return MSALTokenStoreClearing(outcome: outcome, olderCopies: count)
        }
    }

    /// Deletes what is left of accounts that are signed out: names of which no app has a token, and older copies of the
    /// store. No sign-out reaches these copies.
    ///
    /// - Throws: Detail -42008 if the store cannot be written, or if a copy cannot be deleted.
    public func removeLeftovers() async throws {
        try await work { (patience) throws(StoreError) in
            if exists {
                try store.prepare(patience, for: .writing)
                try TokenCache(store: store, clientID: "").forgetUnusedNames()
            }
            try StoreRemains(of: location).remove()
        }
    }

    private func empty(
        _ patience: KeyPatience,
        deletesFiles: Bool
    ) throws(StoreError) -> MSALTokenStoreClearing.Outcome {
        do throws(StoreError) {
            let count = try countedRecords(patience).records.values.reduce(0, +)
            try store.deleteAllRecords()
            return .deletedRecords(count)
        } catch {
            // Without its key the store can be emptied, but not read. If that fails too, the first error counts.
            let hasLostKey = error.kind == .keyUnavailable || error.kind == .unverified
            if hasLostKey, (try? store.reset(patience)) != nil { return .newKey }
            guard deletesFiles else { throw error }
            try deleteFiles()
            return .deletedFiles
        }
    }

    /// Deletes the database and its companions.
    private func deleteFiles() throws(StoreError) {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            let path = location.file + suffix
            guard unlink(path) == 0 || errno == ENOENT else {
                throw StoreError(
                    .unwritable,
                    message: "\(path) cannot be deleted: \(String(cString: strerror(errno)))."
                )
            }
        }
    }
}

/// What ``MSALTokenStore/importCache(_:maximumSize:)`` changed. Linux only.
public struct MSALTokenStoreImport: Sendable, Hashable {
    /// The outcome for the records of one kind.
    public struct Counts: Sendable, Hashable {
        /// Records that the store did not have.
        public let added: Int
        /// Records that replaced an older one.
        public let updated: Int
        /// Records that the store had already, or had newer.
        public let unchanged: Int
    }

    /// The counts by kind. Kinds without any record may be missing.
    public let records: [MSALTokenStoreRecordKind: Counts]

    /// Entries of unknown or unusable form. The store keeps them for exports.
    public let keptAside: Int

    /// Notes of the other library on sign-ins, which were left out.
    public let ignored: Int

    init(_ report: ImportReport) {
        var records: [MSALTokenStoreRecordKind: Counts] = [:]
        for (kind, counts) in report.records {
            records[MSALTokenStoreRecordKind(kind)] = Counts(
                added: counts.added,
                updated: counts.updated,
                unchanged: counts.unchanged
            )
        }
        self.records = records
        keptAside = report.extras
        ignored = report.ignored
    }
}

/// What ``MSALTokenStore/clear(deletingFiles:)`` deleted. Linux only.
public struct MSALTokenStoreClearing: Sendable, Hashable {
    /// The ways in which the store was emptied.
    public enum Outcome: Sendable, Hashable {
        /// The call deleted this many records. The store and its key stay.
        case deletedRecords(Int)
        /// The key was lost. Nobody can count the records that it had sealed. The store is empty and has a new key.
        case newKey
        /// The store could not be opened, and its files were deleted.
        case deletedFiles
    }

    /// The way in which the store was emptied.
    public let outcome: Outcome

    /// The number of files and folders beside the store that damage or updates had left, and that are deleted now.
    public let olderCopies: Int
}
