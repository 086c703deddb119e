// Licensed under the MIT License. See LICENSE.

import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization
import Testing

/// A server on a port of 127.0.0.1 whose answers are bytes that the test chooses, good HTTP or not.
///
/// It can stand behind a proxy of its own: it then takes the first words of a connection as one to such a proxy,
/// agrees to them, and is itself the server that was asked for.
final class AnsweringServer: Sendable {
    /// What clients speak before they come to TLS or HTTP.
    enum Front: CaseIterable, Sendable {
        case none, connectProxy, socksProxy
    }

    /// What is said to one request.
    struct Answer: Sendable {
        /// Written one after the other, each with a flush of its own.
        var pieces: [[UInt8]]
        /// Whether the server closes the connection afterwards; else it waits for the next request.
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

    /// Every request so far, head and body as one text; of very many the first ones.
    var requests: [String] { log.seen.withLock(\.requests) }
    /// How many connections there were so far.
    var connections: Int { log.seen.withLock(\.connections) }

    /// - Parameters:
    ///   - certificate: What is presented; `nil` for plain HTTP.
    ///   - front: The proxy that it plays before it is asked.
    ///   - answer: Gets the number of the request, from 0, and its text.
    /// - Throws: What the socket throws.
    init(
        _ certificate: TestCertificate? = nil,
        front: Front = .none,
        answer: @escaping @Sendable (_ index: Int, _ request: String) -> Answer
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
                    return answer(index, request)
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
            .bind(host: "127.0.0.1", port: 0).get()
        port = try #require(channel.localAddress?.port)
        self.log = log
    }

    // Nobody is left to tell of a failure.
    deinit { channel.close(promise: nil) }
}

/// Collects requests and answers them.
private final class RequestHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var text = ""
    private let answer: (String) -> AnsweringServer.Answer

    init(_ answer: @escaping (String) -> AnsweringServer.Answer) {
        self.answer = answer
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        text += String(buffer: unwrapInboundIn(data))
        while let request = nextRequest() {
            let answer = answer(request)
            for piece in answer.pieces {
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: piece)), promise: nil)
            }
            if answer.closes { context.close(promise: nil) }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)  // A client that goes away during the handshake, among others.
    }

    /// Takes the first complete request from the text.
    private func nextRequest() -> String? {
        guard let end = text.range(of: "\r\n\r\n")?.upperBound else { return nil }
        let length = text[..<end].lowercased().firstMatch(of: /content-length: *(\d+)/).flatMap { Int($0.1) } ?? 0
        guard text[end...].utf8.count >= length else { return nil }
        let last = text.utf8.index(end, offsetBy: length)
        defer { text = String(text[last...]) }
        return String(text[..<last])
    }
}

/// Agrees to a CONNECT and hands over to the server.
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

/// Agrees to SOCKS 5 without authentication (RFC 1928) and hands over to the server.
private final class SOCKSHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var greeted = false
    private let serve: (any Channel) throws -> Void

    init(_ serve: @escaping (any Channel) throws -> Void) {
        self.serve = serve
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let reply: [UInt8] = greeted ? [5, 0, 0, 1, 0, 0, 0, 0, 0, 0] : [5, 0]
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: reply)), promise: nil)
        if greeted { handOver(context, serve) }
        greeted = true
    }
}

extension ChannelInboundHandler where Self: RemovableChannelHandler {
    /// Puts the server in the place of this handler.
    fileprivate func handOver(_ context: ChannelHandlerContext, _ serve: (any Channel) throws -> Void) {
        do {
            try serve(context.channel)
            context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
        } catch {
            context.close(promise: nil)
        }
    }
}
