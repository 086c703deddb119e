// Licensed under the MIT License. See LICENSE.

import Glibc

/// The clock that the kernel moves with its timer, every one to ten milliseconds. To read it takes no system call.
enum KernelTick {
    /// The time of the present tick, in nanoseconds since some moment; it never goes back.
    @Sendable static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
