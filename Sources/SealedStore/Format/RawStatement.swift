// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB
import GRDBSQLite

/// A statement that is bound and stepped with SQLite's C functions.
///
/// GRDB prepares the statement, caches it, and finalizes it with its connection. GRDB's arguments, cursors, and rows
/// take several times as long as SQLite needs to look up one row.
struct RawStatement {
    private let statement: OpaquePointer

    init(_ sql: String, in db: Database) throws {
        statement = try db.cachedStatement(sql: sql).sqliteStatement
    }

    /// A value for a parameter.
    enum Argument {
        case null
        case integer(Int64)
        case text(String)
        case blob(Data)

        static func blob(_ data: Data?) -> Argument { data.map { .blob($0) } ?? .null }
        static func integer(_ value: Int64?) -> Argument { value.map { .integer($0) } ?? .null }
        static func text(_ value: String?) -> Argument { value.map { .text($0) } ?? .null }
    }

    /// Runs the statement to its end and passes each row to `body`. A row is valid only inside `body`.
    func rows(_ arguments: [Argument] = [], body: (RawRow) throws -> Void) throws {
        defer { sqlite3_reset(statement) }
        try bind(arguments)
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: try body(RawRow(statement: statement))
            case SQLITE_DONE: return
            case let code: throw failure(code)
            }
        }
    }

    /// The value that `body` returns for the first row; `nil` if there are no rows.
    func first<R>(_ arguments: [Argument] = [], body: (RawRow) throws -> R?) throws -> R? {
        defer { sqlite3_reset(statement) }
        try bind(arguments)
        switch sqlite3_step(statement) {
        case SQLITE_ROW: return try body(RawRow(statement: statement))
        case SQLITE_DONE: return nil
        case let code: throw failure(code)
        }
    }

    /// Runs a statement that returns no rows.
    func run(_ arguments: [Argument] = []) throws { try rows(arguments) { _ in } }

    private func bind(_ arguments: [Argument]) throws {
        for (offset, argument) in arguments.enumerated() {
            let code = bind(argument, at: Int32(offset) + 1)
            guard code == SQLITE_OK else { throw failure(code) }
        }
    }

    private func bind(_ argument: Argument, at position: Int32) -> Int32 {
        switch argument {
        case .null:
            return sqlite3_bind_null(statement, position)
        case .integer(let value):
            return sqlite3_bind_int64(statement, position, value)
        case .text(var text):
            return text.withUTF8 { bytes in
                guard let start = bytes.baseAddress else { return sqlite3_bind_text(statement, position, "", 0, nil) }
                return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                    sqlite3_bind_text(statement, position, $0, Int32(bytes.count), Self.copied)
                }
            }
        case .blob(let data):
            return data.withUnsafeBytes { bytes in
                guard let start = bytes.baseAddress, !bytes.isEmpty else {
                    return sqlite3_bind_zeroblob(statement, position, 0)
                }
                return sqlite3_bind_blob(statement, position, start, Int32(bytes.count), Self.copied)
            }
        }
    }

    /// `SQLITE_TRANSIENT`, which Swift does not import: SQLite copies the bound value.
    private static var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    private func failure(_ code: Int32) -> DatabaseError { DatabaseError(resultCode: ResultCode(rawValue: code)) }
}

/// The current row of a statement. Columns are numbered from zero.
///
/// A flipped bit in a row's header can empty a column or change its type without an error from SQLite, so each column
/// may be missing.
struct RawRow {
    fileprivate let statement: OpaquePointer

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

    /// A copy of the bytes.
    func data(_ column: Int32) -> Data? {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_BLOB, SQLITE_TEXT: break
        default: return nil
        }
        guard let bytes = sqlite3_column_blob(statement, column) else { return Data() }
        return Data(bytes: bytes, count: Int(sqlite3_column_bytes(statement, column)))
    }

    func text(_ column: Int32) -> String? {
        guard sqlite3_column_type(statement, column) == SQLITE_TEXT, let text = sqlite3_column_text(statement, column)
        else { return nil }
        let bytes = UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(statement, column)))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The value, after SQLite's conversion.
    func integer(_ column: Int32) -> Int64? {
        isNull(column) ? nil : sqlite3_column_int64(statement, column)
    }
}

extension Database {
    /// Runs `body` in a transaction. Faster than GRDB's, which checks the schema and compiles both statements each
    /// time.
    ///
    /// `beginning`: The statement that begins the transaction; `BEGIN` for reading.
    func inRawTransaction<R>(_ beginning: String, body: () throws -> R) throws -> R {
        try RawStatement(beginning, in: self).run()
        do {
            let result = try body()
            try RawStatement("COMMIT", in: self).run()
            return result
        } catch {
            // SQLite ends the transaction itself after some failures. Later failures are ignored because the caller
            // gets the first one.
            if sqlite3_get_autocommit(sqliteConnection) == 0 { try? RawStatement("ROLLBACK", in: self).run() }
            throw error
        }
    }

    /// Runs statements without parameters and results.
    func runRaw(_ sql: String) throws {
        let code = sqlite3_exec(sqliteConnection, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }
}
