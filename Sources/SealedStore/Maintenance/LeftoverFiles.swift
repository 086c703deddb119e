// Licensed under the MIT License. See LICENSE.

import Foundation

/// The files next to a store that contain earlier rows: damaged files that were moved aside, copies of older versions,
/// and drafts of a process that died during such work.
///
/// Deleting rows does not change these files, so they are deleted when everything is deleted.
package struct LeftoverFiles {
    private let location: StoreLocation

    /// `location`: The store next to which the files are.
    package init(of location: StoreLocation) { self.location = location }

    /// The paths of the files, sorted by name.
    package var paths: [String] { names.map { location.directory + "/" + $0 } }

    /// Deletes those with a name that the store uses, if they are regular files or folders of such files and belong to
    /// this user. Links are never followed. Waits while another process repairs the store.
    ///
    /// - Throws: `.unwritable`, which names the files that could not be deleted; `.insecure` if others could change the
    ///   directory; `.busy`.
    package func remove() throws(StoreError) {
        guard !names.isEmpty, let directory = try StoreDirectory.open(location.directory, creating: false) else {
            return
        }
        let lock = try RecoveryLock.take(in: location, creating: false)
        var left: [String] = []
        for name in names where !Self.remove(name, from: directory) { left.append(location.directory + "/" + name) }
        // An unfinished recovery now has no files to continue with.
        if let lock { try lock.note(nil) }
        guard left.isEmpty else {
            throw StoreError(
                .unwritable,
                message: """
                    Some files next to the token store were left because they cannot be deleted or do not belong to \
                    it: \(left.joined(separator: ", ")). Check and delete them manually.
                    """
            )
        }
    }

    private var names: [String] {
        // If the directory does not exist or cannot be listed, nothing can be deleted.
        let all = (try? FileManager.default.contentsOfDirectory(atPath: location.directory)) ?? []
        return all.filter { Self.isFile($0) || Self.isFolder($0) }.sorted()
    }

    private static func remove(_ name: String, from directory: borrowing StoreDirectory) -> Bool {
        isFolder(name) ? directory.removeFolder(name, where: isContent) : directory.removeFile(name)
    }

    /// A copy of an older version, its draft, or a repaired store that was not moved to its final location.
    private static func isFile(_ name: String) -> Bool {
        name.wholeMatch(of: #/(tokens\.db\.v[0-9]+(\.new)?|\.mended\.db)(-wal|-shm|-journal)?/#) != nil
    }

    private static func isFolder(_ name: String) -> Bool {
        name == StoreSalvage.folder || Quarantine.isName(name)
    }

    /// Whether a file in one of the folders is one that the store creates there.
    static func isContent(_ name: String) -> Bool {
        name.wholeMatch(of: #/report\.json|[a-z0-9-]+\.db(\.new)?(-wal|-shm|-journal)?/#) != nil
    }
}
