// Licensed under the MIT License. See LICENSE.

import CryptoExtras
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import TestSupport

@testable import EntraEmulator

/// An issuer over TLS. Something that the test chooses comes before each of its responses.
final class ScriptedIssuer: Sendable {
    /// The issuer's name, which is its address.
    let name: String
    /// The file of the authority that signed its certificate.
    let authorityFile: URL
    private let channel: any Channel

    init(before prefix: String) async throws {
        let place = Bench.stateDirectory.appending(path: "issuer-\(UUID().uuidString)")
        let identity = try ServerIdentity(in: PrivateFolder(state: place), wanted: [], machineNames: [])
        let context = try NIOSSLContext(configuration: identity.tls)
        let keys = try Self.keySet()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let address = "https://127.0.0.1:\(channel.localAddress?.port ?? 0)"
                    try channel.pipeline.syncOperations.addHandlers([
                        NIOSSLServerHandler(context: context),
                        Responder(address: address, keys: keys, prefix: prefix),
                    ])
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        self.channel = channel
        name = "https://127.0.0.1:\(channel.localAddress?.port ?? 0)"
        authorityFile = identity.authorityFile
    }

    func stop() async throws { try await channel.close() }

    private static func keySet() throws -> String {
        let key = try SharedKeys.rsa("foreign issuer").publicKey.getKeyPrimitives()
        let (modulus, exponent) = (key.modulus.base64EncodedString(), key.publicExponent.base64EncodedString())
        return #"{"keys":[{"kty":"RSA","n":"\#(Bench.base64URL(modulus))","e":"\#(Bench.base64URL(exponent))"}]}"#
    }

    /// Responds to one request of a connection.
    private final class Responder: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let address: String
        private let keys: String
        private let prefix: String
        private var request = ""

        init(address: String, keys: String, prefix: String) {
            (self.address, self.keys, self.prefix) = (address, keys, prefix)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            request += String(buffer: unwrapInboundIn(data))
            guard request.hasSuffix("\r\n\r\n") else { return }
            let isDocument = request.hasPrefix("GET /.well-known/openid-configuration ")
            let body = isDocument ? #"{"issuer":"\#(address)","jwks_uri":"\#(address)/keys"}"# : keys
            let response = prefix + "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: response)), promise: nil)
            request = ""
        }

        // Such as a client that does not trust the certificate.
        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
