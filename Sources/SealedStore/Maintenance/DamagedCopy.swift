// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB
import Glibc

/// A copy of a damaged database, with or without its log, and with its own first page or that of a new store.
///
/// Without its first page, a database cannot be opened at all. That page contains only parts that all stores have in
/// common: the header and the list of tables. Therefore, an unreadable first page is replaced with that of a new store.
struct DamagedCopy {
    private static let pageSize = 4096

    /// The path of the damaged database.
    private let original: String
    /// The directory for the copies.
    private let directory: String
    /// Whether the write-ahead log is copied, too.
    private let hasLog: Bool
    /// Whether the first page is the original one.
    let hasOwnFirstPage: Bool

    private var path: String { "\(directory)/copy-\(hasLog)-\(hasOwnFirstPage).db" }

    /// The copies to try. The first one changes least.
    static func all(of original: String, in directory: String) -> [DamagedCopy] {
        [true, false].flatMap { hasLog in
            [true, false].map { hasOwnFirstPage in
                DamagedCopy(original: original, directory: directory, hasLog: hasLog, hasOwnFirstPage: hasOwnFirstPage)
            }
        }
    }

    /// Creates the copy and opens it; `nil` if SQLite does not accept it as a database.
    func open() throws -> DatabaseQueue? {
        guard access(original, F_OK) == 0 else { return nil }
        try Self.copy(original, to: path)
        if hasLog, access(original + "-wal", F_OK) == 0 { try Self.copy(original + "-wal", to: path + "-wal") }
        if access(original + "-journal", F_OK) == 0 { try Self.copy(original + "-journal", to: path + "-journal") }
        if !hasOwnFirstPage { try replaceFirstPage() }
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0")
        }
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            _ = try queue.inDatabase { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_schema") }
            return queue
        } catch let error as DatabaseError {
            guard error.resultCode != .SQLITE_FULL, error.resultCode != .SQLITE_IOERR else { throw error }
            return nil
        }
    }

    static func copy(_ source: String, to target: String) throws {
        try FileManager.default.copyItem(atPath: source, toPath: target)
        _ = chmod(target, 0o600)
    }

    private func replaceFirstPage() throws {
        let handle = try FileHandle(forUpdating: URL(filePath: path))
        defer { try? handle.close() }
        let pages = try handle.seekToEnd() / UInt64(Self.pageSize)
        var page = try firstPage()
        // The SQLite file format, section 1.3: the number of pages (28), an empty freelist (32 and 36), and the change
        // counter for which the number of pages is valid (92). The value 2 at offsets 18 and 19 selects the log.
        page.set(UInt32(truncatingIfNeeded: pages), at: 28)
        page.set(0, at: 32)
        page.set(0, at: 36)
        page.set(page.number(at: 24), at: 92)
        page[18] = hasLog ? 2 : 1
        page[19] = hasLog ? 2 : 1
        try handle.seek(toOffset: 0)
        try handle.write(contentsOf: page)
    }

    /// The first page of a store without rows.
    private func firstPage() throws -> Data {
        let path = "\(directory)/template.db"
        if access(path, F_OK) != 0 {
            try StoreFile.createEmpty(path)
            let queue = try DatabaseQueue(path: path)
            try queue.inDatabase { db in
                try db.execute(sql: "PRAGMA page_size = \(Self.pageSize)")
                try db.inTransaction {
                    try StoreSchema.createTables(db)
                    return .commit
                }
            }
            try queue.close()
        }
        return try Data(contentsOf: URL(filePath: path)).prefix(Self.pageSize)
    }
}

extension Data {
    /// Big-endian, like all integers in an SQLite file.
    fileprivate mutating func set(_ number: UInt32, at offset: Int) {
        Swift.withUnsafeBytes(of: number.bigEndian) { replaceSubrange(offset..<offset + 4, with: $0) }
    }

    fileprivate func number(at offset: Int) -> UInt32 {
        self[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
