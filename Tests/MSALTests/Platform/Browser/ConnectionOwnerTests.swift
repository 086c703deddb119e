// Licensed under the MIT License. See LICENSE.

import Foundation
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import MSAL

struct ConnectionOwnerTests {
    /// Lines as the kernel writes them: the listener at 127.0.0.1:8080, and both ends of a connection to it.
    private static func table(client: String, server: String, user: Int, inode: Int) -> TCPTable {
        TCPTable(
            """
              sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
               0: \(server) 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 11 1 0 100 0 0 10 0
               1: \(server) \(client) 01 00000000:00000000 00:00000000 00000000  1000        0 12 1 0 20 4 30 10 -1
               2: \(client) \(server) 01 00000000:00000000 00:00000000 00000000  \(user)        0 \(inode) 1 0 20 4 30 10 -1
            """
        )
    }

    private static let (client, server) = ("0100007F:C001", "0100007F:1F90")

    @Test(arguments: [
        (1000, 13, ConnectionOwner.own), (1001, 13, .another), (65_534, 13, .another), (0, 13, .unknown),
        (0, 0, .gone), (1000, 0, .gone),
    ])
    func `the client's end of a connection determines the owner`(_ user: Int, _ inode: Int, _ owner: ConnectionOwner) {
        let table = Self.table(client: Self.client, server: Self.server, user: user, inode: inode)

        #expect(ConnectionOwner.find(client: Self.client, server: Self.server, in: [table], user: 1000) == owner)
    }

    @Test func `a client with an IPv6 socket is found at an IPv4 listener`() {
        let mapped = "0000000000000000FFFF0000"
        let table = Self.table(client: mapped + Self.client, server: mapped + Self.server, user: 1001, inode: 13)

        let owner = ConnectionOwner.find(
            client: Self.client,
            server: Self.server,
            in: [TCPTable(""), table],
            user: 1000
        )

        #expect(owner == .another)
    }

    @Test(arguments: ["0100007F:C002", "0200007F:C001"])
    func `a connection that is in neither table is unknown`(_ client: String) {
        let table = Self.table(client: Self.client, server: Self.server, user: 1000, inode: 13)

        #expect(ConnectionOwner.find(client: client, server: Self.server, in: [table], user: 1000) == nil)
        #expect(ConnectionOwner.find(client: client, server: Self.server, in: [], user: 1000) == nil)
    }

    /// A listener at 127.0.0.1:8080, and this machine's end of a connection to it in the kernel's state, if any.
    private static func table(state: String?) -> TCPTable {
        let head = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
        let listener =
            "   0: \(server) 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 11 1 0 0\n"
        let own = state.map {
            "   1: \(server) \(client) \($0) 00000000:00000000 00:00000000 00000000  1000        0 12 1 0 0\n"
        }
        return TCPTable(head + listener + (own ?? ""))
    }

    @Test(arguments: [("01", false), ("08", true), (nil, true)])
    func `a client that closed the connection is detected at this machine's end`(_ state: String?, _ isClosed: Bool) {
        let tables = [TCPTable(""), Self.table(state: state)]

        #expect(ConnectionOwner.find(client: Self.client, server: Self.server, in: tables, user: 1000) == nil)
        #expect(ConnectionOwner.isClosed(client: Self.client, server: Self.server, in: tables) == isClosed)
    }

    @Test func `a table without the listener has no result`() {
        #expect(!ConnectionOwner.isClosed(client: Self.client, server: Self.server, in: []))
        #expect(
            !ConnectionOwner.isClosed(client: Self.client, server: Self.server, in: [TCPTable("  sl  local_address")])
        )
    }

    /// A connection of this process to itself, whose owner the kernel knows.
    @Test(.timeLimit(.minutes(1)), arguments: [false, true])
    func `a connection that was reset has no owner`(_ isReset: Bool) async throws {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0) { $0.eventLoop.makeSucceededFuture($0) }
        defer { listener.channel.close(promise: nil) }
        let server = try #require(listener.channel.localAddress)
        let client = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connect(to: server).get()
        let address = try #require(client.localAddress)
        #expect(ConnectionOwner.find(client: address, server: server) == .own)

        // A linger time of zero makes the kernel reset the connection (socket(7)).
        if isReset {
            let options = try #require(client as? any SocketOptionProvider)
            try await options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
        }
        try await client.close()

        // A child that another test starts has the connection, too, until it runs its own program.
        try await until(ConnectionOwner.find(client: address, server: server) != .own)
        #expect(ConnectionOwner.find(client: address, server: server) == .gone)
    }

    @Test func `addresses are formatted as the kernel formats them`() throws {
        let v4 = try SocketAddress(ipAddress: "127.0.0.1", port: 8080)
        let v6 = try SocketAddress(ipAddress: "::1", port: 80)

        #expect(ConnectionOwner.kernelText(v4) == "0100007F:1F90")
        #expect(ConnectionOwner.kernelText(v6) == "00000000000000000000000001000000:0050")
    }

    @Test(arguments: [
        "", "sl local", "0: zz zz", "1: 0100007F:1F90 0100007F:1F91 01 0 0 0 -1 0 x 1", "\u{0}: : : : : : : : : :",
    ])
    func `a malformed line of a table is skipped`(_ text: String) {
        #expect(TCPTable(text).sockets.isEmpty)
    }
}
