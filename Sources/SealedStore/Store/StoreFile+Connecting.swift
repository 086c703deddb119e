// Licensed under the MIT License. See LICENSE.

import GRDB
import GRDBSQLite
import MSALBase

extension StoreFile {
    /// A connection to the file that is there.
    ///
    /// SQLite must not create a file. Another process may just have moved the file away to mend it. It would take an
    /// empty one, with the rights that the umask leaves, for the mended one.
    ///
    /// - Throws: ``MovedStore`` if there is no file any more, and the errors of SQLite.
    func connect(_ configuration: Configuration) throws -> DatabaseQueue {
        try connect(to: configuration.readonly ? location.file : location.existingName, configuration)
    }

    /// A connection that reads a file without locks, because nobody can change it.
    func connectToImmutable(_ configuration: Configuration) throws -> DatabaseQueue {
        try connect(to: location.immutableURI, configuration)
    }

    private func connect(to name: String, _ configuration: Configuration) throws -> DatabaseQueue {
        do {
            return try DatabaseQueue(path: name, configuration: configuration)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CANTOPEN {
            throw try look() == nil ? MovedStore.error : error
        }
    }
}

// sqlite.org/uri.html
extension StoreLocation {
    /// SQLite's name for the file, by which it can be written and is never created. A SQLite that was built without names
    /// of this kind gets the path.
    var existingName: String {
        sqlite3_compileoption_used("USE_URI") != 0 ? uri("mode=rw") : file
    }

    /// SQLite's name for the file. It says that nobody changes the file.
    var immutableURI: String { uri("immutable=1") }

    /// The path is escaped by hand, because Foundation's sets of characters cost more than opening the file.
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
