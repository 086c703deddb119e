// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// Finds the process that listens on a port, from the kernel's tables (proc_net_tcp(5), proc_pid_fd(5)).
enum LoopbackPortOwner {
    /// Describes the owner of a TCP port, such as `python3 (process 4711)`; `nil` if no process listens on it.
    ///
    /// For a program of another user, only the user ID is known.
    static func describe(port: Int) -> String? {
        let sockets = TCPTable.current().lazy.flatMap(\.sockets)
        guard let listener = sockets.first(where: { $0.isListening && $0.port == port }) else { return nil }
        return process(holding: listener.inode) ?? "a program of the user with the ID \(listener.user)"
    }

    private static func process(holding inode: UInt64) -> String? {
        let files = FileManager.default
        let target = "socket:[\(inode)]"
        // A process may exit meanwhile, and other users' processes are not readable. Both are skipped. This process is
        // checked first: a child that it is starting also has its sockets until that child executes its own program.
        let ids = ((try? files.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap(Int32.init)
        for id in [getpid()] + ids {
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
