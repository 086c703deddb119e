// Licensed under the MIT License. See LICENSE.

import Foundation

/// The kernel's tables of TCP sockets, as text (proc_net_tcp(5)).
struct TCPTable: Sendable {
    /// One line of a table. Addresses are as the kernel writes them: `0100007F:1F90` is 127.0.0.1:8080.
    struct Socket: Sendable {
        let local: Substring
        let remote: Substring
        let isListening: Bool
        let user: uid_t
        /// 0 for a socket that no process holds any more.
        let inode: UInt64

        /// The port of the local end.
        var port: Int? { local.split(separator: ":").last.flatMap { Int($0, radix: 16) } }

        /// `nil` for the head of the table, and for what has not the form of a line.
        init?(_ line: Substring) {
            let fields = line.split(separator: " ", omittingEmptySubsequences: true)
            guard fields.count > 9, fields[1].contains(":"), let user = uid_t(fields[7]),
                let inode = UInt64(fields[9])
            else { return nil }
            local = fields[1]
            remote = fields[2]
            isListening = fields[3] == "0A"
            self.user = user
            self.inode = inode
        }
    }

    let sockets: [Socket]

    init(_ text: String) {
        sockets = text.split(separator: "\n").compactMap(Socket.init)
    }

    /// The tables of this machine, as they are now; none in a place without `/proc`.
    static func current() -> [TCPTable] {
        ["/proc/net/tcp", "/proc/net/tcp6"].compactMap { KernelFile.text(at: $0).map(TCPTable.init) }
    }
}
