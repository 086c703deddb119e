// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPGuards
import MSALCore
import NIOCore
import NIOHTTP1

/// A connection to the loopback listener. Collects one request within the limits, responds, and closes.
final class LoopbackConnection: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let session: LoopbackSession
    private var head: HTTPRequestHead?
    private var body = Data()
    /// A connection gets one response. A second request after the first is not read.
    private var hasResponded = false

    private init(session: LoopbackSession) { self.session = session }

    /// Adds the handlers of a connection to a new channel.
    static func configure(_ channel: any Channel, session: LoopbackSession, in connections: OpenConnections) throws {
        let pipeline = channel.pipeline.syncOperations
        // A connection has one response, and a request that cannot be read has a page too.
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: false,
            withErrorHandling: false,
            withEncoderConfiguration: .init(),
            withDecoderLimitConfiguration: OversizedHeads.limits
        )
        let page = LoopbackPage.tooManyCookies
        try pipeline.addHandlers([
            OversizedHeads(page: page.html, headers: page.headers), LoopbackConnection(session: session),
        ])
        connections.admit(channel)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasResponded else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
        case .body(let part):
            guard body.count + part.readableBytes <= LoopbackRules.maximumBodyBytes else {
                return respond(with: LoopbackSession.Response(page: .notice(413)), in: context)
            }
            body.append(contentsOf: part.readableBytesView)
        case .end:
            guard let head else { return }
            let channel = context.channel
            let response = session.response(to: request(head), port: channel.localAddress?.port ?? 0) {
                ConnectionOwner.find(client: channel.remoteAddress, server: channel.localAddress)
            }
            respond(with: response, in: context)
        }
    }

    private func request(_ head: HTTPRequestHead) -> LoopbackRules.Request {
        LoopbackRules.Request(
            method: head.method.rawValue,
            target: head.uri,
            host: head.headers["Host"].count == 1 ? head.headers.first(name: "Host") : nil,
            contentType: head.headers.first(name: "Content-Type"),
            // Some browsers still send the older name.
            isPrefetch: head.headers.contains(name: "Sec-Purpose") || head.headers.contains(name: "Purpose"),
            body: body
        )
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is HTTPParserError, !hasResponded else { return context.close(promise: nil) }
        respond(with: LoopbackSession.Response(page: .notice(400)), in: context)
    }

    private func respond(with response: LoopbackSession.Response, in context: ChannelHandlerContext) {
        hasResponded = true
        let page = ByteBuffer(string: response.page.html)
        var head = HTTPResponseHead(version: .http1_1, status: HTTPResponseStatus(statusCode: response.page.status))
        head.headers = HTTPHeaders(response.page.headers + [("Content-Length", "\(page.readableBytes)")])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        // The response to HEAD has no body (RFC 9110 §9.3.2).
        if self.head?.method != .HEAD { context.write(wrapOutboundOut(.body(.byteBuffer(page))), promise: nil) }

        let channel = context.channel
        let session = session
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
            channel.close(mode: .all, promise: nil)
            // The authorization response is used even if the page could not be written.
            if let end = response.end { session.outcome.settle(end) }
            if response.isLanding { session.hasLanded.settle(.success([:])) }
        }
    }
}
