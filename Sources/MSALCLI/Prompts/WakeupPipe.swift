// Licensed under the MIT License. See LICENSE.

import Foundation

/// A pipe that ends a wait for input.
final class WakeupPipe: Sendable {
    /// The end of the pipe that a wait watches beside the input. It can be read after a call of `signal()`.
    let descriptor: Int32
    private let writer: Int32

    init() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw CancellationError() }  // No descriptor is left: nothing can be asked.
        // Programs that are started meanwhile must not inherit the pipe.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        descriptor = ends[0]
        writer = ends[1]
    }

    deinit {
        close(descriptor)
        close(writer)
    }

    func signal() {
        var byte: UInt8 = 0
        _ = write(writer, &byte, 1)
    }
}
