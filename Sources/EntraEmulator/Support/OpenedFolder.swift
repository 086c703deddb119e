// Licensed under the MIT License. See LICENSE.

import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// System-dependent calls on an open folder.
enum OpenedFolder {
    /// The owner of an open folder and its mode, including the sticky bit.
    static func owner(of descriptor: CInt) -> (user: uid_t, mode: Int)? {
        #if canImport(Darwin)
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { return nil }
            return (status.st_uid, Int(status.st_mode & 0o7777))
        #else
            // Use Foundation, because the module of `struct stat` depends on the build.
            let attributes = try? FileManager.default.attributesOfItem(atPath: "/proc/self/fd/\(descriptor)/.")
            guard let owner = attributes?[.ownerAccountID] as? Int, let mode = attributes?[.posixPermissions] as? Int,
                let user = uid_t(exactly: owner)
            else { return nil }
            return (user, mode)
        #endif
    }

    /// The reason, read directly after ``owner(of:)`` returned `nil`.
    static var fault: String {
        #if !canImport(Darwin)
            // The system's reason would be a missing file, as if it were the folder.
            guard access("/proc/self/fd", F_OK) == 0 else { return "/proc is not mounted" }
        #endif
        return String(cString: strerror(errno))
    }
}
