// Licensed under the MIT License. See LICENSE.

import GRDB
import Glibc

extension StoreFile {
    /// Writes what was committed last to a new file at `path`, 0600; the whole of it or nothing, in place of whatever
    /// had the name.
    ///
    /// Through SQLite: what is in the log belongs to it, and closing a descriptor of ours would drop SQLite's locks.
    /// A transaction that is under way is no hindrance, not even one of the caller.
    func copy(to path: String) throws {
        let draft = path + ".new"
        // Of a process that died here, and of this one if the disk is full.
        unlink(draft)
        defer { unlink(draft) }
        try Self.createEmpty(draft)
        let source = try connect(StoreSchema.configuration(readonly: true))
        let target = try DatabaseQueue(path: draft)
        try source.backup(to: target)
        try target.close()
        try source.close()
        guard rename(draft, path) == 0 else { throw Self.failure(.unwritable, "create", path, errno) }
        Self.syncDirectory(of: path)
    }

    /// Has the name of the file at `path` outlast a power cut, where the file system can do that.
    private static func syncDirectory(of path: String) {
        let end = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let descriptor = open(path[..<end] + ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        close(descriptor)
    }

    /// Creates a file for this user alone, whatever the umask, where none is.
    static func createEmpty(_ path: String) throws(StoreError) {
        let descriptor = open(path, O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR | O_CLOEXEC, mode_t(0o600))
        guard descriptor >= 0 else { throw failure(.unwritable, "create", path, errno) }
        defer { close(descriptor) }
        guard fchmod(descriptor, 0o600) == 0 else { throw failure(.unwritable, "protect", path, errno) }
    }
}
