// Licensed under the MIT License. See LICENSE.

import Foundation
import NIOCore

/// Pauses accepting connections when the process or the machine runs out of descriptors or memory.
///
/// NIO has its own pause, which starts with the next read. But after a failed accept, NIO requests no further read and
/// stays registered, so the event loop would retry without a pause.
final class AcceptBackoff: ChannelInboundHandler {
    typealias InboundIn = any Channel

    private static let exhausted = [EMFILE, ENFILE, ENOBUFS, ENOMEM]
    private let pause: TimeAmount

    init(_ pause: TimeAmount = .milliseconds(250)) {
        self.pause = pause
    }

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
