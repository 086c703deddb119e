// Licensed under the MIT License. See LICENSE.

import NIOCore
import Synchronization

/// The connections of one listener. Their number and lifetimes are limited, and none outlives the listener.
final class OpenConnections: Sendable {
    private struct State {
        /// The oldest is first.
        var channels: [any Channel] = []
        var isClosed = false
    }

    private let limit: Int
    private let lifetime: TimeAmount
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: The maximum number of open connections. One more closes the oldest. A browser needs its connection
    ///     only briefly, so a client that holds connections open does not lock others out.
    ///   - lifetime: The time that each has for its request and the response.
    init(limit: Int, lifetime: TimeAmount) {
        self.limit = limit
        self.lifetime = lifetime
    }

    /// Adds a new connection.
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

    /// Closes all connections, and each later one immediately.
    func close() async {
        let channels = state.withLock { state in
            state.isClosed = true
            return state.channels
        }
        for channel in channels {
            try? await channel.close()  // Closing fails only if the channel is already closed.
        }
    }
}
