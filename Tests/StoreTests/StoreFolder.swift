// Licensed under the MIT License. See LICENSE.

import Foundation
import TestSupport

@testable import MSAL
@testable import SealedStore

/// A separate directory for one test, and the store in it.
struct StoreFolder {
    let directory: URL
    let location: StoreLocation

    /// Runs `body` in a new directory and removes it afterwards.
    static func with(_ body: (StoreFolder) throws -> Void) throws {
        try withTemporaryDirectory { directory in
            let location = try StoreLocation(group: "group", environment: ["MSAL_STORE_DIR": directory.path])
            try body(StoreFolder(directory: directory, location: location))
        }
    }

    /// A new store object, as another process would have.
    func store(on fileSystem: FileSystemKind? = nil) -> SQLiteStore {
        var location = location
        location.assumedFileSystem = fileSystem
        return SQLiteStore(location: location, keys: SingleKeySource(KeyFileKeys()))
    }

    func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    func setMode(_ mode: Int, _ path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    /// Names in the directory of the group.
    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: location.directory).sorted()
    }
}

extension SQLiteStore {
    func heal(isCertain: Bool) throws { try StoreMaintenance().recover(rows, isCertain: isCertain) }
}
