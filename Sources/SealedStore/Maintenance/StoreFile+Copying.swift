// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB
import GRDBSQLite
import Glibc
import MSALBase

extension StoreFile {
    /// Writes the last committed state to a new file at `path` with mode 0600, completely or not at all. Replaces an
    /// existing file.
    ///
    /// The copy goes through SQLite because the log is part of the state, and because closing a separate descriptor
    /// would drop SQLite's locks. It also works during a transaction, even one of the caller.
    func copy(to path: String) throws {
        let draft = path + ".new"
        // The draft may be left over from a process that died here, or from this one if the disk was full.
        unlink(draft)
        defer { unlink(draft) }
        try Self.createEmpty(draft)
        let source = try connect(StoreSchema.configuration(readonly: true))
        let target = try DatabaseQueue(path: draft)
        try source.backup(to: target)
        try target.close()
        try source.close()
        guard rename(draft, path) == 0 else { throw Self.failure(.unwritable, to: "create", at: path, code: errno) }
        StoreDirectory.synchronize(URL(filePath: path).deletingLastPathComponent().path)
    }

    /// Writes the bytes of the database, even damaged ones, to a new file at `path` with mode 0600.
    ///
    /// Uses SQLite's own descriptor for the same reason. The log is a separate file without locks.
    func copyBytes(to path: String) throws {
        var connection: OpaquePointer?
        defer { sqlite3_close_v2(connection) }
        // Opens the file without reading it yet.
        try Self.check(sqlite3_open_v2(location.file, &connection, SQLITE_OPEN_READONLY, nil))
        var source: UnsafeMutablePointer<sqlite3_file>?
        try Self.check(sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &source))
        guard let source, let methods = source.pointee.pMethods?.pointee, let read = methods.xRead else {
            throw DatabaseError(resultCode: .SQLITE_CANTOPEN)
        }
        var size: Int64 = 0
        try Self.check(methods.xFileSize?(source, &size) ?? SQLITE_MISUSE)
        try Self.createEmpty(path)
        let target = try FileHandle(forWritingTo: URL(filePath: path))
        defer { try? target.close() }
        for offset in stride(from: 0, to: size, by: 1 << 20) {
            var bytes = Data(count: Int(min(1 << 20, size - offset)))
            let code = bytes.withUnsafeMutableBytes { read(source, $0.baseAddress, Int32($0.count), offset) }
            // A file that was truncated meanwhile ends in zeros.
            if code != ResultCode.SQLITE_IOERR_SHORT_READ.rawValue { try Self.check(code) }
            try target.write(contentsOf: bytes)
        }
    }

    private static func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }

    /// Creates a new file that only this user can access, whatever the umask.
    static func createEmpty(_ path: String) throws(StoreError) {
        let descriptor = PrivateFile.create(path, flags: O_EXCL | O_RDWR)
        guard descriptor >= 0 else { throw failure(.unwritable, to: "create", at: path, code: errno) }
        close(descriptor)
    }
}
