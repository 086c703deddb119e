// Licensed under the MIT License. See LICENSE.

import AsyncHTTPClient
import Foundation
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import EntraEmulator

/// Requests of HTTP/1.0, and bodies that are announced as too long.
struct HTTP10CompatibilityTests {
    private func passed(_ version: HTTPVersion, headers: HTTPHeaders) throws -> HTTPHeaders {
        let channel = EmbeddedChannel(handler: HTTP10Compatibility())
        let head = HTTPRequestHead(version: version, method: .GET, uri: "/", headers: headers)
        try channel.writeInbound(HTTPServerRequestPart.head(head))
        guard case .head(let seen) = try #require(try channel.readInbound(as: HTTPServerRequestPart.self)) else {
            Issue.record("the head was not passed on")
            return [:]
        }
        return seen.headers
    }

    @Test func `HTTP 1.0 needs no host, and closes the connection`() throws {
        let plain = try passed(.http1_0, headers: [:])
        let kept = try passed(.http1_0, headers: ["Host": "localhost", "Connection": "keep-alive"])

        #expect(plain["host"] == [""])
        #expect(plain["connection"] == ["close"])
        #expect(kept["host"] == ["localhost"])
        #expect(kept["connection"] == ["keep-alive"])
    }

    @Test func `HTTP 1.1 is passed on as it is`() throws {
        #expect(try passed(.http1_1, headers: [:]).isEmpty)
    }

    @Test func `a body that is announced as too long is refused before it comes`() async throws {
        try await Bench.run { bench in
            var request = HTTPClientRequest(url: bench.base + "/common/oauth2/v2.0/token")
            request.method = .POST
            // Nothing of it is ever sent.
            let (silence, continuation) = AsyncStream.makeStream(of: ByteBuffer.self)
            request.body = .stream(silence, length: .known(Int64(100_000)))
            let response = try await bench.client.execute(request, timeout: .seconds(15))
            continuation.finish()

            #expect(response.status == .payloadTooLarge)
        }
    }
}
