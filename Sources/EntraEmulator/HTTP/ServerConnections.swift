// Licensed under the MIT License. See LICENSE.

import NIOCore
import Synchronization

/// The connections of a listener, so that stopping does not wait for clients.
final class ServerConnections: Sendable {
    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var isEnding = false
    }

    private let state = Mutex(State())

    /// Adds a new connection. It is closed immediately if the listener is already stopping.
    func add(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        let isEnding = state.withLock { state in
            state.channels[id] = channel
            return state.isEnding
        }
        channel.closeFuture.whenComplete { _ in self.state.withLock { $0.channels[id] = nil } }
        if isEnding { channel.close(promise: nil) }
    }

    /// Closes the connections that do not end by themselves within this time. Otherwise, a client that keeps its side
    /// open after the last response would keep the connection open indefinitely.
    func end(within time: TimeAmount) {
        let channels = state.withLock { state in
            state.isEnding = true
            return state.channels.values
        }
        for channel in channels { channel.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) } }
    }
}
