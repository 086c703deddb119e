// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB
import GRDBSQLite

extension StoreFile {
    /// A connection to the file that is there.
    ///
    /// SQLite is not to create one: another process may have moved the file away just now to mend it, and would take
    /// an empty one, with the rights that the umask leaves, for the mended.
    ///
    /// - Throws: ``MovedStore`` if there is no file any more, and what SQLite says.
    func connect(_ configuration: Configuration) throws -> DatabaseQueue {
        try connect(configuration.readonly ? location.file : location.existingName, configuration)
    }

    /// A connection that reads without locks a file which nobody can change.
    func connectToImmutable(_ configuration: Configuration) throws -> DatabaseQueue {
        try connect(location.immutableURI, configuration)
    }

    private func connect(_ name: String, _ configuration: Configuration) throws -> DatabaseQueue {
        do {
            return try DatabaseQueue(path: name, configuration: configuration)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CANTOPEN {
            throw try look() == nil ? MovedStore.error : error
        }
    }
}

// sqlite.org/uri.html
extension StoreLocation {
    /// SQLite's name for the file, by which it can be written and is never created. One that was built without names
    /// of this kind gets the path.
    var existingName: String {
        sqlite3_compileoption_used("USE_URI") != 0 ? uri("mode=rw") : file
    }

    /// SQLite's name for the file as one that nobody changes.
    var immutableURI: String { uri("immutable=1") }

    private func uri(_ parameter: String) -> String {
        let unreserved = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "?#%"))
        // Nothing but a broken encoding has no percent-encoded form, and paths here are valid UTF-8.
        return "file://\(file.addingPercentEncoding(withAllowedCharacters: unreserved) ?? file)?\(parameter)"
    }
}
