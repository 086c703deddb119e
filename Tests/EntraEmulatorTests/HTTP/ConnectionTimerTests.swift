// Licensed under the MIT License. See LICENSE.

import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import EntraEmulator

/// Clients that take too long.
struct ConnectionTimerTests {
    private let channel: EmbeddedChannel
    private let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: "/token")
    private let response = HTTPResponseHead(version: .http1_1, status: .ok)

    init() throws {
        channel = EmbeddedChannel(handlers: [PatientClient(), ConnectionTimer(ConnectionTimeouts())])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    private func send(_ parts: HTTPServerRequestPart...) throws {
        for part in parts { try channel.writeInbound(part) }
    }

    private func respond() throws {
        try channel.writeOutbound(HTTPServerResponsePart.head(response))
        try channel.writeOutbound(HTTPServerResponsePart.end(nil))
    }

    /// Whether the connection is open shortly before the time and closed when it is over.
    private func isClosed(after time: TimeAmount) -> Bool {
        channel.embeddedEventLoop.advanceTime(by: time - .milliseconds(1))
        let wasOpen = channel.isActive
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        return wasOpen && !channel.isActive
    }

    @Test func `a client that never sends a request is disconnected`() {
        #expect(isClosed(after: ConnectionTimeouts().firstHead))
    }

    @Test func `a client that never ends its request is disconnected, whatever it sends`() throws {
        try send(.head(head))
        for _ in 1..<30 {
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
            try send(.body(ByteBuffer(string: "a")))
        }

        #expect(isClosed(after: .seconds(1)))
    }

    @Test func `a response may take as long as it needs`() throws {
        try send(.head(head), .end(nil))
        channel.embeddedEventLoop.advanceTime(by: .hours(1))

        #expect(channel.isActive)
    }

    @Test func `a client that sends no further request is disconnected`() throws {
        try send(.head(head), .end(nil))
        try respond()

        #expect(isClosed(after: ConnectionTimeouts().nextHead))
    }

    @Test func `a request that follows immediately counts as started`() throws {
        try send(.head(head), .end(nil), .head(head), .end(nil))
        try respond()
        channel.embeddedEventLoop.advanceTime(by: .hours(1))
        let isOpen = channel.isActive
        try respond()

        #expect(isOpen)
        #expect(isClosed(after: ConnectionTimeouts().nextHead))
    }

    @Test func `the response to a partial request is the last one`() throws {
        try send(.head(head))
        try respond()
        let sent = try channel.readOutbound(as: HTTPServerResponsePart.self)

        guard case .head(let head) = sent else { throw UnexpectedPart() }
        #expect(head.headers["connection"] == ["close"])
        #expect(isClosed(after: ConnectionTimeouts().closeDelay))
    }

    @Test func `a client that goes on sending after the last response is disconnected`() throws {
        try send(.head(head))
        try respond()
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(600))
        try send(.body(ByteBuffer(string: "a")), .end(nil))

        #expect(isClosed(after: .milliseconds(400)))
    }

    @Test func `a client that stays after the server's end is disconnected`() throws {
        channel.close(mode: .output, promise: nil)

        #expect(isClosed(after: ConnectionTimeouts().closeDelay))
    }

    /// A client that keeps its side open when the server's is closed; the embedded channel would close both.
    private final class PatientClient: ChannelOutboundHandler {
        typealias OutboundIn = HTTPServerResponsePart

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            if mode != .output { context.close(mode: mode, promise: promise) }
        }
    }

    private struct UnexpectedPart: Error {}
}
