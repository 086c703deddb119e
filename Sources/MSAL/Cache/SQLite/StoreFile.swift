// Licensed under the MIT License. See LICENSE.

import Glibc

/// The file under a SQLite store: creation with tight rights, and the checks before each opening
/// (token-store-linux.md R21 and R22).
struct StoreFile: Sendable {
    let location: StoreLocation

    /// Tells two files at the same path apart.
    struct Identity: Sendable, Equatable {
        let device: dev_t
        let inode: ino_t
    }

    /// The file that is there now; `nil` if none is, or none can be seen.
    var identity: Identity? {
        var status = stat()
        guard lstat(location.file, &status) == 0 else { return nil }
        return Identity(device: status.st_dev, inode: status.st_ino)
    }

    /// Checks an existing file and its directories.
    ///
    /// Wrong permission bits on our own file are repaired; anything of another user, a link or a special file
    /// is refused.
    ///
    /// - Returns: Whether there is a file at all.
    func check() throws(StoreError) -> Bool {
        var status = stat()
        guard lstat(location.file, &status) == 0 else {
            let code = errno
            if code == ENOENT || code == ENOTDIR { return false }
            throw failure(.unreadable, "read", location.file, code)
        }
        try checkDirectories()
        let file = location.file
        guard status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1 else {
            throw StoreError(.insecure, "\(file) is a link or no regular file. Remove it to start a new token store.")
        }
        guard status.st_uid == geteuid() else {
            throw StoreError(.insecure, "\(file) belongs to another user. Remove it, or set MSAL_STORE_DIR.")
        }
        if status.st_mode & 0o077 != 0, chmod(file, 0o600) != 0 { throw failure(.insecure, "protect", file, errno) }
        return true
    }

    /// Creates directories and an empty file where there are none, for this user alone, whatever the umask.
    func create() throws(StoreError) {
        try createDirectories()
        let descriptor = open(location.file, O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR | O_CLOEXEC, mode_t(0o600))
        guard descriptor >= 0 else {
            // Another process was faster: its file is as good.
            if errno == EEXIST { return }
            throw failure(.unwritable, "create", location.file, errno)
        }
        defer { close(descriptor) }
        guard fchmod(descriptor, 0o600) == 0 else { throw failure(.unwritable, "protect", location.file, errno) }
    }

    /// Runs `work` while no other process fills a store in this directory: changing the journal mode does not wait
    /// for others as transactions do. The lock is the kernel's and dies with its holder.
    func whileAlone(_ work: () throws -> Void) throws {
        let descriptor = open(location.directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(.unwritable, "open", location.directory, errno) }
        defer { close(descriptor) }
        var pauses = 0
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            if code == EINTR { continue }
            guard code == EWOULDBLOCK else { throw failure(.unwritable, "lock", location.directory, code) }
            // Five seconds in all, as SQLite's own busy time-out.
            guard pauses < 250 else {
                throw StoreError(.busy, "Another process is creating the token store \(location.file). Try again.")
            }
            pauses += 1
            usleep(20_000)
        }
        try work()
    }

    private func createDirectories() throws(StoreError) {
        var path = ""
        for part in location.directory.split(separator: "/") {
            path += "/" + part
            if mkdir(path, 0o700) == 0 {
                // The umask may have taken more than we want to give.
                guard chmod(path, 0o700) == 0 else { throw failure(.unwritable, "protect", path, errno) }
            } else {
                let code = errno
                var status = stat()
                guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
                    throw failure(.unwritable, "create", path, code)
                }
            }
        }
        try checkDirectories()
    }

    /// The group's directory is ours and writable by us alone; those above belong to us or to root.
    private func checkDirectories() throws(StoreError) {
        var status = stat()
        let directory = location.directory
        guard lstat(directory, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid() else {
            throw StoreError(.insecure, "\(directory) is a link or belongs to another user. Set MSAL_STORE_DIR.")
        }
        if status.st_mode & 0o077 != 0, chmod(directory, 0o700) != 0 {
            throw failure(.insecure, "protect", directory, errno)
        }
        var path = ""
        for part in directory.split(separator: "/").dropLast() {
            path += "/" + part
            guard stat(path, &status) == 0 else { throw failure(.unreadable, "look at", path, errno) }
            let isTrusted = status.st_uid == geteuid() || status.st_uid == 0
            // In a directory with the sticky bit only owners may replace entries.
            guard isTrusted, status.st_mode & 0o002 == 0 || status.st_mode & 0o1000 != 0 else {
                throw StoreError(
                    .insecure,
                    "\(path), which leads to the token store, can be changed by other users. Set MSAL_STORE_DIR."
                )
            }
        }
    }

    private func failure(_ kind: StoreError.Kind, _ action: String, _ path: String, _ code: Int32) -> StoreError {
        let reason = String(cString: strerror(code))
        let actual = code == ENOSPC || code == EDQUOT ? .full : kind
        return StoreError(
            actual,
            "Cannot \(action) \(path): \(reason). Make it writable, or name another directory in MSAL_STORE_DIR."
        )
    }
}
