// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import NIOCore
import NIOPosix

/// The open port of one visit, on 127.0.0.1, on ::1 if the machine has it, and on an address that the app may name.
struct LoopbackListener: Sendable {
    /// The port, which is the same on all addresses.
    let port: Int
    private let channels: [any Channel]
    private let connections: OpenConnections

    /// Opens `port`, or any free one. `session` responds to the requests that arrive there.
    ///
    /// - Parameters:
    ///   - port: The port in the redirect URI, or `nil` for any free one.
    ///   - host: The host in the redirect URI.
    ///   - address: The address to listen on in addition to the loopback ones, for a container with a published port.
    ///     Other machines may reach it.
    ///   - ipv6: The IPv6 loopback address. Tests pass another one.
    ///   - session: The visit that the requests belong to.
    /// - Returns: The open listener.
    /// - Throws: `.portInUse` if another program uses the named port. `.listenerFailed` if no port can be opened, or if
    ///   `host` does not resolve to the opened one.
    static func open(
        port: Int?,
        host: String,
        listeningOn address: ListenAddress? = nil,
        ipv6: String = "::1",
        session: LoopbackSession
    ) async throws(AgentError) -> LoopbackListener {
        if let address {
            Log.warning(
                "The sign-in is waiting on \(address). Any machine that reaches this address can connect unidentified. "
                    + "Only a redirect with this sign-in's state is accepted."
            )
        }
        let sockets = sockets(address, ipv6: ipv6)
        // A port that is free on one address may be in use on another. Ten attempts find one that is free on all.
        for _ in 0..<10 {
            do {
                let listener = try await bind(port ?? 0, on: sockets, session: session)
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
            } catch let error as TransportError {
                throw AgentError(.listenerFailed, message: error.message)
            } catch let error as IOError where error.errnoCode == EADDRINUSE {
                guard let port else { continue }
                let owner = LoopbackPortOwner.describe(port: port)
                throw AgentError(
                    .portInUse(port),
                    message:
                        "Port \(port) of the redirect URI is in use by \(owner ?? "another program"). Free it, or use "
                        + "a redirect URI without a port to use any free one."
                )
            } catch let error as IOError where error.errnoCode == EACCES && port != nil {
                throw AgentError(
                    .listenerFailed,
                    message:
                        "This user may not open port \(port ?? 0), which the redirect URI names. Use one above 1023, "
                        + "or a redirect URI without a port."
                )
            } catch {
                let reason = (error as? IOError).map { ": \(String(cString: strerror($0.errnoCode)))" } ?? ""
                throw AgentError(
                    .listenerFailed,
                    message: address.map {
                        "This machine cannot listen on \($0)\(reason). Name one of its addresses, or 0.0.0.0."
                    } ?? "No port of the loopback interface can be opened\(reason)."
                )
            }
        }
        throw AgentError(.listenerFailed, message: "No port is free on both 127.0.0.1 and ::1.")
    }

    private var hasIPv6: Bool { channels.contains { $0.localAddress?.protocol == .inet6 } }

    /// An address to listen on. The browser may connect to any of them, so no other program may use the port on any.
    private struct Socket {
        let address: String
        /// A machine without IPv6 has no `::1`.
        var isOptional = false
    }

    /// The addresses to listen on. They always include the loopback ones: `localhost` resolves to them, and the start
    /// URL and a forwarded port lead there.
    private static func sockets(_ address: ListenAddress?, ipv6: String) -> [Socket] {
        let loopback = [Socket(address: "127.0.0.1"), Socket(address: ipv6, isOptional: true)]
        switch address?.text {
        case nil, "127.0.0.1", "::1": return loopback
        case "0.0.0.0": return [Socket(address: "0.0.0.0"), Socket(address: ipv6, isOptional: true)]
        // NIO makes this socket also accept IPv4 connections.
        case "::": return [Socket(address: "::")]
        case let address?: return loopback + [Socket(address: address)]
        }
    }

    private static func bootstrap(
        _ session: LoopbackSession,
        in connections: OpenConnections
    ) throws(TransportError) -> ServerBootstrap {
        ServerBootstrap(group: try EventLoops.shared())
            .serverChannelOption(.backlog, value: 16)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try LoopbackConnection.configure(channel, session: session, in: connections)
                }
            }
    }

    private static func bind(
        _ port: Int,
        on sockets: [Socket],
        session: LoopbackSession
    ) async throws -> LoopbackListener {
        // A request and its page take a moment. Browsers open spare connections, and a malicious client may send a byte
        // now and then. Both are closed after ten seconds.
        let connections = OpenConnections(limit: 32, lifetime: .seconds(10))
        let bootstrap = try bootstrap(session, in: connections)
        var channels: [any Channel] = []
        var bound = port
        do {
            for socket in sockets {
                do {
                    let address = try SocketAddress(ipAddress: socket.address, port: bound)
                    let channel = try await bootstrap.bind(to: address).get()
                    channels.append(channel)
                    guard let port = channel.localAddress?.port else { throw ChannelError.operationUnsupported }
                    bound = port
                } catch let error as IOError where error.errnoCode != EADDRINUSE && socket.isOptional {
                    continue  // This machine has no IPv6.
                }
            }
        } catch {
            // Browsers may resolve `localhost` to ::1 first. A listener of another program there would receive the
            // code.
            for channel in channels { try? await channel.close() }  // Closing fails only if it is already closed.
            await connections.close()
            throw error
        }
        return LoopbackListener(port: bound, channels: channels, connections: connections)
    }

    /// Closes the port and its connections. The page that ends the visit has already been sent.
    func close() async {
        for channel in channels {
            try? await channel.close()  // Closing fails only if it is already closed.
        }
        await connections.close()
    }
}

/// Finds the process that listens on a port, from the kernel's tables (proc_net_tcp(5), proc_pid_fd(5)).
enum LoopbackPortOwner {
    /// Describes the owner of a TCP port, such as `python3 (process 4711)`; `nil` if no process listens on it.
    ///
    /// For a program of another user, only the user ID is known.
    static func describe(port: Int) -> String? {
        let sockets = TCPTable.current().lazy.flatMap(\.sockets)
        guard let listener = sockets.first(where: { $0.isListening && $0.port == port }) else { return nil }
        return process(holding: listener.inode) ?? "a program of the user with the ID \(listener.user)"
    }

    private static func process(holding inode: UInt64) -> String? {
        let files = FileManager.default
        let target = "socket:[\(inode)]"
        // A process may exit meanwhile, and other users' processes are not readable. Both are skipped. This process is
        // checked first: a child that it is starting also has its sockets until that child executes its own program.
        let ids = ((try? files.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap(Int32.init)
        for id in [getpid()] + ids {
            let folder = "/proc/\(id)/fd"
            for name in (try? files.contentsOfDirectory(atPath: folder)) ?? []
            where (try? files.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")) == target {
                let program = KernelFile.text(at: "/proc/\(id)/comm")
                return "\(program?.trimmingCharacters(in: .newlines) ?? "a program") (process \(id))"
            }
        }
        return nil
    }
}
