// Licensed under the MIT License. See LICENSE.

private import MSALCore
import SealedStore

extension MSALTokenStore {
    /// Merges a token cache of another Microsoft library into the store, completely or not at all. Nothing is deleted.
    ///
    /// Of two records with the same identity, the newer one is kept. Unknown members are preserved for the next export.
    ///
    /// Parsing takes three times the size of the text in memory. An application whose store has more records than its
    /// ``MSALCacheConfig/maximumStoredRecords`` deletes the oldest access tokens.
    ///
    /// - Parameters:
    ///   - text: JSON as written by MSAL for Python, .NET, Go, Java, and Node, msal-extensions, and Azure CLI, or its
    ///     base64 form.
    ///   - maximumSize: The maximum size of the text in bytes; ``maximumImportSize`` by default.
    /// - Returns: The numbers of added and replaced records.
    /// - Throws: Detail -42008. Without an ``MSALTokenStoreFailure``, the text is not a token cache, and the
    ///   description has the position of the error. With a failure, the store cannot be written. The store is unchanged
    ///   in both cases.
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
        return try await work { (keyAccess) throws(StoreError) in
            try store.prepare(keyAccess, for: .writing)
            return MSALTokenStoreImport(try store.merge(document))
        }
    }

    /// Exports the store as a token cache that other Microsoft libraries can read. **It contains refresh tokens in
    /// plain text.**
    ///
    /// Tokens that are bound to a key, and sign-in states, are not exported.
    ///
    /// - Parameter host: A host of a cloud. All records of that cloud are written under its name because MSAL Python
    ///   only finds records under the host of its authority. `nil` keeps the stored names.
    /// - Returns: JSON in UTF-8. A store that does not exist yet results in a cache without records.
    /// - Throws: Detail -42000 for a host that belongs to no cloud; -42008 if the store or its key is unavailable.
    public func exportCache(forHost host: String? = nil) async throws -> Data {
        if let host, KnownClouds.metadata(for: host) == nil {
            throw AuthError(.invalidParameter, message: "No cloud has a host named \(host).").nsError
        }
        return try await work { (keyAccess) throws(StoreError) in
            if exists { try store.prepare(keyAccess, for: .reading) }
            return try store.exportedCache(forHost: host)
        }
    }

    /// Deletes every account and token of the group, and older copies of the store that were kept next to it.
    ///
    /// The empty store and its key are kept. A store whose key is lost gets a new key.
    ///
    /// - Parameter deletesFiles: Whether to delete the files if the store cannot be opened at all. The key is kept.
    /// - Returns: What was deleted.
    /// - Throws: Detail -42008 if the store cannot be opened, or if something next to it cannot be deleted. The
    ///   description names it.
    @discardableResult
    public func clear(deletingFiles deletesFiles: Bool = false) async throws -> MSALTokenStoreClearing {
        try await work { (keyAccess) throws(StoreError) in
            let outcome = try empty(keyAccess, deletesFiles: deletesFiles)
            let remains = LeftoverFiles(of: location)
            let count = remains.paths.count
            try remains.remove()
            return MSALTokenStoreClearing(outcome: outcome, olderCopies: count)
        }
    }

    /// Deletes remaining data of signed-out accounts: the names of accounts for which no app has a token, and older
    /// copies of the store, which a sign-out does not reach.
    ///
    /// - Throws: Detail -42008 if the store cannot be written, or if a copy cannot be deleted.
    public func removeLeftovers() async throws {
        try await work { (keyAccess) throws(StoreError) in
            if exists {
                try store.prepare(keyAccess, for: .writing)
                try TokenCache(store: store, clientID: "").forgetUnusedNames()
            }
            try LeftoverFiles(of: location).remove()
        }
    }

    private func empty(
        _ keyAccess: KeyAccessOptions,
        deletesFiles: Bool
    ) throws(StoreError) -> MSALTokenStoreClearing.Outcome {
        do throws(StoreError) {
            let count = try countedRecords(keyAccess).records.values.reduce(0, +)
            try store.deleteAllRecords()
            return .deletedRecords(count)
        } catch {
            // Without its key, the store can be emptied but not read. If that also fails, the first error is thrown.
            let hasLostKey = error.kind == .keyUnavailable || error.kind == .unverified
            if hasLostKey, (try? store.reset(keyAccess)) != nil { return .newKey }
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

/// The changes made by ``MSALTokenStore/importCache(_:maximumSize:)``. Linux only.
public struct MSALTokenStoreImport: Sendable, Hashable {
    /// The outcome for the records of one kind.
    public struct Counts: Sendable, Hashable {
        /// Records that the store did not have.
        public let added: Int
        /// Records that replaced an older one.
        public let updated: Int
        /// Records that the store already had, or had in a newer version.
        public let unchanged: Int
    }

    /// The counts by kind. Kinds without records may be missing.
    public let records: [MSALTokenStoreRecordKind: Counts]

    /// Unknown or unusable entries. The store keeps them for exports.
    public let keptAside: Int

    /// Sign-in data of the other library, which was skipped.
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

/// The result of ``MSALTokenStore/clear(deletingFiles:)``. Linux only.
public struct MSALTokenStoreClearing: Sendable, Hashable {
    /// How the store was emptied.
    public enum Outcome: Sendable, Hashable {
        /// The call deleted this many records. The store and its key were kept.
        case deletedRecords(Int)
        /// The key was lost, so the number of records is unknown. The store is empty and has a new key.
        case newKey
        /// The store could not be opened, so its files were deleted.
        case deletedFiles
    }

    /// How the store was emptied.
    public let outcome: Outcome

    /// The number of files and folders that damage or updates had left next to the store, and that were deleted.
    public let olderCopies: Int
}
