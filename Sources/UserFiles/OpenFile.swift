// Licensed under the MIT License. See LICENSE.

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The facts of an open file that decide whether a program may use it.
///
/// They are read here alone: which module `struct stat` belongs to differs from build to build where Foundation is imported.
package struct OpenFile: Sendable {
    package let owner: UInt32
    /// The bits for owner, group and others.
    package let mode: UInt32
    package let isRegular: Bool

    /// The facts of a descriptor; `nil` if the system gives none, and `errno` has the reason.
    package init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        owner = status.st_uid
        mode = UInt32(status.st_mode & 0o7777)
        isRegular = status.st_mode & S_IFMT == S_IFREG
    }
}
