// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPGuards
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import Synchronization

/// A listening socket and its server.
struct Listener: Sendable {
    let port: Int
    /// Owned by the emulator, which cancels and awaits it in `stop()`.
    private let task: Task<Void, Never>
    private let connections: ServerConnections

    /// Binds the address, and returns once connections are accepted.
    ///
    /// Without `tls`, it uses plain HTTP. If the responder throws, the connection is closed without a response, or in
    /// the middle of one.
    ///
    /// - Throws: `IOError` if the address cannot be bound.
    static func start<Responder: HTTPResponder>(
        host: String,
        port: Int,
        tls: ServerTLS?,
        clock: EmulatorClock,
        responder: Responder,
        logger: Logger
    ) async throws -> Listener where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
        let (ports, continuation) = AsyncThrowingStream.makeStream(of: Int.self)
        // Hummingbird would put the machine's time into every response, but clients compare it with the emulated time.
        let limits = OversizedHeads.limits
        let configuration = HTTP1Channel.Configuration(
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: limits.maxHeaderFieldSize,
                maxHeaderListSize: limits.maxHeaderListSize
            )
        )
        let respond: HTTPChannelHandler.Responder = { request, writer, channel in
            let context = Responder.Context(source: .init(channel: channel, logger: logger))
            var response = try await responder.respond(to: request, context: context)
            // For a client with a clock skew, the field is already set.
            if response.headers[.date] == nil { response.headers[.date] = clock.now.httpText }
            // RFC 9110 §9.3.2: the client would read a body as the next response.
            if request.method == .head { response = response.createHeadResponse() }
            try await writer.write(response: response.head, body: response.body)
        }
        let channel = HTTP1Channel(responder: respond, configuration: configuration)
        let connections = ServerConnections()
        let limited = LimitedChannel(base: channel, times: ConnectionTimeouts(), connections: connections)
        let server = HTTPServerBuilder { _ in
            guard let tls else { return limited }
            return SecureChannel(base: limited, tls: tls)
        }
        let application = Application(
            responder: responder,
            server: server,
            configuration: .init(address: .hostname(host, port: port)),
            onServerRunning: { channel in
                await Self.pauseWhenExhausted(channel)
                continuation.yield(channel.localAddress?.port ?? port)
            },
            logger: logger
        )
        // Owned by the listener: `stop()` cancels and awaits it.
        let task = Task {
            do {
                try await application.run()
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        for try await bound in ports { return Listener(port: bound, task: task, connections: connections) }
        // The caller was canceled, so the socket is closed.
        task.cancel()
        await task.value
        throw CancellationError()
    }

    /// Closes the socket and all connections, and returns when that is done, after one second at the latest.
    func stop() async {
        task.cancel()
        connections.end(within: .milliseconds(500))
        await task.value
    }

    private static func pauseWhenExhausted(_ server: any Channel) async {
        // The call fails only if the socket is closed already.
        try? await server.eventLoop.submit {
            try server.pipeline.syncOperations.addHandler(AcceptBackoff(), position: .first)
        }
        .get()
    }

    /// Binds the same port on several addresses; 0 selects one that is free on all of them.
    ///
    /// `::1` is skipped on a machine without IPv6.
    ///
    /// - Throws: `IOError` if another address cannot be bound.
    static func start<Responder: HTTPResponder>(
        hosts: [String],
        port: Int,
        tls: ServerTLS?,
        clock: EmulatorClock,
        responder: Responder,
        logger: Logger
    ) async throws -> [Listener] where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
        var attempts = 10
        while true {
            var listeners: [Listener] = []
            do {
                for host in hosts {
                    do {
                        let listener = try await start(
                            host: host,
                            port: listeners.first?.port ?? port,
                            tls: tls,
                            clock: clock,
                            responder: responder,
                            logger: logger
                        )
                        listeners.append(listener)
                    } catch let error as IOError where host == "::1" && error.errnoCode != EADDRINUSE {
                    } catch is SocketAddressError.UnknownHost where host == "::1" {}
                }
                return listeners
            } catch {
                await stop(listeners)
                attempts -= 1
                // A port that is free on one address may be in use on another.
                guard port == 0, attempts > 0, (error as? IOError)?.errnoCode == EADDRINUSE else { throw error }
            }
        }
    }

    /// Stops all of them concurrently, because each may wait for its clients.
    static func stop(_ listeners: [Listener]) async {
        await withDiscardingTaskGroup { group in
            for listener in listeners { group.addTask { await listener.stop() } }
        }
    }
}

/// Pauses accepting connections when the process or the machine runs out of descriptors or memory.
///
/// NIO has its own pause, which starts with the next read. But after a failed accept, NIO requests no further read and
/// stays registered, so the event loop would retry without a pause.
final class AcceptBackoff: ChannelInboundHandler {
    typealias InboundIn = any Channel

    private static let exhausted = [EMFILE, ENFILE, ENOBUFS, ENOMEM]
    private let pause: TimeAmount

    init(_ pause: TimeAmount = .milliseconds(250)) { self.pause = pause }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let failure = error as? IOError, Self.exhausted.contains(failure.errnoCode) else {
            context.fireErrorCaught(error)
            return
        }
        let channel = context.channel
        _ = channel.setOption(.autoRead, value: false)
        context.eventLoop.scheduleTask(in: pause) { _ = channel.setOption(.autoRead, value: true) }
    }
}

/// An HTTP/1.1 connection with timeouts, which is closed when the listener stops.
struct LimitedChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let times: ConnectionTimeouts
    let connections: ServerConnections

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        connections.add(channel)
        return base.setup(channel: channel, logger: logger).flatMapThrowing { value in
            // Puts the handlers between the decoder and the handler that translates its parts for Hummingbird.
            let decoder = try channel.pipeline.syncOperations.handler(
                type: ByteToMessageHandler<HTTPRequestDecoder>.self
            )
            try channel.pipeline.syncOperations.addHandler(ConnectionTimer(times), position: .after(decoder))
            try channel.pipeline.syncOperations.addHandler(HTTP10Compatibility(), position: .after(decoder))
            try channel.pipeline.syncOperations.addHandler(ContinueResponder(), position: .after(decoder))
            let refusal = OversizedHeads(
                page: Self.tooManyCookies,
                headers: [("Content-Type", "text/html; charset=utf-8")]
            )
            try channel.pipeline.syncOperations.addHandler(refusal, position: .after(decoder))
            return value
        }
    }

    func handle(value: Base.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }

    private static var tooManyCookies: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head><meta charset="utf-8"><title>Too many cookies</title></head>
        <body><h1>Too many cookies</h1>
        <p>The browser sent more cookies than the emulator reads. Delete the cookies of this address, and reload this \
        page.</p></body>
        </html>
        """
    }
}

/// The connections of a listener, so that stopping does not wait for clients.
final class ServerConnections: Sendable {
    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var isEnding = false
    }

    private let state = Mutex(State())

    /// Adds a new connection. It is closed immediately if the listener is already stopping.
    func add(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        let isEnding = state.withLock { state in
            state.channels[id] = channel
            return state.isEnding
        }
        channel.closeFuture.whenComplete { _ in self.state.withLock { $0.channels[id] = nil } }
        if isEnding { channel.close(promise: nil) }
    }

    /// Closes the connections that do not end by themselves within this time. Otherwise, a client that keeps its side
    /// open after the last response would keep the connection open indefinitely.
    func end(within time: TimeAmount) {
        let channels = state.withLock { state in
            state.isEnding = true
            return state.channels.values
        }
        for channel in channels { channel.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) } }
    }
}
