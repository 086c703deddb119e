// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// Finds out who listens on a port, from the kernel's tables (proc_net_tcp(5), proc_pid_fd(5)).
enum LoopbackPortOwner {
    /// The owner of a TCP port in words, such as `python3 (process 4711)`. The result is `nil` if nobody listens there.
    ///
    /// For a program of another user, only the user's number is known.
    static func describe(port: Int) -> String? {
        let sockets = TCPTable.current().lazy.flatMap(\.sockets)
        guard let listener = sockets.first(where: { $0.isListening && $0.port == port }) else { return nil }
        return process(holding: listener.inode) ?? "a program of the user with the id \(listener.user)"
    }

    private static func process(holding inode: UInt64) -> String? {
        let files = FileManager.default
        let target = "socket:[\(inode)]"
        // A process may end meanwhile, and the processes of other users show nothing. Both are passed over. This
        // process comes first: a child that it is starting has its sockets, too, until that child runs its own program.
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
