// Licensed under the MIT License. See LICENSE.

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The properties of an open file that determine whether a program may use it.
///
/// All code reads them here because the module of `struct stat` varies between builds where Foundation is imported.
package struct OpenFile: Sendable {
    package let owner: UInt32
    /// The permission bits for owner, group, and others.
    package let mode: UInt32
    package let isRegular: Bool

    /// Reads the properties of a descriptor; `nil` if the system returns none, with the reason in `errno`.
    package init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        owner = status.st_uid
        mode = UInt32(status.st_mode & 0o7777)
        isRegular = status.st_mode & S_IFMT == S_IFREG
    }
}
