// Licensed under the MIT License. See LICENSE.

import Foundation

/// Finds out who listens on a port, from the kernel's tables (proc_net_tcp(5), proc_pid_fd(5)).
enum LoopbackPortOwner {
    /// The owner of a TCP port in words, such as `python3 (process 4711)`; `nil` if nobody is found.
    ///
    /// Programs of other users are known by their user's number only.
    static func describe(port: Int) -> String? {
        for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
            guard let text = KernelFile.text(at: table) else { continue }
            for line in text.split(separator: "\n") {
                guard let listener = Listener(line), listener.port == port else { continue }
                return process(holding: listener.inode) ?? "a program of the user with the id \(listener.user)"
            }
        }
        return nil
    }

    /// A line of the table that tells of a listening socket.
    private struct Listener {
        let port: Int
        let user: Int
        let inode: String

        init?(_ line: Substring) {
            let fields = line.split(separator: " ", omittingEmptySubsequences: true)
            // Field 3 is the state, and 0A is TCP_LISTEN. The head of the table has no such field.
            guard fields.count > 9, fields[3] == "0A", let hex = fields[1].split(separator: ":").last,
                let port = Int(hex, radix: 16), let user = Int(fields[7])
            else { return nil }
            self.port = port
            self.user = user
            inode = String(fields[9])
        }
    }

    private static func process(holding inode: String) -> String? {
        let files = FileManager.default
        let target = "socket:[\(inode)]"
        // Processes end while they are looked at, and those of others show nothing: both are passed over.
        for id in (try? files.contentsOfDirectory(atPath: "/proc")) ?? [] where Int(id) != nil {
            let folder = "/proc/\(id)/fd"
            for name in (try? files.contentsOfDirectory(atPath: folder)) ?? []
            where (try? files.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")) == target {
                let name = KernelFile.text(at: "/proc/\(id)/comm")
                return "\(name?.trimmingCharacters(in: .newlines) ?? "a program") (process \(id))"
            }
        }
        return nil
    }
}
