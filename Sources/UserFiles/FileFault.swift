// Licensed under the MIT License. See LICENSE.

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A reason why a file cannot be used.
public enum FileFault: Error, Sendable, Hashable {
    case missing
    case forbidden
    /// The path names a folder or a device, or a pipe if the caller does not accept one.
    case notRegular
    case link
    /// The file belongs to a user other than this one and root, or other users can access it.
    case notPrivate
    /// The file belongs to a user other than this one and root, or other users can write it.
    case unguarded
    case tooLarge(limit: Int)
    /// A pipe did not end in time.
    case late
    case notText
    /// The process cannot open any more files.
    case openFileLimit
    /// The system call failed for another reason, with this errno.
    case system(Int32)

    /// The reason for a failed system call.
    public init(code: Int32) {
        self =
            switch code {
            case ENOENT, ENOTDIR: .missing
            case EACCES, EPERM: .forbidden
            case ELOOP: .link
            case EISDIR, ENXIO: .notRegular
            case EMFILE, ENFILE: .openFileLimit
            default: .system(code)
            }
    }

    /// The reason as text that follows the path of the file.
    public var reason: String {
        switch self {
        case .missing: "does not exist"
        case .forbidden: "cannot be read by this user"
        case .notRegular: "is not a regular file"
        case .link: "is a link"
        case .notPrivate: "belongs to another user or is accessible to others"
        case .unguarded: "belongs to another user, or is writable by others"
        case .tooLarge(let limit): "is larger than \(limit) bytes"
        case .late: "is a pipe that sent no more data and did not end"
        case .notText: "is not UTF-8 text"
        case .openFileLimit: "cannot be opened. \(OpenFileLimit.remedy)"
        case .system(let code): "cannot be read: \(String(cString: strerror(code)))"
        }
    }
}
