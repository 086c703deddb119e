// Licensed under the MIT License. See LICENSE.

import Foundation

/// The number of files and connections that the process may have open.
enum OpenFiles {
    /// Takes what the system grants at most. The number that a shell hands down, often 1,024, is one for programs that
    /// wait with `select`.
    static func takeAll() {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        #if canImport(Darwin)
            // The system names no bound here, but grants no more than this.
            limit.rlim_max = min(limit.rlim_max, rlim_t(OPEN_MAX))
        #endif
        limit.rlim_cur = limit.rlim_max
        // If this fails, the emulator has fewer connections at a time.
        setrlimit(resource, &limit)
    }

    #if canImport(Glibc)
        private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
        private static let resource = RLIMIT_NOFILE
    #endif
}
