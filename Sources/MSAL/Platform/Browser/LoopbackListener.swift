// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALSupport
import NIOCore
import NIOPosix

/// The open port of one visit, on 127.0.0.1 and, where the machine has it, on ::1.
struct LoopbackListener: Sendable {
    /// The port, the same on both addresses.
    let port: Int
    private let channels: [any Channel]
    private let connections: OpenConnections

    /// Opens `port`, or any free one. `session` responds to the requests that arrive there.
    ///
    /// - Parameters:
    ///   - port: The port that the redirect URI names, or `nil` for any free one.
    ///   - host: The host that the redirect URI names.
    ///   - address: The address to listen on instead of the loopback ones, for a container whose port is published. Other
    ///     machines may reach it.
    ///   - ipv6: The loopback address of IPv6. Tests pass another one.
    ///   - session: The visit that the requests belong to.
    /// - Returns: The open listener.
    /// - Throws: `.portInUse` if another program holds the named port. `.listenerFailed` if no port can be opened, or if
    ///   `host` does not lead to the opened one.
    static func open(
        port: Int?,
        host: String,
        listeningOn address: String? = nil,
        ipv6: String = "::1",
        session: LoopbackSession
    ) async throws(AgentError) -> LoopbackListener {
        if let address { return try await open(port: port, address: address, session: session) }
        // A port that is free on one address may be taken on the other. Ten tries find one that is free on both.
        for _ in 0..<10 {
            do {
                let listener = try await bind(port ?? 0, ipv6: ipv6, session: session)
                if host == "[::1]", !listener.hasIPv6 {
                    await listener.close()
                    throw AgentError(
                        .listenerFailed,
                        message:
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
                    message:
                        "Port \(port) of the redirect URI is held by \(owner ?? "another program"). Free it, or use a "
                        + "redirect URI without a port. Any free port is taken then."
                )
            } catch let error as IOError where error.errnoCode == EACCES {
                throw AgentError(
                    .listenerFailed,
                    message:
                        "This user may not open port \(port ?? 0), which the redirect URI names. Use one above 1023, or a "
                        + "redirect URI without a port."
                )
            } catch {
                throw AgentError(.listenerFailed, message: "No port of the loopback interface can be opened: \(error).")
            }
        }
        throw AgentError(.listenerFailed, message: "No port is free on both 127.0.0.1 and ::1.")
    }

    private var hasIPv6: Bool { channels.count > 1 }

    /// Opens a port on an address that the app named.
    private static func open(
        port: Int?,
        address: String,
        session: LoopbackSession
    ) async throws(AgentError) -> LoopbackListener {
        Log.warning(
            "The sign-in waits on \(address): whoever reaches this address can connect, and this machine cannot tell who "
                + "that is. Only a redirect with this sign-in's state is taken."
        )
        let connections = Self.connections
        do {
            let channel = try await bootstrap(session, in: connections).bind(host: address, port: port ?? 0).get()
            guard let bound = channel.localAddress?.port else {
                try await channel.close()
                throw ChannelError.operationUnsupported
            }
            return LoopbackListener(port: bound, channels: [channel], connections: connections)
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw AgentError(
                .portInUse(port ?? 0),
                message: "Port \(port ?? 0) of \(address) is held by another program. Free it, or choose another port."
            )
        } catch {
            throw AgentError(
                .listenerFailed,
                message: "This machine cannot listen on \(address): \(error). Name one of its addresses, or 0.0.0.0."
            )
        }
    }

    /// A request and its page take a moment. Browsers open connections in reserve, and a hostile client may send a byte
    /// now and then. Both are closed after ten seconds.
    private static var connections: OpenConnections { OpenConnections(limit: 32, lifetime: .seconds(10)) }

    private static func bootstrap(_ session: LoopbackSession, in connections: OpenConnections) -> ServerBootstrap {
        ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 16)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try LoopbackConnection.configure(channel, session: session, in: connections)
                }
            }
    }

    private static func bind(_ port: Int, ipv6: String, session: LoopbackSession) async throws -> LoopbackListener {
        let connections = Self.connections
        let bootstrap = bootstrap(session, in: connections)
        let first = try await bootstrap.bind(host: "127.0.0.1", port: port).get()
        guard let bound = first.localAddress?.port else {
            try await first.close()
            throw ChannelError.operationUnsupported
        }
        do {
            let second = try await bootstrap.bind(host: ipv6, port: bound).get()
            return LoopbackListener(port: bound, channels: [first, second], connections: connections)
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            // Browsers may resolve `localhost` to ::1 first. A listener of another program there would receive the code.
            try await first.close()
            throw error
        } catch {
            // This machine has no IPv6.
            return LoopbackListener(port: bound, channels: [first], connections: connections)
        }
    }

    /// Closes the port and its connections. The page that ends the visit was sent before.
    func close() async {
        for channel in channels {
            try? await channel.close()  // It fails only if the channel is closed already.
        }
        await connections.close()
    }
}
