// Licensed under the MIT License. See LICENSE.

import HummingbirdCore
import Logging
import NIOCore
import NIOSSL
import NIOTLS

/// A connection with TLS around another channel.
struct SecureChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let tls: ServerTLS

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        channel.eventLoop.makeCompletedFuture {
            let handlers = channel.pipeline.syncOperations
            switch tls.question {
            case .noClient, .anyClient: try handlers.addHandler(try tls.handler(for: nil))
            case .byServerName: try handlers.addHandler(ByteToMessageHandler(nameReader(of: channel)))
            }
        }
        .flatMap { base.setup(channel: channel, logger: logger) }
    }

    func handle(value: Base.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }

    /// Reads the server name in the client's first message, adds the TLS handler after itself, and removes itself.
    private func nameReader(of channel: any Channel) -> SNIHandler {
        SNIHandler { [tls] result in
            let name: String? =
                switch result {
                case .hostname(let name): name
                case .fallback: nil
                }
            return channel.eventLoop.makeCompletedFuture {
                let handlers = channel.pipeline.syncOperations
                let reader = try handlers.handler(type: ByteToMessageHandler<SNIHandler>.self)
                try handlers.addHandler(try tls.handler(for: name), position: .after(reader))
            }
        }
    }
}
