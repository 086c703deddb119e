// Licensed under the MIT License. See LICENSE.

import HTTPGuards
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// An HTTP/1.1 connection with timeouts, which is closed when the listener stops.
struct LimitedChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let times: ConnectionTimeouts
    let connections: ServerConnections

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        connections.add(channel)
        return base.setup(channel: channel, logger: logger).flatMapThrowing { value in
            // Puts the handlers between the decoder and the handler that translates its parts for Hummingbird.
            let decoder = try channel.pipeline.syncOperations.handler(
                type: ByteToMessageHandler<HTTPRequestDecoder>.self
            )
            try channel.pipeline.syncOperations.addHandler(ConnectionTimer(times), position: .after(decoder))
            try channel.pipeline.syncOperations.addHandler(HTTP10Compatibility(), position: .after(decoder))
            try channel.pipeline.syncOperations.addHandler(ContinueResponder(), position: .after(decoder))
            let refusal = OversizedHeads(
                page: Self.tooManyCookies,
                headers: [("Content-Type", "text/html; charset=utf-8")]
            )
            try channel.pipeline.syncOperations.addHandler(refusal, position: .after(decoder))
            return value
        }
    }

    func handle(value: Base.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }

    private static var tooManyCookies: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head><meta charset="utf-8"><title>Too many cookies</title></head>
        <body><h1>Too many cookies</h1>
        <p>The browser sent more cookies than the emulator reads. Delete the cookies of this address, and reload this \
        page.</p></body>
        </html>
        """
    }
}
