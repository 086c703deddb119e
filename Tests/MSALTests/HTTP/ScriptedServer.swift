// Licensed under the MIT License. See LICENSE.

import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization
import Testing

/// A server on a port of this machine whose responses are bytes that the test supplies, well-formed HTTP or not.
///
/// It can also act as a proxy. It then accepts the first request of a connection as that proxy, and acts as the server
/// behind the proxy.
final class ScriptedServer: Sendable {
    /// The proxy that clients pass before TLS or HTTP starts.
    enum Front: CaseIterable, Sendable {
        case none, connectProxy, socksProxy
    }

    /// The response to one request.
    struct Response: Sendable {
        /// The bytes of the response. Each piece is flushed separately.
        var pieces: [[UInt8]]
        /// Whether the server closes the connection afterwards. Otherwise it waits for the next request.
        var closes = false

        init(_ pieces: String..., closes: Bool = false) {
            self.init(bytes: pieces.map { Array($0.utf8) }, closes: closes)
        }

        init(bytes pieces: [[UInt8]], closes: Bool = false) {
            self.pieces = pieces
            self.closes = closes
        }
    }

    let port: Int
    private let channel: any Channel
    private let log: Record

    private final class Record: Sendable {
        struct Seen {
            var connections = 0
            var count = 0
            var requests: [String] = []
        }

        let seen = Mutex(Seen())
    }

    /// The first 1000 requests so far, each with head and body as one text.
    var requests: [String] { log.seen.withLock(\.requests) }
    /// The number of connections so far.
    var connections: Int { log.seen.withLock(\.connections) }

    /// - Parameters:
    ///   - certificate: The server's certificate, or `nil` for plain HTTP.
    ///   - front: The proxy that it acts as first.
    ///   - address: The address at which it listens.
    ///   - response: Receives the number of the request, from 0, and its text.
    /// - Throws: The error of the socket.
    init(
        _ certificate: TestCertificate? = nil,
        front: Front = .none,
        at address: String = "127.0.0.1",
        response: @escaping @Sendable (_ index: Int, _ request: String) -> Response
    ) async throws {
        let context = try certificate?.context()
        let log = Record()
        let serve: @Sendable (any Channel) throws -> Void = { channel in
            let pipeline = channel.pipeline.syncOperations
            if let context { try pipeline.addHandler(NIOSSLServerHandler(context: context)) }
            try pipeline.addHandler(
                RequestHandler { request in
                    let index = log.seen.withLock { seen in
                        seen.count += 1
                        if seen.count <= 1000 { seen.requests.append(request) }
                        return seen.count - 1
                    }
                    return response(index, request)
                }
            )
        }
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    log.seen.withLock { $0.connections += 1 }
                    switch front {
                    case .none: try serve(channel)
                    case .connectProxy: try channel.pipeline.syncOperations.addHandler(ConnectHandler(serve))
                    case .socksProxy: try channel.pipeline.syncOperations.addHandler(SOCKSHandler(serve))
                    }
                }
            }
            .bind(host: address, port: 0).get()
        port = try #require(channel.localAddress?.port)
        self.log = log
    }

    // A failure is ignored, because there is no caller left.
    deinit { channel.close(promise: nil) }
}

/// Collects requests and responds to them.
private final class RequestHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var text = ""
    private let response: (String) -> ScriptedServer.Response

    init(_ response: @escaping (String) -> ScriptedServer.Response) {
        self.response = response
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        text += String(buffer: unwrapInboundIn(data))
        while let request = nextRequest() {
            let response = response(request)
            for piece in response.pieces {
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: piece)), promise: nil)
            }
            if response.closes { context.close(promise: nil) }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)  // For example, a client that disconnects during the handshake.
    }

    /// Removes the first complete request from the text.
    private func nextRequest() -> String? {
        guard let end = text.range(of: "\r\n\r\n")?.upperBound else { return nil }
        let length = text[..<end].lowercased().firstMatch(of: /content-length: *(\d+)/).flatMap { Int($0.1) } ?? 0
        guard text[end...].utf8.count >= length else { return nil }
        let last = text.utf8.index(end, offsetBy: length)
        defer { text = String(text[last...]) }
        return String(text[..<last])
    }
}

/// Accepts a CONNECT and hands over to the server.
private final class ConnectHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var text = ""
    private let serve: (any Channel) throws -> Void

    init(_ serve: @escaping (any Channel) throws -> Void) {
        self.serve = serve
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        text += String(buffer: unwrapInboundIn(data))
        guard text.hasSuffix("\r\n\r\n") else { return }
        let agreement = text.hasPrefix("CONNECT ") ? "HTTP/1.1 200 OK\r\n\r\n" : "HTTP/1.1 400 Bad Request\r\n\r\n"
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: agreement)), promise: nil)
        handOver(context, serve)
    }
}

/// Accepts SOCKS 5 without authentication (RFC 1928) and hands over to the server.
private final class SOCKSHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var greeted = false
    private let serve: (any Channel) throws -> Void

    init(_ serve: @escaping (any Channel) throws -> Void) {
        self.serve = serve
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let response: [UInt8] = greeted ? [5, 0, 0, 1, 0, 0, 0, 0, 0, 0] : [5, 0]
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: response)), promise: nil)
        if greeted { handOver(context, serve) }
        greeted = true
    }
}

extension ChannelInboundHandler where Self: RemovableChannelHandler {
    /// Replaces this handler with the server.
    fileprivate func handOver(_ context: ChannelHandlerContext, _ serve: (any Channel) throws -> Void) {
        do {
            try serve(context.channel)
            context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
        } catch {
            context.close(promise: nil)
        }
    }
}
