// Licensed under the MIT License. See LICENSE.

import Foundation
import NIOCore
import NIOEmbedded
import TestSupport
import Testing

@testable import MSAL

/// Clients that keep a connection open.
struct OpenConnectionsTests {
    private let session: LoopbackSession

    init() throws {
        let page = try #require(URL(string: "https://login.contoso.example/authorize"))
        let redirect = AuthorizationVisit.Redirect.loopback(host: "localhost", port: nil, path: "")
        session = LoopbackSession(
            visit: AuthorizationVisit(redirect: redirect, expectedState: "Uw") { _ in page },
            startToken: "T0"
        )
    }

    @Test func `a client that sends a byte now and then is closed nevertheless`() throws {
        let connections = OpenConnections(limit: 2, lifetime: .seconds(10))
        let channel = EmbeddedChannel()
        try LoopbackConnection.configure(channel, session: session, in: connections)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()

        for byte in "POST / HT".utf8 {
            try channel.writeInbound(ByteBuffer(bytes: [byte]))
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        }
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))

        #expect(!channel.isActive)
    }

    @Test func `a connection above the limit closes the oldest`() throws {
        let connections = OpenConnections(limit: 2, lifetime: .seconds(10))
        let channels = (0..<3).map { _ in EmbeddedChannel() }

        for channel in channels {
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            connections.admit(channel)
        }

        #expect(channels.map(\.isActive) == [false, true, true])
    }

    @Test func `a connection that ended frees a slot`() throws {
        let connections = OpenConnections(limit: 1, lifetime: .seconds(10))
        let channels = (0..<2).map { _ in EmbeddedChannel() }

        for channel in channels {
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            connections.admit(channel)
            if channel === channels[0] { try channel.close().wait() }
        }

        #expect(channels[1].isActive)
    }

    @Test func `no connection outlives the listener`() async throws {
        let listener = try await LoopbackListener.open(port: nil, host: "localhost", session: session)
        let connection = try RawConnection(port: listener.port)
        defer { connection.close() }
        connection.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nstate=".utf8)

        await listener.close()

        // Nothing came, and nothing will come: the other end is closed.
        #expect(await connection.rest() == [])
    }
}
