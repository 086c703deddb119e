// Licensed under the MIT License. See LICENSE.

import AsyncHTTPClient
import HTTPGuards
import MSALBase
import NIOCore
import NIOHTTP1
import NIOPosix
import Testing

/// Names of this machine, of which no name server is asked (RFC 6761 §6.3).
struct LocalClientTests {
    /// Responds to whatever comes.
    private final class Responder: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let response = ByteBuffer(string: "HTTP/1.1 204 No Content\r\n\r\n")
            context.writeAndFlush(wrapOutboundOut(response), promise: nil)
        }
    }

    /// The statuses of two requests. The second finds the client of the first.
    private func statuses(
        host: String,
        servedAt address: String,
        _ configuration: HTTPClient.Configuration = .init()
    ) async throws -> [UInt] {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Responder()) }
            }
            .bind(host: address, port: 0).get()
        let request = HTTPClientRequest(url: "http://\(host):\(server.localAddress?.port ?? 0)/")
        let statuses = try await LocalClient.with(configuration) { client in
            try await [
                client.execute(request, timeout: .seconds(10)).status.code,
                client.execute(request, timeout: .seconds(10)).status.code,
            ]
        }
        try await server.close()
        return statuses
    }

    @Test(arguments: ["localhost", "app.localhost", "a.b.LOCALHOST"], LoopbackAddress.all)
    func `a name of this machine is reached at both of its addresses`(host: String, address: String) async throws {
        #expect(try await statuses(host: host, servedAt: address) == [204, 204])
    }

    @Test func `an address that the caller gives for such a name counts`() async throws {
        var configuration = HTTPClient.Configuration()
        configuration.dnsOverride = ["app.localhost": "127.0.0.2"]

        #expect(try await statuses(host: "app.localhost", servedAt: "127.0.0.2", configuration) == [204, 204])
    }
}
