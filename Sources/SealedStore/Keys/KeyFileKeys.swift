// Licensed under the MIT License. See LICENSE.

import Foundation
import Glibc
import MSALBase
import UserFiles

/// Keeps the key in a file next to the store that only the user can read (docs/reference/Store.md#key-providers).
///
/// Protects backups and stolen copies of the database, and protects against other users, but not against processes of
/// the same user. The store's first key is in the file `key`; the file name of a replacement includes the key's name.
package struct KeyFileKeys: KeyProvider {
    package init() {}

    package var kind: KeyLocation { .keyFile }

    package func key(_ name: KeyName, keyAccess: KeyAccessOptions) throws(StoreError) -> KeyMaterial? {
        let path = Self.path(name)
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            let code = errno
            if code == ENOENT || code == ENOTDIR { return nil }
            if code == ELOOP {
                throw Self.unavailable("\(path) is a link", remedy: "Remove it if you did not create it.")
            }
            throw Self.unavailable(
                "\(path) cannot be opened (\(Self.text(code)))",
                remedy: OpenFileLimit.isReached(by: code) ? OpenFileLimit.remedy : "Make it readable for its owner."
            )
        }
        defer { close(descriptor) }
        try Self.check(descriptor, path: path)
        return try Self.key(in: descriptor, path: path)
    }

    /// Reads the key from the open file. `path` is used in messages.
    static func key(in descriptor: Int32, path: String) throws(StoreError) -> KeyMaterial {
        var bytes = [UInt8](repeating: 0, count: KeyMaterial.count + 1)
        defer { bytes.wipe() }
        let count = repeating(upTo: bytes.count) { done in
            bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress?.advanced(by: done), $0.count - done) }
        }
        guard let count else { throw unavailable("\(path) cannot be read (\(text(errno)))", remedy: "Check the disk.") }
        guard count == KeyMaterial.count, let key = KeyMaterial(bytes.prefix(KeyMaterial.count)) else {
            throw unavailable(
                "\(path) does not contain 32 bytes",
                remedy:
                    "Restore it from a backup; without it the stored tokens cannot be read."
            )
        }
        return key
    }

    package func keep(_ key: KeyMaterial, as name: KeyName, keyAccess: KeyAccessOptions) throws(StoreError) {
        let path = Self.path(name)
        // The file appears completely or not at all: it is written under a temporary name, synchronized to disk, and
        // then linked to its final name. The link fails if another process was faster; the caller then reads that
        // process's key.
        let draft = path + Self.draftMark + WrappingKey.newID()
        let descriptor = PrivateFile.create(draft, flags: O_EXCL | O_WRONLY)
        guard descriptor >= 0 else {
            let code = errno
            throw Self.unavailable(
                "\(draft) cannot be created (\(Self.text(code)))",
                remedy: OpenFileLimit.isReached(by: code) ? OpenFileLimit.remedy : "Make the directory writable."
            )
        }
        defer {
            close(descriptor)
            unlink(draft)
        }
        let count = key.withBytes { bytes in
            Self.repeating(upTo: bytes.count) {
                write(descriptor, bytes.baseAddress?.advanced(by: $0), bytes.count - $0)
            }
        }
        guard count == KeyMaterial.count, fsync(descriptor) == 0 else {
            throw Self.unavailable("\(draft) cannot be written (\(Self.text(errno)))", remedy: "Free some space.")
        }
        guard link(draft, path) == 0 || errno == EEXIST else {
            throw Self.unavailable(
                "\(path) cannot be created (\(Self.text(errno)))",
                remedy: "Make the directory writable."
            )
        }
        StoreDirectory.synchronize(name.directory)
    }

    package func forget(_ name: KeyName, keyAccess: KeyAccessOptions) throws(StoreError) {
        let path = Self.path(name)
        guard unlink(path) == 0 || errno == ENOENT else {
            throw Self.unavailable("\(path) cannot be removed (\(Self.text(errno)))", remedy: "Remove it manually.")
        }
        StoreDirectory.synchronize(name.directory)
    }

    static func path(_ name: KeyName) -> String {
        name.directory + (name.keyID == KeyName.firstID ? "/key" : "/key." + name.keyID)
    }

    /// Checks that this is a regular file of this user with a single link. Removes other users' permissions, with a
    /// warning.
    private static func check(_ descriptor: Int32, path: String) throws(StoreError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw unavailable("\(path) cannot be inspected", remedy: "Try again.")
        }
        // A process that has linked the file but not yet removed the draft, or that died at this point, leaves a second
        // link: the draft.
        if status.st_nlink == 2 {
            dropDrafts(of: path)
            fstat(descriptor, &status)
        }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1 else {
            throw unavailable(
                "\(path) is not a regular file, or has a second link",
                remedy: "Remove the file or the link that does not belong there."
            )
        }
        guard status.st_uid == geteuid() else {
            throw unavailable("\(path) belongs to another user", remedy: "Make it yours, or set MSAL_STORE_DIR.")
        }
        guard status.st_mode & 0o077 != 0 else { return }
        guard fchmod(descriptor, 0o600) == 0 else {
            throw unavailable("\(path) is open to other users (\(text(errno)))", remedy: "Set its mode to 0600.")
        }
        Log.warning(
            "\(path) was open to other users; its mode is 0600 again. Consider a new key: msal cache rotate-key"
        )
    }

    private static let draftMark = ".new-"

    private static func dropDrafts(of path: String) {
        let file = URL(filePath: path)
        let directory = file.deletingLastPathComponent()
        // If the directory cannot be listed, the key keeps its second link and is refused.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        for name in names where name.hasPrefix(file.lastPathComponent + draftMark) {
            unlink(directory.path + "/" + name)
        }
    }

    /// Repeats a read or write until `count` bytes are transferred or the file ends. Returns the number of bytes; `nil`
    /// on failure, with the reason in `errno`.
    private static func repeating(upTo count: Int, step: (_ done: Int) -> Int) -> Int? {
        var done = 0
        while done < count {
            let more = step(done)
            if more < 0 {
                if errno == EINTR { continue }
                return nil
            }
            guard more > 0 else { break }
            done += more
        }
        return done
    }

    private static func text(_ code: Int32) -> String { String(cString: strerror(code)) }

    private static func unavailable(_ reason: String, remedy: String) -> StoreError {
        KeyLocation.keyFile.unavailable("\(reason). \(remedy)")
    }
}

extension KeyName {
    /// The name of a store's first wrapping key.
    package static let firstID = "1"
}
