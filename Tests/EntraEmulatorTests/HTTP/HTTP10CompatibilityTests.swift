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

    @Test func `the response says that the connection is kept`() throws {
        let channel = EmbeddedChannel(handler: HTTP10Compatibility())
        func respond(to headers: HTTPHeaders, version: HTTPVersion) throws -> [String] {
            let head = HTTPRequestHead(version: version, method: .GET, uri: "/", headers: headers)
            try channel.writeInbound(HTTPServerRequestPart.head(head))
            try channel.writeOutbound(HTTPServerResponsePart.head(.init(version: .http1_1, status: .ok)))
            guard case .head(let sent) = try #require(try channel.readOutbound(as: HTTPServerResponsePart.self)) else {
                return []
            }
            return sent.headers["connection"]
        }

        #expect(try respond(to: ["Connection": "keep-alive"], version: .http1_0) == ["keep-alive"])
        #expect(try respond(to: [:], version: .http1_0).isEmpty)
        #expect(try respond(to: ["Connection": "keep-alive"], version: .http1_1).isEmpty)
    }

    @Test(
        arguments: [
            (["Expect": "100-continue", "Content-Length": "5"], .http1_1, true),
            (["Expect": "100-Continue", "Transfer-Encoding": "chunked"], .http1_1, true),
            (["Expect": "100-continue", "Content-Length": "70000"], .http1_1, false),
            (["Expect": "100-continue", "Content-Length": "5"], .http1_0, false),
            (["Expect": "something", "Content-Length": "5"], .http1_1, false), ([:], .http1_1, false),
        ] as [(HTTPHeaders, HTTPVersion, Bool)]
    )
    func `a client that expects it is told to send the body`(
        headers: HTTPHeaders,
        version: HTTPVersion,
        isTold: Bool
    ) throws {
        let channel = EmbeddedChannel(handler: ContinueResponder())
        let head = HTTPRequestHead(version: version, method: .POST, uri: "/", headers: headers)
        try channel.writeInbound(HTTPServerRequestPart.head(head))
        let first = try channel.readOutbound(as: HTTPServerResponsePart.self)
        // The response to the first request is not complete.
        try channel.writeInbound(HTTPServerRequestPart.head(head))
        let second = try channel.readOutbound(as: HTTPServerResponsePart.self)

        if isTold, case .head(let sent) = first { #expect(sent.status == .continue) }
        #expect((first != nil) == isTold)
        #expect(second == nil)
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
