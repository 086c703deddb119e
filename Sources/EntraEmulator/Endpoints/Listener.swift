// Licensed under the MIT License. See LICENSE.

import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

/// One listening socket with the server behind it.
struct Listener: Sendable {
    let port: Int
    /// Owned by the emulator, which cancels and awaits it in `stop()`.
    private let task: Task<Void, Never>

    /// Binds and returns once connections are accepted.
    ///
    /// - Throws: `IOError` when the address cannot be bound.
    static func start<Responder: HTTPResponder>(
        host: String,
        port: Int,
        server: HTTPServerBuilder,
        responder: Responder,
        logger: Logger
    ) async throws -> Listener where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
        let (ports, continuation) = AsyncThrowingStream.makeStream(of: Int.self)
        let application = Application(
            responder: responder,
            server: server,
            configuration: .init(address: .hostname(host, port: port)),
            onServerRunning: { channel in continuation.yield(channel.localAddress?.port ?? port) },
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
        for try await bound in ports { return Listener(port: bound, task: task) }
        throw CancellationError()
    }

    /// Closes the socket and all connections, and returns when that is done.
    func stop() async {
        task.cancel()
        await task.value
    }
}
