// Licensed under the MIT License. See LICENSE.

import Foundation
import Glibc

/// The open directory of a group.
///
/// The path is opened one component at a time, each relative to the descriptor of its parent, so that no other process
/// can swap the directory between its check and its use (docs/reference/Store.md#permissions).
struct StoreDirectory: ~Copyable {
    /// Open for reading, closed with this value.
    let descriptor: Int32
    let path: String

    /// Opens the directory and checks every component of its path: each belongs to this user or to root and cannot be
    /// changed by others. The last one is accessible only to this user and is not a link.
    ///
    /// `creating`: Whether to create missing directories, with mode 0700 whatever the umask. Otherwise a missing
    /// directory returns `nil`.
    ///
    /// - Throws: `.insecure` for a directory that others could change; `.unreadable` or `.unwritable` if this user
    ///   lacks permission.
    static func open(_ path: String, creating: Bool) throws(StoreError) -> StoreDirectory? {
        guard let descriptor = try StorePathWalk(path: path, creating: creating).run() else { return nil }
        let directory = StoreDirectory(descriptor: descriptor, path: path)
        try directory.protect()
        return directory
    }

    /// Removes other users' access to the directory, if changing our own permission bits is sufficient.
    private func protect() throws(StoreError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw StoreFile.failure(.unreadable, to: "inspect", at: path, code: errno)
        }
        guard status.st_uid == geteuid() else {
            throw StoreError(.insecure, message: "\(path) belongs to another user. Set MSAL_STORE_DIR.")
        }
        try PermissionRepair.apply(to: status, at: path, mode: 0o700)
    }

    deinit { close(descriptor) }

    /// Makes the file names in a directory survive a power failure, if the file system supports that.
    static func synchronize(_ path: String) {
        let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// Deletes a regular file of this user. Links and files of other users stay.
    ///
    /// - Returns: Whether no file of this name is left.
    func removeFile(_ name: String) -> Bool { Self.removeFile(name, in: descriptor) }

    /// Deletes a folder of this user, with the files in it whose names satisfy `isOwn`. Never follows a link. A folder
    /// that contains anything else stays, with those other files.
    ///
    /// - Returns: Whether no folder of this name is left.
    func removeFolder(_ name: String, where isOwn: (String) -> Bool) -> Bool {
        let folder = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else { return errno == ENOENT }
        defer { close(folder) }
        var status = stat()
        guard fstat(folder, &status) == 0, status.st_uid == geteuid() else { return false }
        // A folder that cannot be listed cannot be emptied either, so the last step fails.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path + "/" + name)) ?? []
        for name in names where isOwn(name) { _ = Self.removeFile(name, in: folder) }
        return unlinkat(descriptor, name, AT_REMOVEDIR) == 0 || errno == ENOENT
    }

    private static func removeFile(_ name: String, in directory: Int32) -> Bool {
        var status = stat()
        guard fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return errno == ENOENT }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else { return false }
        return unlinkat(directory, name, 0) == 0 || errno == ENOENT
    }
}

/// Walks from `/` to a directory.
private struct StorePathWalk {
    let path: String
    let creating: Bool

    /// `O_PATH`, which Swift's Glibc does not define: a descriptor to traverse a directory that may not be readable.
    private static let pathOnly: Int32 = 0o10_000_000

    /// Returns an open descriptor of the last component; `nil` if one is missing and must not be created.
    func run() throws(StoreError) -> Int32? {
        var here = Component(descriptor: Glibc.open("/", Self.pathOnly | O_DIRECTORY | O_CLOEXEC), path: "")
        var names = path.split(separator: "/").map(String.init)
        var links = 0
        while !names.isEmpty {
            let name = names.removeFirst()
            guard try isSafe(here) else { return nil }
            guard let next = try step(into: name, of: here, isLast: names.isEmpty) else { return nil }
            if let target = try linkTarget(of: next, isLast: names.isEmpty) {
                links += 1
                guard links <= 40 else { throw refusal("\(next.path) is part of a loop of links.") }
                names = target.split(separator: "/").map(String.init) + names
                if target.hasPrefix("/") {
                    here = Component(descriptor: Glibc.open("/", Self.pathOnly | O_DIRECTORY | O_CLOEXEC), path: "")
                }
            } else {
                here = next
            }
        }
        let last = openat(here.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard last >= 0 else { throw StoreFile.failure(.unreadable, to: "open", at: path, code: errno) }
        return last
    }

    /// A directory or link on the path, opened without requiring read permission.
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
            let descriptor = openat(here.descriptor, name, Self.pathOnly | O_NOFOLLOW | O_CLOEXEC)
            if descriptor >= 0 { return Component(descriptor: descriptor, path: path) }
            guard errno == ENOENT || errno == ENOTDIR else {
                throw StoreFile.failure(.unreadable, to: "open", at: path, code: errno)
            }
            guard creating else { return nil }
            if mkdirat(here.descriptor, name, 0o700) != 0 {
                // Another process may have created the directory first.
                guard errno == EEXIST else { throw StoreFile.failure(.unwritable, to: "create", at: path, code: errno) }
            } else if fchmodat(here.descriptor, name, 0o700, 0) != 0 {
                // The umask may have removed permissions that we need.
                throw StoreFile.failure(.unwritable, to: "protect", at: path, code: errno)
            }
        }
        throw StoreFile.failure(.unwritable, to: "create", at: path, code: ENOENT)
    }

    /// Checks that only this user and root can replace the entries of a directory on the path.
    ///
    /// - Returns: `false` if it is not a directory and nothing must be created.
    private func isSafe(_ component: Component) throws(StoreError) -> Bool {
        let path = component.path.isEmpty ? "/" : component.path
        var status = stat()
        guard component.descriptor >= 0, fstat(component.descriptor, &status) == 0 else {
            throw StoreFile.failure(.unreadable, to: "inspect", at: path, code: errno)
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            guard creating else { return false }
            throw StoreFile.failure(.unwritable, to: "open", at: path, code: ENOTDIR)
        }
        // In a directory with the sticky bit, only owners may replace entries.
        let isClosed = status.st_mode & 0o002 == 0 || status.st_mode & 0o1000 != 0
        guard isClosed, FileOwner.isTrusted(status.st_uid) else {
            throw refusal("\(path), which leads to the token store, can be changed by other users.")
        }
        return true
    }

    /// The target of a link on the path; `nil` for a directory.
    private func linkTarget(of component: Component, isLast: Bool) throws(StoreError) -> String? {
        var status = stat()
        guard fstat(component.descriptor, &status) == 0 else {
            throw StoreFile.failure(.unreadable, to: "inspect", at: component.path, code: errno)
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
