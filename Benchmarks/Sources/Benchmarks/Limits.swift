// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
import GRDBSQLite

/// The cost of basic operations on this machine that every library needs. Microseconds.
struct Limits: Sendable {
    /// Copying the tokens of an account.
    let copy: Double
    /// Hashing the name of an account.
    let hash: Double
    /// Opening one sealed token: AES-256-GCM.
    let open: Double
    /// Looking up one row of 2 KB among 10,000 by its key, with SQLite's C functions.
    let lookup: Double
    /// Inserting one row of 2 KB in a transaction, with SQLite's C functions.
    let insert: Double
    /// A durable transaction with one row.
    let commit: Double
    /// Writing and synchronizing 4 KiB. Elapsed time.
    let sync: Double

    init(folder: String) throws {
        let tokens = [UInt8](repeating: 7, count: Content.bytesPerAccount)
        var copies = [UInt8](repeating: 0, count: Content.bytesPerAccount)
        copy = Self.least(1000) {
            tokens.withUnsafeBytes { from in copies.withUnsafeMutableBytes { $0.copyMemory(from: from) } }
        }
        let name = Content.homeAccountID(17)
        var sum = 0
        hash = Self.least(1000) { sum &+= name.hashValue }

        let key = SymmetricKey(size: .bits256)
        let sealed = try AES.GCM.seal(Data(repeating: 7, count: 2048), using: key)
        open = try Self.least(200) { sum &+= try AES.GCM.open(sealed, using: key).count }

        let path = folder + "/limits.db"
        defer { for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) } }
        let database = try Database(path)
        insert = try Self.least(1, rounds: 3) { try database.insert(10_000) } / 10_000
        var number: Int32 = 0
        lookup = try Self.least(200) {
            number = (number &+ 7919) % 10_000
            try database.find(number)
        }
        commit = try Self.least(1, rounds: 15) { try database.insert(1) }

        let file = Self.opened(folder + "/limits.bin")
        defer {
            close(file)
            unlink(folder + "/limits.bin")
        }
        let page = [UInt8](repeating: 1, count: 4096)
        var times: [Double] = []
        for _ in 0..<15 {
            let start = Moment()
            _ = page.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, 0) }
            fsync(file)
            times.append(start.cost().wall)
        }
        sync = times.sorted()[times.count / 2]
        if sum == 0 { say("") }  // Uses the result, so that the compiler keeps the work.
    }

    func show() {
        let unit = Unit.microseconds
        say(
            """

            The machine: \(ProcessInfo.processInfo.activeProcessorCount) processors, \(Self.processor)
              copy 4.5 KB \(unit.text(copy)), hash a name \(unit.text(hash)), open a sealed token (AES-GCM, 2 KB) \
            \(unit.text(open)), SQLite from C: look up a row \(unit.text(lookup)), \
            insert one \(unit.text(insert)), commit one \(unit.text(commit)); sync 4 KiB to disk \(unit.text(sync)) elapsed
            """
        )
    }

    /// The minimum processor time of one call.
    private static func least(_ calls: Int, rounds: Int = 15, _ body: () throws -> Void) rethrows -> Double {
        var best = Double.infinity
        for _ in 0..<rounds {
            let start = Moment()
            for _ in 0..<calls { try body() }
            best = min(best, start.cost(calls: calls).cpu)
        }
        return best
    }

    private static func opened(_ path: String) -> Int32 { Foundation.open(path, O_RDWR | O_CREAT, 0o600) }

    private static var processor: String {
        let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
        return line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown"
    }
}

/// A table of rows with keys of 16 bytes, without encryption and without the library.
private final class Database {
    private struct Fault: Error {
        let code: Int32
    }

    private var handle: OpaquePointer?
    private var select: OpaquePointer?
    private var store: OpaquePointer?
    private let payload = [UInt8](repeating: 7, count: 2048)

    init(_ path: String) throws {
        try check(sqlite3_open(path, &handle))
        try execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL")
        try execute("CREATE TABLE row (id INTEGER PRIMARY KEY, key BLOB, value BLOB); CREATE INDEX byKey ON row (key)")
        try check(sqlite3_prepare_v2(handle, "SELECT value FROM row WHERE key = ?", -1, &select, nil))
        try check(sqlite3_prepare_v2(handle, "INSERT INTO row (key, value) VALUES (?, ?)", -1, &store, nil))
    }

    deinit {
        sqlite3_finalize(select)
        sqlite3_finalize(store)
        sqlite3_close(handle)
    }

    func insert(_ count: Int32) throws {
        try execute("BEGIN IMMEDIATE")
        for number in 0..<count {
            bind(number, to: store)
            sqlite3_bind_blob(store, 2, payload, Int32(payload.count), nil)
            guard sqlite3_step(store) == SQLITE_DONE else { throw Fault(code: sqlite3_errcode(handle)) }
            sqlite3_reset(store)
        }
        try execute("COMMIT")
    }

    func find(_ number: Int32) throws {
        bind(number, to: select)
        guard sqlite3_step(select) == SQLITE_ROW, sqlite3_column_bytes(select, 0) == 2048 else {
            throw Fault(code: sqlite3_errcode(handle))
        }
        sqlite3_reset(select)
    }

    private func bind(_ number: Int32, to statement: OpaquePointer?) {
        // Distributed over the index like keyed hashes.
        let half = UInt64(UInt32(bitPattern: number)) &* 0x9E37_79B9_7F4A_7C15
        let key = withUnsafeBytes(of: (half, half &+ 1)) { Array($0) }
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        sqlite3_bind_blob(statement, 1, key, Int32(key.count), transient)
    }

    private func execute(_ sql: String) throws { try check(sqlite3_exec(handle, sql, nil, nil, nil)) }

    private func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw Fault(code: code) }
    }
}
