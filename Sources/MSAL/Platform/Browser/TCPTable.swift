// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALSupport

/// The kernel's tables of TCP sockets, as text (proc_net_tcp(5)).
struct TCPTable: Sendable {
    /// One line of a table. Addresses are as the kernel writes them: `0100007F:1F90` is 127.0.0.1:8080.
    struct Socket: Sendable {
        let local: Substring
        let isListening: Bool
        let user: uid_t
        /// 0 for a socket that no process holds any more.
        let inode: UInt64

        /// The port of the local end.
        var port: Int? { local.split(separator: ":").last.flatMap { Int($0, radix: 16) } }

        /// A line, with or without its number. `nil` for the head of the table, and for what has not the form of a line.
        init?(_ line: Substring) {
            var fields = line.split(separator: " ", omittingEmptySubsequences: true)
            if fields.first?.hasSuffix(":") == true { fields.removeFirst() }
            guard fields.count > 8, fields[0].contains(":"), let user = uid_t(fields[6]),
                let inode = UInt64(fields[8])
            else { return nil }
            local = fields[0]
            isListening = fields[2] == "0A"
            self.user = user
            self.inode = inode
        }
    }

    private let text: String

    init(_ text: String) {
        self.text = text
    }

    /// All of them.
    var sockets: [Socket] { text.split(separator: "\n").compactMap(Socket.init) }

    /// The one with these ends, as the kernel writes them. Other lines are not taken apart: a busy machine has thousands.
    func socket(local: String, remote: String) -> Socket? {
        let bytes = Data(text.utf8)
        guard let ends = bytes.range(of: Data(" \(local) \(remote) ".utf8)) else { return nil }
        let line = bytes[ends.lowerBound...].prefix { $0 != UInt8(ascii: "\n") }
        return Socket(Substring(decoding: line, as: UTF8.self))
    }

    /// The tables of this machine, as they are now; none in a place without `/proc`.
    static func current() -> [TCPTable] {
        ["/proc/net/tcp", "/proc/net/tcp6"].compactMap { KernelFile.text(at: $0).map(TCPTable.init) }
    }
}
