// Licensed under the MIT License. See LICENSE.

import Glibc

/// The directory of a group, held open.
///
/// The path is opened one component at a time, each under the descriptor of the one before. So nobody can exchange the
/// directory between its check and its use (docs/reference/Store.md#permissions).
struct StoreDirectory: ~Copyable {
    /// Open for reading, closed with this value.
    let descriptor: Int32
    let path: String

    /// Opens the directory and checks everything on the way: each component belongs to this user or to root and is
    /// not for others to change; the last one is this user's alone and no link.
    ///
    /// `creating`: Whether missing directories are made, 0700 whatever the umask; otherwise one that is missing gives
    /// `nil`.
    ///
    /// - Throws: `.insecure` for a directory that others could change; `.unreadable` and `.unwritable` where this user
    ///   lacks the right.
    static func open(_ path: String, creating: Bool) throws(StoreError) -> StoreDirectory? {
        guard let descriptor = try StorePathWalk(path: path, creating: creating).run() else { return nil }
        let directory = StoreDirectory(descriptor: descriptor, path: path)
        try directory.protect()
        return directory
    }

    /// Closes the directory to others, if changing our own permission bits is enough.
    private func protect() throws(StoreError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw StoreFile.failure(.unreadable, to: "look at", at: path, code: errno)
        }
        guard status.st_uid == geteuid() else {
            throw StoreError(.insecure, message: "\(path) belongs to another user. Set MSAL_STORE_DIR.")
        }
        try PermissionRepair.apply(to: status, at: path, mode: 0o700)
    }

    deinit { close(descriptor) }

    /// Makes the names of the files in a directory survive a power cut, if the file system can do that.
    static func synchronize(_ path: String) {
        let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}

/// The walk from `/` to a directory.
private struct StorePathWalk {
    let path: String
    let creating: Bool

    /// `O_PATH`, which Swift's Glibc leaves out: a descriptor of directories that may be passed and not read.
    private static let lookOnly: Int32 = 0o10_000_000

    /// Returns an open descriptor of the last component; `nil` if one is missing and not to be made.
    func run() throws(StoreError) -> Int32? {
        var here = Component(descriptor: Glibc.open("/", Self.lookOnly | O_DIRECTORY | O_CLOEXEC), path: "")
        var names = path.split(separator: "/").map(String.init)
        var links = 0
        while !names.isEmpty {
            let name = names.removeFirst()
            guard try isSafe(here) else { return nil }
            guard let next = try step(into: name, of: here, isLast: names.isEmpty) else { return nil }
            if let target = try linkTarget(of: next, isLast: names.isEmpty) {
                links += 1
                guard links <= 40 else { throw refusal("\(next.path) leads in a circle.") }
                names = target.split(separator: "/").map(String.init) + names
                if target.hasPrefix("/") {
                    here = Component(descriptor: Glibc.open("/", Self.lookOnly | O_DIRECTORY | O_CLOEXEC), path: "")
                }
            } else {
                here = next
            }
        }
        let last = openat(here.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard last >= 0 else { throw StoreFile.failure(.unreadable, to: "open", at: path, code: errno) }
        return last
    }

    /// A directory or link on the way, open without the right to read it.
    private final class Component {
        let descriptor: Int32
        let path: String

        init(descriptor: Int32, path: String) {
            self.descriptor = descriptor
            self.path = path
        }

        deinit { if descriptor >= 0 { close(descriptor) } }
    }

    private func step(into name: String, of here: Component, isLast: Bool) throws(StoreError) -> Component? {
        let path = here.path + "/" + name
        for _ in 0..<2 {
            let descriptor = openat(here.descriptor, name, Self.lookOnly | O_NOFOLLOW | O_CLOEXEC)
            if descriptor >= 0 { return Component(descriptor: descriptor, path: path) }
            guard errno == ENOENT || errno == ENOTDIR else {
                throw StoreFile.failure(.unreadable, to: "open", at: path, code: errno)
            }
            guard creating else { return nil }
            if mkdirat(here.descriptor, name, 0o700) != 0 {
                // Another process may have created the folder first.
                guard errno == EEXIST else { throw StoreFile.failure(.unwritable, to: "create", at: path, code: errno) }
            } else if fchmodat(here.descriptor, name, 0o700, 0) != 0 {
                // The umask may have removed rights that we need.
                throw StoreFile.failure(.unwritable, to: "protect", at: path, code: errno)
            }
        }
        throw StoreFile.failure(.unwritable, to: "create", at: path, code: ENOENT)
    }

    /// Checks that only this user and root can exchange the entries of a directory on the way.
    ///
    /// - Returns: `false` for something else than a directory, if nothing is to be made.
    private func isSafe(_ component: Component) throws(StoreError) -> Bool {
        let path = component.path.isEmpty ? "/" : component.path
        var status = stat()
        guard component.descriptor >= 0, fstat(component.descriptor, &status) == 0 else {
            throw StoreFile.failure(.unreadable, to: "look at", at: path, code: errno)
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            guard creating else { return false }
            throw StoreFile.failure(.unwritable, to: "open", at: path, code: ENOTDIR)
        }
        // In a directory with the sticky bit only owners may replace entries.
        let isClosed = status.st_mode & 0o002 == 0 || status.st_mode & 0o1000 != 0
        guard isClosed, FileOwner.isTrusted(status.st_uid) else {
            throw refusal("\(path), which leads to the token store, can be changed by other users.")
        }
        return true
    }

    /// The target of a link on the way; `nil` for a directory.
    private func linkTarget(of component: Component, isLast: Bool) throws(StoreError) -> String? {
        var status = stat()
        guard fstat(component.descriptor, &status) == 0 else {
            throw StoreFile.failure(.unreadable, to: "look at", at: component.path, code: errno)
        }
        guard status.st_mode & S_IFMT == S_IFLNK else { return nil }
        guard !isLast, FileOwner.isTrusted(status.st_uid) else {
            throw refusal("\(component.path) is a link or belongs to another user.")
        }
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlinkat(component.descriptor, "", &buffer, buffer.count)
        guard length > 0 else { throw StoreFile.failure(.unreadable, to: "follow", at: component.path, code: errno) }
        return String(decoding: buffer.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private func refusal(_ reason: String) -> StoreError {
        StoreError(.insecure, message: reason + " Set MSAL_STORE_DIR.")
    }
}
