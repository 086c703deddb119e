// Licensed under the MIT License. See LICENSE.

import NIOCore
import NIOEmbedded
import Testing

@testable import EntraEmulator

/// The end of a listener whose clients stay.
struct OpenConnectionsTests {
    private let connections = ServerConnections()
    private let channel = EmbeddedChannel()

    init() throws {
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    @Test func `a client that stays is disconnected in time`() {
        connections.add(channel)

        connections.end(within: .seconds(1))
        let wasOpen = channel.isActive
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))

        #expect(wasOpen && !channel.isActive)
    }

    @Test func `a connection that comes after the end is closed at once`() {
        connections.end(within: .seconds(1))

        connections.add(channel)

        #expect(!channel.isActive)
    }
}
