// Licensed under the MIT License. See LICENSE.

package import NIOCore
package import NIOHTTP1

/// Answers a request whose header fields are larger than the server takes with 431 and a page (RFC 6585 §5).
///
/// It belongs directly behind the decoder. What the client still sends is dropped for a moment, because a browser whose
/// connection is reset shows an error of its own instead of the page.
package final class OversizedHeads: ChannelDuplexHandler {
    package typealias InboundIn = HTTPServerRequestPart
    package typealias InboundOut = HTTPServerRequestPart
    package typealias OutboundIn = HTTPServerResponsePart
    package typealias OutboundOut = HTTPServerResponsePart

    /// The limits of a server that browsers visit. A browser sends up to 180 cookies of 4 KiB in one field (RFC 6265
    /// §6.1); NIO takes 80 KiB.
    package static var limits: NIOHTTPDecoderLimitConfiguration {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = 1 << 20
        limits.maxHeaderListSize = 1 << 20
        return limits
    }

    /// The time without data from the client after which the connection closes, and the longest time that it stays open.
    package static let farewell = TimeAmount.seconds(2)
    private static let patience = TimeAmount.seconds(30)

    private let page: String
    private let headers: [(String, String)]
    /// Requests that were passed on, and whose response is not complete.
    private var unansweredRequests = 0
    /// When the connection closes at the latest; `nil` before the refusal.
    private var deadline: NIODeadline?
    private var end: Scheduled<Void>?

    /// - Parameters:
    ///   - page: The body of the response, in HTML.
    ///   - headers: The header fields of the response, without `Content-Length` and `Connection`.
    package init(page: String, headers: [(String, String)]) {
        self.page = page
        self.headers = headers
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head = unwrapInboundIn(data) { unansweredRequests += 1 }
        context.fireChannelRead(data)
    }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { unansweredRequests -= 1 }
        context.write(data, promise: promise)
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let deadline { return close(context.channel, by: deadline) }  // The decoder reports each further part.
        guard case .headerOverflow? = error as? HTTPParserError, unansweredRequests == 0 else {
            return context.fireErrorCaught(error)
        }
        let deadline = context.eventLoop.now + Self.patience
        self.deadline = deadline
        let body = ByteBuffer(string: page)
        var head = HTTPResponseHead(version: .http1_1, status: .requestHeaderFieldsTooLarge)
        head.headers = HTTPHeaders(headers)
        head.headers.replaceOrAdd(name: "Content-Length", value: "\(body.readableBytes)")
        head.headers.replaceOrAdd(name: "Connection", value: "close")
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.close(mode: .output, promise: nil)
        close(context.channel, by: deadline)
    }

    package func channelInactive(context: ChannelHandlerContext) {
        end?.cancel()
        context.fireChannelInactive()
    }

    private func close(_ channel: any Channel, by deadline: NIODeadline) {
        end?.cancel()
        let time = min(channel.eventLoop.now + Self.farewell, deadline)
        end = channel.eventLoop.scheduleTask(deadline: time) { channel.close(promise: nil) }
    }
}
