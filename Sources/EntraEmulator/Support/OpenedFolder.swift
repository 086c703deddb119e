// Licensed under the MIT License. See LICENSE.

import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Calls on a folder that differ between systems. They do not use its name twice, because the name may mean another
/// folder a moment later.
enum OpenedFolder {
    /// The owner of an open folder and its mode, with the sticky bit.
    static func owner(of descriptor: CInt) -> (user: uid_t, mode: Int)? {
        #if canImport(Darwin)
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { return nil }
            return (status.st_uid, Int(status.st_mode & 0o7777))
        #else
            // Uses Foundation, because the module of `struct stat` differs from build to build.
            let attributes = try? FileManager.default.attributesOfItem(atPath: "/proc/self/fd/\(descriptor)/.")
            guard let owner = attributes?[.ownerAccountID] as? Int, let mode = attributes?[.posixPermissions] as? Int,
                let user = uid_t(exactly: owner)
            else { return nil }
            return (user, mode)
        #endif
    }

    /// Gives a folder that was just made the mode 0700. Its owner may have no rights yet, so that it cannot be read. A
    /// link of that name is not followed. Returns whether this was possible; `errno` has the reason if not.
    static func closeToOthers(_ path: String) -> Bool {
        #if canImport(Darwin)
            return fchmodat(AT_FDCWD, path, 0o700, AT_SYMLINK_NOFOLLOW) == 0
        #else
            // The number is `O_PATH`, which Swift leaves out. This kind of descriptor needs no right to read.
            let descriptor = open(path, 0o10_000_000 | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            defer { if descriptor >= 0 { close(descriptor) } }
            return descriptor >= 0 && chmod("/proc/self/fd/\(descriptor)", 0o700) == 0
        #endif
    }
}
