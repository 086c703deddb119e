// Licensed under the MIT License. See LICENSE.

import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// An HTTP/1.1 connection with timeouts, which is closed when the listener stops.
struct LimitedChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let times: ConnectionTimes
    let connections: ServerConnections

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        connections.add(channel)
        return base.setup(channel: channel, logger: logger).flatMapThrowing { value in
            // Inserts both handlers between the decoder and the handler that translates its parts for Hummingbird.
            let decoder = try channel.pipeline.syncOperations.handler(
                type: ByteToMessageHandler<HTTPRequestDecoder>.self
            )
            try channel.pipeline.syncOperations.addHandler(ConnectionTimer(times), position: .after(decoder))
            try channel.pipeline.syncOperations.addHandler(OldRequests(), position: .after(decoder))
            return value
        }
    }

    func handle(value: Base.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }
}
