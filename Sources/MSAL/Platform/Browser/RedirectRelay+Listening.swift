// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import NIOCore
import NIOPosix

extension RedirectRelay {
    /// The socket of one waiting process.
    struct Listener: Sendable {
        fileprivate let channel: any Channel
        fileprivate let connections: OpenConnections
        fileprivate let path: String

        /// Closes and removes the socket, and closes its connections.
        func close() async {
            try? await channel.close()  // Closing fails only if the channel is closed already.
            unlink(path)
            await connections.close()
        }
    }

    /// The reason why no socket could be opened. The sign-in continues because the redirect may reach this process.
    struct ListeningError: Error, CustomStringConvertible {
        let description: String
    }

    private static func eventLoops() throws(ListeningError) -> MultiThreadedEventLoopGroup {
        do throws(TransportError) {
            return try EventLoops.shared()
        } catch {
            throw ListeningError(description: error.message)
        }
    }

    /// Listens for redirects that other processes of this user receive, and delivers them to `inbox`.
    ///
    /// - Throws: `ListeningError` if the directory or the socket cannot be created.
    func listen(for inbox: RedirectInbox, name: String) async throws -> Listener {
        if !PrivateFile.createDirectory(directory), errno != EEXIST {
            throw ListeningError(description: "\(directory) cannot be created: \(String(cString: strerror(errno))).")
        }
        guard isPrivate(directory) else {
            throw ListeningError(description: "\(directory) must be a directory of this user with the mode 0700.")
        }
        let path = "\(directory)/\(name).socket"
        let connections = OpenConnections(limit: 32, lifetime: .seconds(2))
        let channel = try await ServerBootstrap(group: Self.eventLoops())
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(RedirectReceiver(inbox: inbox))
                    connections.admit(channel)
                }
            }
            .bind(unixDomainSocketPath: path)
            .get()
        guard chmod(path, 0o600) == 0 else {
            let cause = String(cString: strerror(errno))
            await Listener(channel: channel, connections: connections, path: path).close()
            throw ListeningError(description: "\(path) cannot be protected from other users: \(cause).")
        }
        return Listener(channel: channel, connections: connections, path: path)
    }
}

/// One connection. Gets the user of the peer from the kernel, reads a line, writes one word, and closes.
private final class RedirectReceiver: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let inbox: RedirectInbox
    private var isOurs = false
    private var received = ByteBuffer()

    init(inbox: RedirectInbox) { self.inbox = inbox }

    func channelActive(context: ChannelHandlerContext) {
        guard let socket = context.channel as? any SocketOptionProvider else { return context.close(promise: nil) }
        let user: EventLoopFuture<PeerCredentials> = socket.unsafeGetSocketOption(
            level: .socket,
            name: NIOBSDSocket.Option(rawValue: SO_PEERCRED)
        )
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        user.whenComplete { result in
            let (receiver, context) = bound.value
            // Another user gets this far only if the directory was made accessible. No data is exchanged.
            guard case .success(let peer) = result, peer.user == geteuid() else { return context.close(promise: nil) }
            receiver.isOurs = true
            receiver.respondIfComplete(context)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var part = unwrapInboundIn(data)
        received.writeBuffer(&part)
        guard received.readableBytes <= RedirectRelay.maximumBytes else { return context.close(promise: nil) }
        respondIfComplete(context)
    }

    private func respondIfComplete(_ context: ChannelHandlerContext) {
        guard isOurs, let end = received.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) else { return }
        let line = String(decoding: received.readableBytesView[..<end], as: UTF8.self)
        received.clear()
        let isTaken = URL(string: line).map { inbox.deliver($0) } ?? false
        let response = ByteBuffer(string: isTaken ? RedirectRelay.taken : RedirectRelay.unknown)
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(response)).whenComplete { _ in channel.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
