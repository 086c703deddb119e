// Licensed under the MIT License. See LICENSE.

import GRDB
import GRDBSQLite
import MSALBase

extension StoreFile {
    /// A connection to the existing file.
    ///
    /// SQLite must not create a file. Another process may have just moved the file away to repair it, and would take an
    /// empty file, with the permissions that the umask leaves, for the repaired one.
    ///
    /// - Throws: ``StoreReplacedError`` if the file no longer exists, and the errors of SQLite.
    func connect(_ configuration: Configuration) throws -> DatabaseQueue {
        try connect(to: configuration.readonly ? location.file : location.existingName, configuration)
    }

    /// A connection that reads a file without locks because no process can change it.
    func connectToImmutable(_ configuration: Configuration) throws -> DatabaseQueue {
        try connect(to: location.immutableURI, configuration)
    }

    private func connect(to name: String, _ configuration: Configuration) throws -> DatabaseQueue {
        do {
            return try DatabaseQueue(path: name, configuration: configuration)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CANTOPEN {
            throw try currentIdentity() == nil ? StoreReplacedError.error : error
        }
    }
}

// sqlite.org/uri.html
extension StoreLocation {
    /// SQLite's URI for the file, which permits writing but not creating it. An SQLite that was built without URIs gets
    /// the path.
    var existingName: String { sqlite3_compileoption_used("USE_URI") != 0 ? uri("mode=rw") : file }

    /// SQLite's URI for a file that no process changes.
    var immutableURI: String { uri("immutable=1") }

    /// The path is escaped here because Foundation's character sets take longer than opening the file.
    private func uri(_ parameter: String) -> String {
        var uri = "file://"
        for byte in file.utf8 {
            switch byte {
            case _ where byte.isASCIILetterOrDigit || "-._/".utf8.contains(byte):
                uri.unicodeScalars.append(UnicodeScalar(byte))
            default:
                uri += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        return uri + "?" + parameter
    }
}
