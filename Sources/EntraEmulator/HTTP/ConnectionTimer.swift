// Licensed under the MIT License. See LICENSE.

import NIOCore
import NIOHTTP1

/// Closes the connection of a client that is too slow.
///
/// The duration of a response is not limited, because a fault may delay it, and otherwise only the emulator itself
/// could be slow.
final class ConnectionTimer: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let times: ConnectionTimeouts
    /// Closes the connection unless the client completes its current step in time.
    private var deadline: Scheduled<Void>?
    private var readingDeadline: Scheduled<Void>?
    /// Whether the rest of a request's body is still expected.
    private var isBodyOpen = false
    /// The requests without a complete response. A client may pipeline requests.
    private var unansweredRequests = 0
    private var isEnding = false
    private var endsAfterResponse = false

    init(_ times: ConnectionTimeouts) { self.times = times }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { wait(times.firstHead, context: context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        wait(times.firstHead, context: context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        cancel()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { cancel() }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            unansweredRequests += 1
            isBodyOpen = true
            stopWaiting()
        case .body: break
        case .end:
            isBodyOpen = false
            stopWaiting()
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // A request that arrived in one piece never gets here with an open body, so it costs no timer.
        if isBodyOpen, deadline == nil { wait(times.body, context: context) }
        context.fireChannelReadComplete()
    }

    // MARK: Responses

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head):
            // RFC 9112 §9.6: the response to an incomplete request is the last one, because the rest would be read as
            // the next request.
            endsAfterResponse = isBodyOpen && unansweredRequests == 1
            if endsAfterResponse { head.headers.replaceOrAdd(name: "Connection", value: "close") }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body: context.write(data, promise: promise)
        case .end:
            unansweredRequests -= 1
            context.write(data, promise: promise)
            if endsAfterResponse {
                end(context: context)
            } else if unansweredRequests == 0, !isBodyOpen {
                wait(times.nextHead, context: context)
            }
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        readingDeadline?.cancel()
        readingDeadline = context.channel.isWritable ? nil : close(in: times.reading, context: context)
        context.fireChannelWritabilityChanged()
    }

    /// If a request is not HTTP, or asks to close the connection, closes the server's side and waits for the client to
    /// close its side.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if mode == .output { end(context: context) }
        context.close(mode: mode, promise: promise)
    }

    // MARK: Deadlines

    private func wait(_ time: TimeAmount, context: ChannelHandlerContext) {
        guard !isEnding else { return }
        deadline?.cancel()
        deadline = close(in: time, context: context)
    }

    private func stopWaiting() {
        guard !isEnding else { return }
        deadline?.cancel()
        deadline = nil
    }

    private func end(context: ChannelHandlerContext) {
        wait(times.closeDelay, context: context)
        isEnding = true
    }

    private func close(in time: TimeAmount, context: ChannelHandlerContext) -> Scheduled<Void> {
        let channel = context.channel
        return context.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
    }

    private func cancel() {
        deadline?.cancel()
        readingDeadline?.cancel()
    }
}

/// The time that a client has for each step of a connection. The emulator disconnects slower clients, so that clients
/// that never finish do not exhaust the descriptors.
struct ConnectionTimeouts: Sendable {
    /// From the connection to the end of the first request's head, including the TLS handshake.
    var firstHead: TimeAmount = .seconds(20)
    /// From the end of a response to the end of the next request's head.
    var nextHead: TimeAmount = .seconds(120)
    /// From a request's head to the end of its body.
    var body: TimeAmount = .seconds(30)
    /// The time to read more of a response when the unread part blocks sending.
    var reading: TimeAmount = .seconds(30)
    /// The time to read the last response and close the connection, before the emulator closes it.
    var closeDelay: TimeAmount = .seconds(1)
}
