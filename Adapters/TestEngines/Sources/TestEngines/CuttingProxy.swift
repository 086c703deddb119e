// Licensed under the MIT License. See LICENSE.
public import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// A socket in front of an engine's socket. A test can make it cut a connection in the middle of a response.
public final class CuttingProxy: Sendable {
    /// The address for clients.
    public let socket: String
    private let answers: Answers
    private let listener: any Channel

    /// Listens in a folder.
    public init(to engine: String, in folder: URL) async throws {
        let socket = folder.appending(path: "proxy").path
        let answers = Answers()
        self.socket = socket
        self.answers = answers
        listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { client in
                ClientBootstrap(group: client.eventLoop)
                    .channelInitializer { engine in
                        engine.eventLoop.makeCompletedFuture {
                            try engine.pipeline.syncOperations.addHandler(Forwarding(to: client, through: answers))
                        }
                    }
                    .connect(unixDomainSocketPath: engine)
                    .flatMap { engine in
                        client.eventLoop.makeCompletedFuture {
                            try client.pipeline.syncOperations.addHandler(Forwarding(to: engine, through: nil))
                        }
                    }
            }
            .bind(unixDomainSocketPath: socket)
            .get()
    }

    deinit { listener.close(promise: nil) }

    /// The bytes that the engine has sent to clients.
    public var passed: Int { answers.passed }

    /// Cuts the next connection on which more than these bytes arrive from the engine, and only this one. `nil` cuts none.
    public func cut(after bytes: Int?) { answers.cut(after: bytes) }
}

/// Counts the engine's bytes.
private final class Answers: Sendable {
    private struct State {
        var passed = 0
        var left: Int?
    }

    private let state = Mutex(State())

    var passed: Int { state.withLock { $0.passed } }

    func cut(after bytes: Int?) { state.withLock { $0.left = bytes } }

    /// How many of the bytes may be passed on. If it is not all of them, the connection is cut.
    func admit(_ count: Int) -> Int {
        state.withLock { state in
            let admitted = min(count, state.left ?? count)
            state.passed += admitted
            if admitted < count { state.left = nil } else if let left = state.left { state.left = left - admitted }
            return admitted
        }
    }
}

/// Passes what it reads to the other side, and closes it when its own side is closed.
private final class Forwarding: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let other: any Channel
    private let answers: Answers?

    init(to other: any Channel, through answers: Answers?) {
        self.other = other
        self.answers = answers
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        let admitted = answers?.admit(bytes.readableBytes) ?? bytes.readableBytes
        let sent = other.writeAndFlush(bytes.getSlice(at: bytes.readerIndex, length: admitted) ?? bytes)
        guard admitted < bytes.readableBytes else { return }
        let (own, other) = (context.channel, other)
        sent.whenComplete { _ in
            other.close(promise: nil)
            own.close(promise: nil)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        other.close(promise: nil)
        context.fireChannelInactive()
    }
}
