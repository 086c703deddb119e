// Licensed under the MIT License. See LICENSE.

import Foundation

/// The number of files and connections that the process may have open.
enum OpenFiles {
    /// The number of files that this process needs before its first connection. The threads of the event loops end the
    /// process if they cannot open their files.
    static let least = rlim_t(48 + 4 * ProcessInfo.processInfo.activeProcessorCount)

    /// The advice for a user whose system does not grant ``least``; `nil` if the system grants it.
    static func remedy() -> String? {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < least else { return nil }
        let granted = limit.rlim_max
        limit.rlim_cur = min(granted, least)
        if granted >= least, setrlimit(resource, &limit) == 0 { return nil }
        return "this process may have \(granted) files and sockets open at a time, and needs \(least). "
            + "Raise the limit, for instance with: ulimit -n 1024"
    }

    /// Raises the limit to the maximum that the system grants. The limit that a shell passes on, often 1,024, is meant
    /// for programs that use `select`.
    static func takeAll() {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        #if canImport(Darwin)
            // The system reports no limit here, but grants no more than this.
            limit.rlim_max = min(limit.rlim_max, rlim_t(OPEN_MAX))
        #endif
        limit.rlim_cur = limit.rlim_max
        // If this fails, the emulator supports fewer simultaneous connections.
        setrlimit(resource, &limit)
    }

    #if canImport(Glibc)
        private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
        private static let resource = RLIMIT_NOFILE
    #endif
}
