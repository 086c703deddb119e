// Licensed under the MIT License. See LICENSE.

import Foundation
import Glibc
import MSALBase

/// Removes access that other users have to the store's files (docs/reference/Store.md#permissions).
enum PermissionRepair {
    /// Repairs wrong permission bits and logs a warning. Throws `.insecure` for an access control list that names
    /// others because it was set on purpose.
    ///
    /// `status` describes the file at `path`, which belongs to this user and is not a link; `mode` has the required
    /// permission bits.
    static func apply(to status: stat, at path: String, mode: mode_t) throws(StoreError) {
        guard status.st_mode & 0o077 != 0 else { return }
        guard !AccessList.widensAccess(to: path) else {
            throw StoreError(
                .insecure,
                message: """
                    An access control list gives other users access to \(path). Remove it (setfacl -b), or set \
                    MSAL_STORE_DIR.
                    """
            )
        }
        guard chmod(path, mode) == 0 else { throw StoreFile.failure(.insecure, to: "protect", at: path, code: errno) }
        Log.warning(
            """
            \(path) was open to other users (\(String(status.st_mode & 0o777, radix: 8))); its permissions were set to \
            \(String(mode, radix: 8)).
            """
        )
    }
}

/// The POSIX access control list of a file, as the kernel encodes it.
enum AccessList {
    /// The entry tags of the kernel's `posix_acl_xattr.h`.
    private enum Tag {
        static let user: UInt16 = 0x02
        static let group: UInt16 = 0x08
        static let mask: UInt16 = 0x10
    }

    /// Whether the list gives a named user or group any access to the file.
    ///
    /// Uses Foundation to read the attributes because Swift's Glibc has no `lgetxattr`. Where Foundation returns none,
    /// the caller's `chmod` still closes the file because the group's bits are the mask of such a list.
    static func widensAccess(to path: String) -> Bool {
        // If the attributes cannot be read, the file is treated as one without an access control list.
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let extended = attributes?[FileAttributeKey("NSFileExtendedAttributes")] as? [String: Data]
        guard let list = extended?["system.posix_acl_access"] else { return false }
        return widensAccess(list)
    }

    /// Checks the attribute's bytes: a version of 4 bytes, then 8 bytes for each entry (tag, permissions, ID),
    /// little-endian.
    static func widensAccess(_ bytes: some Collection<UInt8>) -> Bool {
        let bytes = Array(bytes)
        func number(at offset: Int) -> UInt16 { UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8 }
        let entries = stride(from: 4, to: max(4, bytes.count - 7), by: 8).map { (number(at: $0), number(at: $0 + 2)) }
        let mask = entries.first { $0.0 == Tag.mask }?.1 ?? 0o7
        return entries.contains { tag, rights in (tag == Tag.user || tag == Tag.group) && rights & mask != 0 }
    }
}

/// The owners that a file or directory on the path to a store may have.
enum FileOwner {
    /// This user, root, or root as seen from a user namespace (Flatpak, rootless containers), where it is not mapped.
    static func isTrusted(_ owner: uid_t) -> Bool {
        owner == geteuid() || owner == 0 || owner == namelessRoot
    }

    /// The user ID that this namespace shows for unmapped users; `nil` if root is mapped.
    private static let namelessRoot: uid_t? = {
        guard let map = try? String(contentsOfFile: "/proc/self/uid_map", encoding: .utf8) else { return nil }
        let hasRoot = map.split(separator: "\n").contains { line in
            let numbers = line.split(separator: " ").compactMap { UInt32($0) }
            return numbers.count == 3 && numbers[1] == 0
        }
        guard !hasRoot else { return nil }
        let overflow = try? String(contentsOfFile: "/proc/sys/kernel/overflowuid", encoding: .utf8)
        return overflow.flatMap { uid_t($0.trimmingCharacters(in: .whitespacesAndNewlines)) } ?? 65_534
    }()
}
