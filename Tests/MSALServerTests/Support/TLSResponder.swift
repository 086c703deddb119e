// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALServer
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A TLS server with a certificate that no authority has signed and that names no host. It sends bytes as soon as a
/// request arrives, and records the request.
final class TLSResponder: Sendable {
    /// What the server does after its bytes.
    enum End: Sendable { case closes, staysOpen }

    /// The port on which it listens.
    let port: Int
    private let channel: any Channel
    private let received: Received

    private final class Received: Sendable {
        let text = Mutex("")
    }

    init(_ response: String, then end: End = .closes) async throws {
        let certificates = try NIOSSLCertificate.fromPEMBytes(Array(CertificateFixture.data("leaf.pem")))
        let key = try NIOSSLPrivateKey(bytes: Array(CertificateFixture.data("leaf.key.pem")), format: .pem)
        let configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: certificates.map { .certificate($0) },
            privateKey: .privateKey(key)
        )
        let context = try NIOSSLContext(configuration: configuration)
        let received = Received()
        self.received = received
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers([
                        NIOSSLServerHandler(context: context),
                        Responder(response: response, end: end, received: received),
                    ])
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        self.channel = channel
        port = channel.localAddress?.port ?? 0
    }

    /// The hash of its certificate.
    static func thumbprint() throws -> CertificateThumbprint {
        let certificates = try NIOSSLCertificate.fromPEMBytes(Array(CertificateFixture.data("leaf.pem")))
        return try CertificateThumbprint(of: certificates[0])
    }

    /// The received plain text.
    var request: String { received.text.withLock(\.self) }

    func stop() async throws { try await channel.close() }

    private final class Responder: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let response: String
        private let end: End
        private let received: Received
        private var hasResponded = false

        init(response: String, end: End, received: Received) {
            self.response = response
            self.end = end
            self.received = received
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            received.text.withLock { $0 += String(buffer: unwrapInboundIn(data)) }
            guard !hasResponded else { return }
            hasResponded = true
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: response)), promise: nil)
            if end == .closes { context.close(promise: nil) }
        }

        // A client that does not trust the certificate ends the handshake with an alert.
        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
