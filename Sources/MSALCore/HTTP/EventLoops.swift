// Licensed under the MIT License. See LICENSE.

import MSALBase
import NIOCore
package import NIOPosix
import UserFiles

/// The event loops that the whole process shares.
package enum EventLoops {
    /// The event loops.
    ///
    /// - Throws: As ``prepare()``.
    package static func shared() throws(TransportError) -> MultiThreadedEventLoopGroup {
        try prepare()
        return .singleton
    }

    /// Makes sure that the event loops can be made. NIO ends the process if it cannot open their files.
    ///
    /// - Throws: `.cannotConnect` if this process may open too few files. The message names the limit.
    static func prepare() throws(TransportError) {
        guard !areMade.isSet else { return }
        // Each loop takes three: epoll, an event and a timer. The request itself needs a few more, for a socket, for the
        // lookup of a name and for certificates.
        guard OpenFileLimit.leaves(3 * NIOSingletons.groupLoopCountSuggestion + 8) else {
            throw TransportError(.cannotConnect, message: "No connection can be opened. \(OpenFileLimit.remedy)")
        }
        _ = MultiThreadedEventLoopGroup.singleton
        areMade.set()
    }

    private static let areMade = AtomicFlag()
}
