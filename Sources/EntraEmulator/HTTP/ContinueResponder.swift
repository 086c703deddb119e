// Licensed under the MIT License. See LICENSE.

import NIOCore
import NIOHTTP1

/// Tells a client that sends `Expect: 100-continue` to send its body (RFC 9110 §10.1.1).
///
/// A body that is announced as too long gets no such response, because the request is refused without it.
final class ContinueResponder: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// The requests without a complete response. A response to an earlier one must not be interrupted.
    private var unansweredRequests = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data) {
            let length = head.headers.first(name: "Content-Length").flatMap { Int($0) } ?? 0
            let expects = head.headers[canonicalForm: "Expect"].contains { $0.lowercased() == "100-continue" }
            if expects, head.version == .http1_1, unansweredRequests == 0, length <= Exchange.bodyLimit {
                let part = HTTPServerResponsePart.head(.init(version: .http1_1, status: .continue))
                context.writeAndFlush(wrapOutboundOut(part), promise: nil)
            }
            unansweredRequests += 1
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { unansweredRequests -= 1 }
        context.write(data, promise: promise)
    }
}
