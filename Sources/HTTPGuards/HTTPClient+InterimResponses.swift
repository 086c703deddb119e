// Licensed under the MIT License. See LICENSE.

package import AsyncHTTPClient
import NIOCore
import NIOHTTP1

extension HTTPClient.Configuration {
    /// A copy of the configuration that adds ``InterimResponses`` to each connection. HTTP/2 does not need it: the
    /// client handles interim responses there.
    package var leavingOutInterimResponses: Self {
        var copy = self
        // The client calls this for each HTTP/1.1 connection once TLS is ready.
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
