// Licensed under the MIT License. See LICENSE.

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file that a user names: a setting, a secret, a certificate, or a document.
///
/// Such a name may lead to a pipe without a writer, an endless device, or a file of another user. Therefore, the
/// library and its command read such files only here, with limits.
public struct UserFile: Sendable {
    /// The path of the file, as the user entered it.
    public let path: String
    /// The maximum size of the file, in bytes.
    public let limit: Int
    /// The time in which a pipe must deliver all its content. `nil` rejects pipes, which is right where a shell's
    /// `<(…)` is not expected.
    public var pipeTimeout: Duration?
    /// The maximum number of bytes from a pipe, if that is less than ``limit``. The length of a pipe is not known in
    /// advance: an endless one takes memory up to this limit, while a file that is too large takes none.
    public var pipeLimit: Int?
    /// Whether the file must belong to this user or to root and be inaccessible to others.
    public var isPrivate = false
    /// Whether the file must belong to this user or to root and not be writable by others.
    public var isGuarded = false
    /// Whether the last component of the path may be a link.
    public var followsLinks = true

    /// Creates a description of a file. Nothing is read yet.
    public init(_ path: String, limit: Int, pipeTimeout: Duration? = nil) {
        self.path = path
        self.limit = limit
        self.pipeTimeout = pipeTimeout
    }

    /// Reads the whole file.
    ///
    /// The array is the only copy of the bytes if `limit` is at most 64 KiB, so that a caller can wipe them.
    ///
    /// - Parameter folder: The descriptor of the folder in which to resolve a relative path; `nil` for the current one.
    /// - Returns: The content.
    /// - Throws: The reason why the file cannot be used. Name another file, or fix this one.
    public func bytes(in folder: Int32? = nil) throws(FileFault) -> [UInt8] {
        // A pipe without a writer must not block the program, and a terminal must not become its controlling terminal.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (followsLinks ? 0 : O_NOFOLLOW)
        let descriptor = openat(folder ?? AT_FDCWD, path, flags)
        guard descriptor >= 0 else { throw FileFault(code: errno) }
        defer { close(descriptor) }
        let most = try check(descriptor)
        return try Self.bytes(from: descriptor, limit: most, until: pipeTimeout.map { ContinuousClock.now + $0 })
    }

    /// Reads the whole file as UTF-8.
    ///
    /// - Throws: The same errors as ``bytes(in:)``, and ``FileFault/notText``.
    public func text() throws(FileFault) -> String {
        guard let text = String(validating: try bytes(), as: UTF8.self) else { throw .notText }
        return text
    }

    /// Reads standard input to its end, without a time limit: the user sees that the program waits.
    ///
    /// - Parameters:
    ///   - limit: The maximum size of a file that a shell redirects with `<`, in bytes.
    ///   - pipeLimit: The maximum number of bytes from anything else, if that is less.
    /// - Returns: The content.
    /// - Throws: ``FileFault/tooLarge(limit:)`` above the limit; ``FileFault/notRegular`` for a device such as
    ///   `/dev/zero`; or the system's failure.
    public static func standardInput(limit: Int, pipeLimit: Int? = nil) throws(FileFault) -> [UInt8] {
        var status = stat()
        guard fstat(STDIN_FILENO, &status) == 0 else { throw FileFault(code: errno) }
        var most = min(pipeLimit ?? limit, limit)
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            guard status.st_size <= off_t(limit) else { throw .tooLarge(limit: limit) }
            most = limit
        case S_IFCHR:
            // The standard input of a program without a terminal is /dev/null.
            guard isatty(STDIN_FILENO) == 1 || isEmptyDevice(status) else { throw .notRegular }
        default: break
        }
        return try bytes(from: STDIN_FILENO, limit: most, until: nil)
    }

    private static func isEmptyDevice(_ status: stat) -> Bool {
        var empty = stat()
        return stat("/dev/null", &empty) == 0 && empty.st_rdev == status.st_rdev
    }

    /// Reads a pipe that another program writes to, until its end.
    ///
    /// - Throws: ``FileFault/late`` if the end does not come within `timeout`; ``FileFault/tooLarge(limit:)`` above
    ///   `limit` bytes; or the system's failure.
    package static func pipe(_ descriptor: Int32, limit: Int, timeout: Duration) throws(FileFault) -> [UInt8] {
        try bytes(from: descriptor, limit: limit, until: .now + timeout)
    }

    /// - Returns: The maximum size for this type of file, in bytes.
    private func check(_ descriptor: Int32) throws(FileFault) -> Int {
        var status = stat()
        var most = limit
        guard fstat(descriptor, &status) == 0 else { throw FileFault(code: errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            guard status.st_size <= off_t(limit) else { throw .tooLarge(limit: limit) }
        case S_IFIFO where pipeTimeout != nil: most = min(pipeLimit ?? limit, limit)
        default: throw .notRegular
        }
        let isOwn = [geteuid(), 0].contains(status.st_uid)
        guard !isGuarded || isOwn && status.st_mode & 0o022 == 0 else { throw .unguarded }
        guard !isPrivate || isOwn && status.st_mode & 0o077 == 0 else { throw .notPrivate }
        return most
    }

    /// Reads to the end. The file may have grown since it was checked.
    private static func bytes(
        from descriptor: Int32,
        limit: Int,
        until end: ContinuousClock.Instant?
    ) throws(FileFault) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: min(limit, 65_536) + 1)
        var count = 0
        while true {
            guard count <= limit else { throw .tooLarge(limit: limit) }
            if count == bytes.count { bytes += [UInt8](repeating: 0, count: min(count, limit + 1 - count)) }
            if let end { try wait(for: descriptor, until: end) }
            let step = bytes.withUnsafeMutableBytes { buffer in
                read(descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count)
            }
            if step == 0 { break }
            if step > 0 {
                count += step
            } else if errno != EINTR, errno != EAGAIN || end == nil {
                throw FileFault(code: errno)
            }
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    /// Waits until a pipe has bytes or has ended.
    private static func wait(for descriptor: Int32, until end: ContinuousClock.Instant) throws(FileFault) {
        while true {
            let left = ContinuousClock.now.duration(to: end)
            // After the deadline, bytes that have already arrived are still read. Only another wait fails.
            let milliseconds = max(.zero, left) / .milliseconds(1)
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&request, 1, Int32(min(milliseconds.rounded(.up), 1_000_000)))
            if ready > 0 { return }
            if ready < 0, errno != EINTR { throw FileFault(code: errno) }
            guard left > .zero else { throw .late }
        }
    }
}
