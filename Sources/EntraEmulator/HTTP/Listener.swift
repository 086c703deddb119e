// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPGuards
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

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
        for try await bound in ports {
            return Listener(port: bound, task: task, connections: connections)
        }
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
}
