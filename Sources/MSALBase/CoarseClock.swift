// Licensed under the MIT License. See LICENSE.

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The kernel clock of the last tick, which takes a few nanoseconds to read and is precise enough for a token from
/// memory.
enum CoarseClock {
    /// Seconds since 1970.
    static var seconds: Int64 {
        var time = timespec()
        #if canImport(Darwin)
            clock_gettime(CLOCK_REALTIME, &time)
        #else
            clock_gettime(CLOCK_REALTIME_COARSE, &time)
        #endif
        return Int64(time.tv_sec)
    }
}
