// Licensed under the MIT License. See LICENSE.

import NIOCore
import Synchronization

/// The connections of one listener: so many at a time, each for so long, and none longer than the listener.
final class OpenConnections: Sendable {
    private struct State {
        /// The oldest first.
        var channels: [any Channel] = []
        var isClosed = false
    }

    private let limit: Int
    private let lifetime: TimeAmount
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: How many may be open. One more closes the oldest: a browser is done with its own in a moment, so
    ///     that who holds connections open keeps nobody out.
    ///   - lifetime: How long each may take for its request and the answer.
    init(limit: Int, lifetime: TimeAmount) {
        self.limit = limit
        self.lifetime = lifetime
    }

    /// Takes a new connection in.
    func admit(_ channel: any Channel) {
        let surplus = state.withLock { state -> (any Channel)? in
            guard !state.isClosed else { return channel }
            state.channels.append(channel)
            return state.channels.count > limit ? state.channels.removeFirst() : nil
        }
        surplus?.close(promise: nil)
        let end = channel.eventLoop.scheduleTask(in: lifetime) { channel.close(promise: nil) }
        channel.closeFuture.whenComplete { _ in
            end.cancel()
            self.state.withLock { $0.channels.removeAll { $0 === channel } }
        }
    }

    /// Closes all of them, and each that still comes.
    func close() async {
        let channels = state.withLock { state in
            state.isClosed = true
            return state.channels
        }
        for channel in channels {
            try? await channel.close()  // It may be closed already, which is what is wanted.
        }
    }
}
