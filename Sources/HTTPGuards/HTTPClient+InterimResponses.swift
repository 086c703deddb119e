// Licensed under the MIT License. See LICENSE.

package import AsyncHTTPClient
import NIOCore
import NIOHTTP1

extension HTTPClient.Configuration {
    /// The same settings, with ``InterimResponses`` on each connection. HTTP/2 needs nothing: there the client understands
    /// interim responses.
    package var leavingOutInterimResponses: Self {
        var copy = self
        // The client calls this for each connection of HTTP/1.1 once TLS is ready.
        copy.http1_1ConnectionDebugInitializer = { channel in
            channel.eventLoop.makeCompletedFuture {
                let pipeline = channel.pipeline.syncOperations
                let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
                try pipeline.addHandler(InterimResponses(), position: .before(decoder))
            }
        }
        return copy
    }
}
