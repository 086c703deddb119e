// Licensed under the MIT License. See LICENSE.

import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// The open port of one visit, on 127.0.0.1 and, where the machine has it, on ::1.
struct LoopbackListener: Sendable {
    /// The port, the same on both addresses.
    let port: Int
    private let channels: [any Channel]

    /// Opens `port`, or any free one, and answers what arrives there by `desk`.
    ///
    /// `host` is the one that the redirect URI names; `ipv6` is this machine's address, but in tests.
    ///
    /// - Throws: `.portInUse` if another program holds the named port, `.listenerFailed` if none can be opened, or none
    ///   that `host` leads to.
    static func open(
        port: Int?,
        host: String,
        ipv6: String = "::1",
        desk: LoopbackDesk
    ) async throws(AgentError) -> LoopbackListener {
        // A port that is free on one address may be taken on the other; ten tries find one that is free on both.
        for _ in 0..<10 {
            do {
                let listener = try await bind(port ?? 0, ipv6, desk)
                if host == "[::1]", !listener.hasIPv6 {
                    await listener.close()
                    throw AgentError(
                        .listenerFailed,
                        "The redirect URI names [::1], but this machine has no IPv6. Use http://localhost instead."
                    )
                }
                return listener
            } catch let error as AgentError {
                throw error
            } catch let error as IOError where error.errnoCode == EADDRINUSE {
                guard let port else { continue }
                let owner = LoopbackPortOwner.describe(port: port)
                throw AgentError(
                    .portInUse(port),
                    "Port \(port) of the redirect URI is held by \(owner ?? "another program"). Free it, or use a "
                        + "redirect URI without a port: any free one is taken then."
                )
            } catch {
                throw AgentError(.listenerFailed, "No port of the loopback interface can be opened: \(error).")
            }
        }
        throw AgentError(.listenerFailed, "No port is free on both 127.0.0.1 and ::1.")
    }

    private var hasIPv6: Bool { channels.count > 1 }

    private static func bind(_ port: Int, _ ipv6: String, _ desk: LoopbackDesk) async throws -> LoopbackListener {
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 16)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    // A slow client, and a browser's connection in reserve, is closed after ten seconds.
                    try pipeline.addHandler(IdleStateHandler(allTimeout: .seconds(10)))
                    try pipeline.configureHTTPServerPipeline()
                    try pipeline.addHandler(LoopbackConnection(desk: desk))
                }
            }
        let first = try await bootstrap.bind(host: "127.0.0.1", port: port).get()
        guard let bound = first.localAddress?.port else {
            try await first.close()
            throw ChannelError.operationUnsupported
        }
        do {
            let second = try await bootstrap.bind(host: ipv6, port: bound).get()
            return LoopbackListener(port: bound, channels: [first, second])
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            // Browsers may resolve `localhost` to ::1 first; whoever listens there would receive the code.
            try await first.close()
            throw error
        } catch {
            return LoopbackListener(port: bound, channels: [first])  // A machine without IPv6.
        }
    }

    /// Closes the port. Connections that still receive a page are left to finish.
    func close() async {
        for channel in channels {
            try? await channel.close()  // It may be closed already, which is what is wanted.
        }
    }
}

/// One connection: collects a request within the limits, answers it and closes.
private final class LoopbackConnection: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let desk: LoopbackDesk
    private var head: HTTPRequestHead?
    private var body = Data()

    init(desk: LoopbackDesk) {
        self.desk = desk
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
        case .body(let part):
            guard body.count + part.readableBytes <= LoopbackRules.maximumBodyBytes else {
                guard head != nil else { return }  // Answered already.
                head = nil
                return answer(LoopbackDesk.Answer(page: .notice(413)), context)
            }
            body.append(contentsOf: part.readableBytesView)
        case .end:
            guard let head else { return }
            self.head = nil
            let request = LoopbackRules.Request(
                method: head.method.rawValue,
                target: head.uri,
                host: head.headers["Host"].count == 1 ? head.headers.first(name: "Host") : nil,
                contentType: head.headers.first(name: "Content-Type"),
                body: body
            )
            answer(desk.answer(request, port: context.channel.localAddress?.port ?? 0), context)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent {
            context.close(promise: nil)
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func answer(_ answer: LoopbackDesk.Answer, _ context: ChannelHandlerContext) {
        let page = ByteBuffer(string: answer.page.html)
        var head = HTTPResponseHead(version: .http1_1, status: HTTPResponseStatus(statusCode: answer.page.status))
        head.headers = HTTPHeaders(LoopbackPage.headers + [("Content-Length", "\(page.readableBytes)")])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(page))), promise: nil)

        let channel = context.channel
        let outcome = desk.outcome
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
            channel.close(mode: .all, promise: nil)
            // Even if the page could not be written: the answer of the server is what counts.
            if let end = answer.end { outcome.settle(end) }
        }
    }
}
