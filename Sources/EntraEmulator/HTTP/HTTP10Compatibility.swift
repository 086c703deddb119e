// Licensed under the MIT License. See LICENSE.

import NIOCore
import NIOHTTP1

/// Accepts HTTP/1.0 requests, which need no `Host` (RFC 9112 §3.2): an empty one is added, and the connection ends with
/// the response unless the client requests to keep it alive (RFC 9112 §9.3).
final class HTTP10Compatibility: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// Whether the client has requested to keep the connection, so that the response has to agree.
    private var keepsAlive = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        keepsAlive = head.version == .http1_0 && head.isKeepAlive
        guard head.version == .http1_0 else { return context.fireChannelRead(data) }
        if !head.headers.contains(name: "Host") { head.headers.add(name: "Host", value: "") }
        if !head.isKeepAlive { head.headers.replaceOrAdd(name: "Connection", value: "close") }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard keepsAlive, case .head(var head) = unwrapOutboundIn(data), head.headers["Connection"].isEmpty else {
            return context.write(data, promise: promise)
        }
        head.headers.add(name: "Connection", value: "keep-alive")
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }
}
