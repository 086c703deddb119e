// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import NIOCore
import NIOHTTP1

/// One request and its response on a pinned connection: writes the request, and collects the response up to the limits.
///
/// It is the last handler of the connection. TLS holds back what it writes until the handshake is complete.
final class PinnedExchange: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private let message: HTTPMessage
    private let outcome: EventLoopPromise<HTTPResponse>
    private var response: HTTPResponse?

    init(_ message: HTTPMessage, outcome: EventLoopPromise<HTTPResponse>) {
        self.message = message
        self.outcome = outcome
    }

    private var head: HTTPRequestHead {
        let url = message.url
        let path = url.path(percentEncoded: true)
        let query = url.query(percentEncoded: true).map { "?" + $0 } ?? ""
        var headers = HTTPHeaders()
        headers.add(name: "Host", value: (url.host() ?? "") + (url.port.map { ":\($0)" } ?? ""))
        headers.add(name: "User-Agent", value: "msal-swift/\(LibraryVersion.text)")
        headers.add(name: "Connection", value: "close")
        for (name, value) in message.headers { headers.replaceOrAdd(name: name, value: value) }
        if let body = message.body { headers.add(name: "Content-Length", value: "\(body.count)") }
        return HTTPRequestHead(
            version: .http1_1,
            method: HTTPMethod(rawValue: message.method),
            uri: (path.isEmpty ? "/" : path) + query,
            headers: headers
        )
    }

    func channelActive(context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if let body = message.body {
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            guard (200...599).contains(head.status.code) else {
                return end(.badResponse, message: "The response has an invalid HTTP status.", in: context)
            }
            var headers: [String: String] = [:]
            for (name, value) in head.headers {
                let known = headers.keys.first { $0.caseInsensitiveCompare(name) == .orderedSame } ?? name
                headers[known] = headers[known].map { $0 + ", " + value } ?? value
            }
            response = HTTPResponse(status: Int(head.status.code), headers: headers)
        case .body(let part):
            response?.body.append(contentsOf: part.readableBytesView)
            let limit = message.maximumResponseBytes
            if let count = response?.body.count, count > limit {
                end(
                    .responseTooLarge(limit: limit),
                    message: "The response is longer than \(limit) bytes. It was not used.",
                    in: context
                )
            }
        case .end:
            if let response { outcome.succeed(response) }
            context.close(promise: nil)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(.connectionLost, message: "The server closed the connection before the response was complete.", in: context)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        outcome.fail(error)
        context.close(promise: nil)
    }

    private func end(_ kind: TransportError.Kind, message text: String, in context: ChannelHandlerContext) {
        outcome.fail(TransportError(kind, message: text))
        context.close(promise: nil)
    }
}
