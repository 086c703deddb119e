// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// The kernel's tables of TCP sockets, as text (proc_net_tcp(5)).
struct TCPTable: Sendable {
    /// A line of a table, with addresses in the kernel's notation: `0100007F:1F90` is 127.0.0.1:8080.
    struct Socket: Sendable {
        let local: Substring
        let isListening: Bool
        let isEstablished: Bool
        let user: uid_t
        /// The inode number of the socket; 0 if no process has the socket open any more.
        let inode: UInt64

        /// The port of the local end.
        var port: Int? { local.split(separator: ":").last.flatMap { Int($0, radix: 16) } }

        /// Parses a line, with or without its number; `nil` for the header of the table and for a malformed line.
        init?(_ line: Substring) {
            var fields = line.split(separator: " ", omittingEmptySubsequences: true)
            if fields.first?.hasSuffix(":") == true { fields.removeFirst() }
            guard fields.count > 8, fields[0].contains(":"), let user = uid_t(fields[6]),
                let inode = UInt64(fields[8])
            else { return nil }
            local = fields[0]
            isListening = fields[2] == "0A"
            isEstablished = fields[2] == "01"
            self.user = user
            self.inode = inode
        }
    }

    private let text: String

    init(_ text: String) { self.text = text }

    /// All sockets of the table.
    var sockets: [Socket] { text.split(separator: "\n").compactMap(Socket.init) }

    /// The socket with these ends, in the kernel's notation. Other lines are not parsed because a busy machine has
    /// thousands.
    func socket(local: String, remote: String) -> Socket? {
        let bytes = Data(text.utf8)
        guard let ends = bytes.range(of: Data(" \(local) \(remote) ".utf8)) else { return nil }
        let line = bytes[ends.lowerBound...].prefix { $0 != UInt8(ascii: "\n") }
        return Socket(Substring(decoding: line, as: UTF8.self))
    }

    /// The current tables of this machine; empty without `/proc`.
    static func current() -> [TCPTable] {
        ["/proc/net/tcp", "/proc/net/tcp6"].compactMap { KernelFile.text(at: $0).map(TCPTable.init) }
    }
}
