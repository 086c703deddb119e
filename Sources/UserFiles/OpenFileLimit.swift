// Licensed under the MIT License. See LICENSE.

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The limit for the number of files and sockets that this process can have open (getrlimit(2), RLIMIT_NOFILE).
public enum OpenFileLimit {
    /// Whether a system call failed because of this limit, or because of the limit for the whole system.
    public static func isReached(by code: Int32) -> Bool { code == EMFILE || code == ENFILE }

    /// Whether `count` more files can be opened now.
    public static func leaves(_ count: Int) -> Bool {
        var opened: [Int32] = []
        defer { for descriptor in opened { close(descriptor) } }
        while opened.count < count {
            let descriptor = open("/", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return !isReached(by: errno) }
            opened.append(descriptor)
        }
        return true
    }

    /// The cause and the remedy, in sentences.
    public static var remedy: String {
        var limit = rlimit()
        #if canImport(Glibc)
            let isKnown = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
        #else
            let isKnown = getrlimit(RLIMIT_NOFILE, &limit) == 0
        #endif
        let number = isKnown ? "\(limit.rlim_cur)" : "too few"
        return
            "This process may have \(number) files and sockets open at a time, and too few are left. Raise the "
            + "limit, for instance with: ulimit -n 1024"
    }
}
