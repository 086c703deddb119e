// Licensed under the MIT License. See LICENSE.

import Glibc
import MSALBase
import Synchronization
import UserFiles

/// The database file of a store. Creates it with restricted permissions and checks it before each opening
/// (docs/reference/Store.md#permissions).
///
/// This type never opens the database; it only reads its status. Closing a descriptor would drop the POSIX locks that
/// SQLite connections of this process hold.
struct StoreFile: Sendable {
    let location: StoreLocation
    private let immutability = Immutability()

    /// Whether a connection reads the file without locks because no files can be created in the directory.
    private final class Immutability: Sendable {
        let isAssumed = Atomic(false)
    }

    /// Distinguishes two files at the same path.
    struct Identity: Sendable, Equatable {
        let device: dev_t
        let inode: ino_t
        /// Nanoseconds of the last change. Set only where SQLite does not detect changes itself.
        let change: Int
        /// The size of the log, under the same condition. Once the log is not empty, the file must not be read without
        /// it.
        let logSize: Int64
    }

    /// The current file; `nil` if it does not exist or is inaccessible.
    var identity: Identity? { try? currentIdentity() }

    /// The current file; `nil` if it does not exist.
    ///
    /// Throws `.unreadable` if that is unknown, for instance if a directory on the path has been replaced by a file.
    func currentIdentity() throws(StoreError) -> Identity? {
        var status = stat()
        guard lstat(location.file, &status) == 0 else {
            let code = errno
            if code == ENOENT { return nil }
            throw Self.failure(.unreadable, to: "read", at: location.file, code: code)
        }
        let isImmutable = immutability.isAssumed.load(ordering: .relaxed)
        let change = status.st_mtim.tv_sec &* 1_000_000_000 &+ status.st_mtim.tv_nsec
        return Identity(
            device: status.st_dev,
            inode: status.st_ino,
            change: isImmutable ? change : 0,
            logSize: isImmutable ? size(of: "-wal") ?? 0 : 0
        )
    }

    /// From now on, treats a changed file as a different one because nothing else would reveal the change.
    func noteImmutable() { immutability.isAssumed.store(true, ordering: .relaxed) }

    /// Whether the database is complete without its log.
    var isComplete: Bool { (size(of: "-wal") ?? 0) == 0 }

    /// Whether this user may create files next to the database.
    var takesCompanions: Bool { access(location.directory, W_OK) == 0 }

    /// The kind of file system the directory is on.
    var fileSystem: FileSystemKind { location.assumedFileSystem ?? FileSystemKind(of: location.directory) }

    /// The size in bytes of the companion file with this suffix; `nil` if it does not exist.
    func size(of suffix: String) -> Int64? {
        var status = stat()
        guard lstat(location.file + suffix, &status) == 0 else { return nil }
        return Int64(status.st_size)
    }

    /// Checks an existing file, its companions, and its directories.
    ///
    /// Repairs wrong permission bits of our own files. Refuses files of another user, links, and special files.
    ///
    /// - Returns: Whether the file exists.
    func check() throws(StoreError) -> Bool {
        guard try currentIdentity() != nil else { return false }
        guard let directory = try StoreDirectory.open(location.directory, creating: false) else { return false }
        for suffix in ["-wal", "-shm", "-journal"] { _ = try check(suffix, in: directory) }
        return try check("", in: directory)
    }

    /// Creates missing directories that only this user can access, whatever the umask.
    ///
    /// - Throws: `.unsupportedFilesystem` if locks do not exclude other processes: a store must not be created there.
    func prepareDirectory() throws(StoreError) {
        _ = try StoreDirectory.open(location.directory, creating: true)
        if case .shared(let name) = fileSystem { try LockProbe(directory: location.directory, fileSystem: name).run() }
    }

    /// Creates an empty file that only this user can access, whatever the umask.
    func create() throws(StoreError) {
        guard let directory = try StoreDirectory.open(location.directory, creating: true) else { return }
        let descriptor = PrivateFile.create(StoreLocation.fileName, in: directory.descriptor, flags: O_EXCL | O_RDWR)
        guard descriptor >= 0 else {
            // Another process created the file first. It can be used just as well.
            if errno == EEXIST { return }
            throw Self.failure(.unwritable, to: "create", at: location.file, code: errno)
        }
        close(descriptor)
    }

    /// Runs `work` while no other process creates a store in this directory or changes its keys. Uses a kernel lock,
    /// which is released when its holder exits.
    ///
    /// A transaction is not sufficient: a change of the journal mode does not wait for other connections.
    func withExclusiveAccess<R>(_ work: () throws -> R) throws -> R {
        guard let directory = try StoreDirectory.open(location.directory, creating: false) else {
            throw Self.failure(.unwritable, to: "open", at: location.directory, code: ENOENT)
        }
        assert(LockRank.directory.take(), "Lock order violation: the directory was locked too late.")
        defer { assert(LockRank.directory.release()) }
        try KernelLock.wait(for: directory.descriptor, of: location)
        return try work()
    }

    private func check(_ suffix: String, in directory: borrowing StoreDirectory) throws(StoreError) -> Bool {
        let path = location.file + suffix
        var status = stat()
        guard fstatat(directory.descriptor, StoreLocation.fileName + suffix, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            if errno == ENOENT { return false }
            throw Self.failure(.unreadable, to: "inspect", at: path, code: errno)
        }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1 else {
            // A companion that is being deleted at the moment has no name left.
            if status.st_nlink == 0 { return false }
            throw StoreError(
                .insecure,
                message: "\(path) is a link or not a regular file. Remove it to start a new token store."
            )
        }
        guard status.st_uid == geteuid() else {
            throw StoreError(.insecure, message: "\(path) belongs to another user. Remove it, or set MSAL_STORE_DIR.")
        }
        try PermissionRepair.apply(to: status, at: path, mode: 0o600)
        return true
    }

    /// The error of a failed system call, with a remedy.
    static func failure(_ kind: StoreError.Kind, to action: String, at path: String, code: Int32) -> StoreError {
        let reason = String(cString: strerror(code))
        let actual = code == ENOSPC || code == EDQUOT || code == EFBIG ? .full : kind
        guard !OpenFileLimit.isReached(by: code) else {
            return StoreError(kind, message: "Cannot \(action) \(path). \(OpenFileLimit.remedy)")
        }
        let remedy = code == ENOTDIR ? "Name" : "Make it writable, or name"
        return StoreError(
            actual,
            message: "Cannot \(action) \(path): \(reason). \(remedy) another directory in MSAL_STORE_DIR."
        )
    }
}
