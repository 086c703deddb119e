// Licensed under the MIT License. See LICENSE.

import Foundation

/// The files beside a store that hold previous rows of it: damaged files that were moved aside, copies of older
/// versions, and drafts of a process that died at such work.
///
/// Deleting a row does not change these files. So they are deleted when everything is deleted.
package struct StoreRemains {
    private let location: StoreLocation

    /// `location`: The store they lie beside.
    package init(of location: StoreLocation) {
        self.location = location
    }

    /// The paths of the files, in the order of their names.
    package var paths: [String] { names.map { location.directory + "/" + $0 } }

    /// Deletes those that have a name which the store gives, are regular files or folders of such, and belong to this
    /// user. Links are never followed. Waits while another process mends the store.
    ///
    /// - Throws: `.unwritable`, which names those that had to stay; `.insecure` if others could change the directory; `.busy`.
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
                    Beside the token store was left, because it cannot be deleted or is not of the store's making: \
                    \(left.joined(separator: ", ")). Look at it, and delete it by hand.
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

    /// A copy of an older version or its draft, or a mended store that did not get into its place.
    private static func isFile(_ name: String) -> Bool {
        name.wholeMatch(of: #/(tokens\.db\.v[0-9]+(\.new)?|\.mended\.db)(-wal|-shm|-journal)?/#) != nil
    }

    private static func isFolder(_ name: String) -> Bool {
        name == StoreSalvage.folder || Quarantine.isName(name)
    }

    /// Whether a file in one of the folders is one that the store puts there.
    static func isContent(_ name: String) -> Bool {
        name.wholeMatch(of: #/report\.json|[a-z0-9-]+\.db(\.new)?(-wal|-shm|-journal)?/#) != nil
    }
}
