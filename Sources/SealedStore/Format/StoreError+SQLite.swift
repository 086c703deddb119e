// Licensed under the MIT License. See LICENSE.

import GRDB
import UserFiles

extension StoreError {
    /// Describes an SQLite failure. `fallback`: The kind for failures without a specific one, for reading or for
    /// writing.
    init(_ error: any Error, file: String, fallback: Kind) {
        guard !(error is RowDecodingError) else {
            // The column is empty although the schema forbids that. SQLite does not check for this damage. The error is
            // dropped because it contains the row.
            self = .damaged(file, underlying: nil)
            return
        }
        guard let database = error as? DatabaseError else {
            self.init(fallback, message: "The token store \(file) failed: \(type(of: error)).", underlying: error)
            return
        }
        guard !database.lacksSharedMemory else {
            self.init(
                .full,
                message: "There is no space left for the memory in which processes share the token store \(file).",
                underlying: error
            )
            return
        }
        // SQLite does not say why a file cannot be opened.
        guard database.resultCode != .SQLITE_CANTOPEN || OpenFileLimit.leaves(1) else {
            self.init(fallback, message: "Cannot open the token store \(file). \(OpenFileLimit.remedy)")
            return
        }
        switch database.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            self = .damaged(file, underlying: error)
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(.busy, message: "Another process holds the token store \(file). Try again.", underlying: error)
        case .SQLITE_FULL:
            self.init(.full, message: "There is no space left for the token store \(file).", underlying: error)
        case .SQLITE_READONLY, .SQLITE_PERM:
            self.init(
                .unwritable,
                message: "The token store \(file) is read-only. Make it writable, or set MSAL_STORE_DIR.",
                underlying: error
            )
        default:
            // Only the result code is kept because SQLite's message may quote values.
            self.init(
                fallback,
                message: "The token store \(file) failed with SQLite code \(database.extendedResultCode.rawValue).",
                underlying: nil
            )
        }
    }

    /// Runs `work` and converts its errors to store errors.
    ///
    /// `fallback`: The kind for failures without a specific one, for reading or for writing.
    static func catching<R>(_ fallback: Kind, file: String, work: () throws -> R) throws(StoreError) -> R {
        do {
            return try work()
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(error, file: file, fallback: fallback)
        }
    }

    private static func damaged(_ file: String, underlying error: (any Error)?) -> StoreError {
        StoreError(
            .corrupt,
            message: "The token store \(file) is damaged and could not be repaired. Move it away to start a new one.",
            underlying: error
        )
    }
}

extension DatabaseError {
    /// Whether there is no space for the shared memory because the disk is full or a quota is exhausted.
    var lacksSharedMemory: Bool {
        [.SQLITE_IOERR_SHMSIZE, .SQLITE_IOERR_SHMOPEN, .SQLITE_IOERR_SHMMAP].contains(extendedResultCode)
    }
}
