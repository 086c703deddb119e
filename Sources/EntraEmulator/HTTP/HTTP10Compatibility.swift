// Licensed under the MIT License. See LICENSE.

import NIOCore
import NIOHTTP1

/// Accepts HTTP/1.0 requests, which need no `Host` (RFC 9112 §3.2): an empty one is added, and the connection ends with
/// the response unless the client requests to keep it alive (RFC 9112 §9.3).
final class HTTP10Compatibility: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data), head.version == .http1_0 else {
            return context.fireChannelRead(data)
        }
        if !head.headers.contains(name: "Host") { head.headers.add(name: "Host", value: "") }
        if !head.isKeepAlive { head.headers.replaceOrAdd(name: "Connection", value: "close") }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }
}
