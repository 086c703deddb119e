// Licensed under the MIT License. See LICENSE.

import Foundation
import Glibc
import MSALBase

/// The directory and the file of a group's token store.
package struct StoreLocation: Sendable, Hashable {
    /// `…/msal/<group>`, absolute.
    package let directory: String
    /// `…/msal/<group>/tokens.db`
    package let file: String
    /// The kind of file system that a test assumes; `nil` to determine it.
    package var assumedFileSystem: FileSystemKind?

    static let fileName = "tokens.db"

    /// The last part of the directory: the group, escaped.
    package var group: String { directory.split(separator: "/").last.map(String.init) ?? "" }

    /// The group name, as `--group` accepts it.
    var groupName: String { group.removingPercentEncoding ?? group }

    /// Finds the directory of a group: `msal/<group>` in `$MSAL_STORE_DIR`, else in `$XDG_STATE_HOME`, else in
    /// `~/.local/state`.
    ///
    /// `group`: 1 to 128 characters; all characters except letters, digits, `.`, `_`, and `-` are percent-encoded.
    /// Throws `.invalidLocation` if the path would not be absolute, `.noHome` if no base directory is known, and
    /// `.insecure` if the process is setuid or `HOME` belongs to another user.
    package init(group: String, environment: [String: String]) throws(StoreError) {
        directory = try Self.root(environment) + "/" + (try Self.directoryName(of: group))
        file = directory + "/" + Self.fileName
    }

    /// The parent directory of the groups' directories. No group's directory begins with a dot.
    ///
    /// Throws `.invalidLocation`, `.noHome`, and `.insecure` like ``init(group:environment:)``.
    package static func root(_ environment: [String: String]) throws(StoreError) -> String {
        // A setuid program must not write token files at a path that its caller chose (docs/reference/Store.md#setuid).
        guard geteuid() == getuid() else {
            throw StoreError(
                .insecure,
                message: "The process runs with another user's rights (setuid); no token store is used."
            )
        }
        return try base(environment) + "/msal"
    }

    private static func base(_ environment: [String: String]) throws(StoreError) -> String {
        if let path = environment["MSAL_STORE_DIR"], !path.isEmpty {
            guard path.hasPrefix("/") else {
                throw StoreError(.invalidLocation, message: "MSAL_STORE_DIR must be an absolute path, not \"\(path)\".")
            }
            return path.trimmingTrailingSlashes
        }
        // The XDG specification requires that relative paths be ignored.
        if let path = environment["XDG_STATE_HOME"], path.hasPrefix("/") { return path.trimmingTrailingSlashes }
        return try home(environment).trimmingTrailingSlashes + "/.local/state"
    }

    private static func home(_ environment: [String: String]) throws(StoreError) -> String {
        let registered = registeredHome()
        guard let path = environment["HOME"], path.hasPrefix("/") else {
            if let registered { return registered }
            throw StoreError(
                .noHome,
                message: "There is no home directory for the token store. Set HOME, XDG_STATE_HOME or MSAL_STORE_DIR."
            )
        }
        // sudo keeps HOME: root must not leave files in it that their owner cannot change.
        var status = stat()
        guard path == registered || (stat(path, &status) == 0 && status.st_uid == geteuid()) else {
            throw StoreError(
                .insecure,
                message: "HOME (\(path)) is not the directory of the user this process runs as. Set MSAL_STORE_DIR."
            )
        }
        return path
    }

    /// The home directory of the effective user in the user database.
    private static func registeredHome() -> String? {
        var entry = passwd()
        var result: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16_384)
        guard getpwuid_r(geteuid(), &entry, &buffer, buffer.count, &result) == 0, result != nil,
            let directory = entry.pw_dir
        else { return nil }
        let path = String(cString: directory)
        return path.hasPrefix("/") ? path : nil
    }

    private static func directoryName(of group: String) throws(StoreError) -> String {
        var name = ""
        for byte in group.utf8 {
            switch byte {
            case _ where byte.isASCIILetterOrDigit || "_-".utf8.contains(byte):
                name.unicodeScalars.append(UnicodeScalar(byte))
            case UInt8(ascii: ".") where !name.isEmpty: name += "."
            default: name += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        guard !group.isEmpty, group.count <= 128, name.utf8.count <= 255 else {
            throw StoreError(.invalidLocation, message: "The sharing group must have 1 to 128 characters.")
        }
        return name
    }
}

extension String {
    fileprivate var trimmingTrailingSlashes: String {
        var text = self
        while text.count > 1, text.hasSuffix("/") { text.removeLast() }
        return text
    }
}

/// Marks a store as in use by this process: a shared lock on `<group>/.users`, held while the store is open.
///
/// If a write-ahead log exists while no process holds this lock, the last process did not exit cleanly.
struct StorePresence: ~Copyable, Sendable {
    private var descriptor: Int32?

    init() {}

    /// Marks the store as in use.
    ///
    /// - Returns: Whether no other process used the store at that moment. Also `false` if the lock cannot be acquired,
    ///   for instance in a read-only directory, where nothing can be repaired either.
    mutating func begin(at location: StoreLocation) -> Bool {
        guard descriptor == nil else { return false }
        let opened = PrivateFile.create(location.directory + "/.users", flags: O_RDWR)
        guard opened >= 0 else { return false }
        descriptor = opened
        let isAlone = flock(opened, LOCK_EX | LOCK_NB) == 0
        // This fails only while another process does the same. Then neither of the two is the only user.
        _ = flock(opened, LOCK_SH | LOCK_NB)
        return isAlone
    }

    deinit { if let descriptor { close(descriptor) } }
}
