// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import Logging
import NIOCore

extension Listener {
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
