// Licensed under the MIT License. See LICENSE.

import Glibc

/// The coarse kernel clock, which advances every one to ten milliseconds. Reading it needs no system call.
enum KernelTick {
    /// The time of the current tick in nanoseconds since an arbitrary start. It never goes back.
    @Sendable static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
