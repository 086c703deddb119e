// Licensed under the MIT License. See LICENSE.

import NIOCore
import Synchronization

/// The connections of one listener. Their number and the lifetime of each are limited, and none outlives the listener.
final class OpenConnections: Sendable {
    private struct State {
        /// The oldest is the first.
        var channels: [any Channel] = []
        var isClosed = false
    }

    private let limit: Int
    private let lifetime: TimeAmount
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: The number that may be open. One more closes the oldest. A browser needs its own for a moment only, so
    ///     a client that holds connections open keeps nobody out.
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

    /// Closes all of them, and each later one at once.
    func close() async {
        let channels = state.withLock { state in
            state.isClosed = true
            return state.channels
        }
        for channel in channels {
            try? await channel.close()  // Closing fails only if the channel is closed already.
        }
    }
}
