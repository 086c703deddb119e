// Licensed under the MIT License. See LICENSE.

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A reason that a file cannot be used.
public enum FileFault: Error, Sendable, Hashable {
    case missing
    case forbidden
    /// The path names a folder or a device, or a pipe where the caller takes none.
    case notRegular
    case link
    /// The file belongs to another user than this one and root, or other users may use it.
    case notPrivate
    /// The file belongs to another user than this one and root, or other users may write it.
    case unguarded
    case tooLarge(limit: Int)
    /// A pipe did not come to its end in time.
    case late
    case notText
    /// The process may open no more files.
    case openFileLimit
    /// The system call failed for another reason, with this number.
    case system(Int32)

    /// The reason behind a failed system call.
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

    /// The reason in words that follow the path of the file.
    public var reason: String {
        switch self {
        case .missing: "does not exist"
        case .forbidden: "may not be read by this user"
        case .notRegular: "is no regular file"
        case .link: "is a link"
        case .notPrivate: "belongs to another user or is open to others"
        case .unguarded: "belongs to another user, or others may write it"
        case .tooLarge(let limit): "is larger than \(limit) bytes"
        case .late: "is a pipe that gave nothing more and did not end"
        case .notText: "is no text in UTF-8"
        case .openFileLimit: "cannot be opened. \(OpenFileLimit.remedy)"
        case .system(let code): "cannot be read: \(String(cString: strerror(code)))"
        }
    }
}
