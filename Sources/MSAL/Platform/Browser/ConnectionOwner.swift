// Licensed under the MIT License. See LICENSE.

import Foundation
import NIOCore

/// The owner of a connection to the loopback listener, as known to the kernel.
enum ConnectionOwner: Sendable, Equatable {
    /// The connection is this user's.
    case own
    /// The connection is another user's.
    case another
    /// The owner is unknown: there is no table, or the connection came from root or from a relay that is not in the
    /// table. Root can read this process anyway, and the relays of containers and of WSL run as root.
    case unknown
    /// No process has the client's end open any more: no process would receive a response, and the owner can no longer
    /// be determined.
    case gone

    /// Looks up a connection by its two ends.
    static func find(client: SocketAddress?, server: SocketAddress?) -> ConnectionOwner {
        guard let client = client.flatMap(kernelText), let server = server.flatMap(kernelText) else { return .unknown }
        // A reader may miss a line while the table changes.
        var isClosed = true
        for _ in 0..<2 {
            let tables = TCPTable.current()
            if let owner = find(client: client, server: server, in: tables, user: geteuid()) { return owner }
            isClosed = isClosed && Self.isClosed(client: client, server: server, in: tables)
        }
        return isClosed ? .gone : .unknown
    }

    /// Whether the client has closed the connection. The kernel then drops the client's end, immediately after a reset.
    ///
    /// This machine's own end shows it: it is no longer established. A table without the listener does not contain the
    /// sockets of this process, and proves nothing.
    static func isClosed(client: String, server: String, in tables: [TCPTable]) -> Bool {
        guard let port = server.split(separator: ":").last.flatMap({ Int($0, radix: 16) }),
            tables.contains(where: { $0.sockets.contains { $0.isListening && $0.port == port } })
        else { return false }
        return socket(local: server, remote: client, in: tables)?.isEstablished != true
    }

    /// Looks up addresses in the kernel's notation; `nil` if no line has them.
    static func find(client: String, server: String, in tables: [TCPTable], user own: uid_t) -> ConnectionOwner? {
        guard let socket = socket(local: client, remote: server, in: tables) else { return nil }
        if socket.inode == 0 { return .gone }
        if socket.user == own { return .own }
        return socket.user == 0 ? .unknown : .another
    }

    private static func socket(local: String, remote: String, in tables: [TCPTable]) -> TCPTable.Socket? {
        // A program may reach an IPv4 listener with an IPv6 socket. The kernel then writes both ends as mapped
        // addresses.
        let mapped = "0000000000000000FFFF0000"
        return tables.lazy.compactMap { table in
            table.socket(local: local, remote: remote)
                ?? table.socket(local: mapped + local, remote: mapped + remote)
        }.first
    }

    /// An end of a connection in the notation of the tables: hexadecimal words of 32 bits, in this machine's byte
    /// order.
    static func kernelText(_ address: SocketAddress) -> String? {
        func hex(_ number: some BinaryInteger, digits: Int) -> String {
            let text = String(number, radix: 16, uppercase: true)
            return String(repeating: "0", count: max(0, digits - text.count)) + text
        }
        guard let port = address.port else { return nil }
        switch address {
        case .v4(let v4):
            return hex(v4.address.sin_addr.s_addr, digits: 8) + ":" + hex(port, digits: 4)
        case .v6(let v6):
            let words = withUnsafeBytes(of: v6.address.sin6_addr) { bytes in
                (0..<4).map { index in bytes.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self) }
            }
            return words.map { hex($0, digits: 8) }.joined() + ":" + hex(port, digits: 4)
        case .unixDomainSocket:
            return nil
        }
    }
}
