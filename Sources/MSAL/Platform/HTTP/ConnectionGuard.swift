// Licensed under the MIT License. See LICENSE.

import NIOCore
import NIOHTTP1

/// Stands between the decoder of a connection and the HTTP client, and lets nothing pass that the client must not see.
///
/// The client of AsyncHTTPClient 1.37 ends the process on a status below 100: it takes its head for an interim one,
/// and traps at the end that follows.
final class ConnectionGuard: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart

    private var isBroken = false

    /// Guards a connection whose pipeline is complete.
    ///
    /// - Throws: `ChannelPipelineError` if the connection has ended meanwhile.
    static func add(to channel: any Channel) throws {
        let pipeline = channel.pipeline.syncOperations
        let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
        try pipeline.addHandler(ConnectionGuard(), position: .after(decoder))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isBroken else { return }
        if case .head(let head) = unwrapInboundIn(data) {
            switch head.status.code {
            case 101, 200...599: break
            case 100...199: return  // RFC 9110 §15.2: a client may ignore interim answers; nothing here uses them.
            default: return refuse(.status(Int(head.status.code)), context)
            }
        }
        context.fireChannelRead(data)
    }

    /// Ends the request with `fault`; the client then closes the connection.
    private func refuse(_ fault: ConnectionFault, _ context: ChannelHandlerContext) {
        isBroken = true
        context.fireErrorCaught(fault)
    }
}

/// Why a connection was given up.
enum ConnectionFault: Error {
    /// The answer's status is not one of HTTP (RFC 9110 §15).
    case status(Int)
}
