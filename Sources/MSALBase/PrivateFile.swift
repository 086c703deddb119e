// Licensed under the MIT License. See LICENSE.

import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Creates files and directories that only this user can access. Sets their modes explicitly because a umask may be too
/// permissive or too strict.
package enum PrivateFile {
    /// Opens a file, creating it with the mode 0600 if it is missing. Never follows a link.
    ///
    /// A relative path is resolved in `directory`, an open descriptor. `flags` are those of open(2).
    ///
    /// - Returns: The descriptor. If it is negative, the call failed, and `errno` has the reason.
    package static func create(_ path: String, in directory: Int32 = AT_FDCWD, flags: Int32) -> Int32 {
        let descriptor = openat(directory, path, flags | O_CREAT | O_NOFOLLOW | O_CLOEXEC, mode_t(0o600))
        guard descriptor >= 0, fchmod(descriptor, 0o600) != 0 else { return descriptor }
        let code = errno
        close(descriptor)
        errno = code
        return -1
    }

    /// Creates a directory with the mode 0700, and missing parent directories.
    ///
    /// - Returns: Whether it was created. If not, `errno` has the reason, also if the directory already existed.
    @discardableResult
    package static func createDirectory(_ path: String) -> Bool {
        if mkdir(path, 0o700) == 0 { return closeToOthers(path) }
        let parent = (path as NSString).deletingLastPathComponent
        guard errno == ENOENT, !parent.isEmpty, parent != path, createDirectory(parent) || errno == EEXIST else {
            return false
        }
        return mkdir(path, 0o700) == 0 && closeToOthers(path)
    }

    /// Sets the mode of a newly created directory to 0700. Does not follow a link that has replaced it.
    private static func closeToOthers(_ path: String) -> Bool {
        #if canImport(Darwin)
            return fchmodat(AT_FDCWD, path, 0o700, AT_SYMLINK_NOFOLLOW) == 0
        #else
            let flags = O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
            let opened = open(path, flags | O_RDONLY)
            // The umask may have removed the read permission. The number is `O_PATH`, which Swift does not define: such
            // a descriptor needs no permission, and its name in /proc is not a link that another process can replace.
            let descriptor = opened >= 0 ? opened : open(path, flags | 0o10_000_000)
            guard descriptor >= 0 else { return false }
            defer { close(descriptor) }
            return opened >= 0 ? fchmod(opened, 0o700) == 0 : chmod("/proc/self/fd/\(descriptor)", 0o700) == 0
        #endif
    }
}
