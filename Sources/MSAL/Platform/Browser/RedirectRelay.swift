// Licensed under the MIT License. See LICENSE.

import Foundation

/// Passes a custom-scheme redirect from the process that the desktop started for it to the waiting process.
///
/// A desktop starts a new process for each URL with the app's scheme. Every waiting process listens on its own socket
/// in `$XDG_RUNTIME_DIR/msal` (directory 0700, socket 0600). Both ends check the other's user before a byte is
/// exchanged (docs/reference/RedirectURIs.md#relay). The URL is sent in one direction, and whether it was accepted in
/// the other.
package struct RedirectRelay: Sendable {
    /// The maximum length of a URL, in bytes.
    static let maximumBytes = 65_536
    static let taken = "taken"
    static let unknown = "unknown"

    let directory: String

    /// `nil` if the login session has no runtime directory. Then only this process's own redirects arrive.
    package init?(environment: [String: String]) {
        guard let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") else { return nil }
        directory = runtime + (runtime.hasSuffix("/") ? "msal" : "/msal")
    }

    /// Offers a redirect to the waiting processes of this user, one after another.
    ///
    /// Blocks the caller for at most two seconds for each process. A running process responds immediately.
    ///
    /// - Returns: Whether one of them accepted it.
    package func send(_ url: URL) -> Bool {
        let line = Data((url.absoluteString + "\n").utf8)
        guard line.count <= Self.maximumBytes, isPrivate(directory) else { return false }
        // No process waits in a directory that cannot be listed.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.filter { $0.hasSuffix(".socket") }.sorted().contains { name in
            offer(line, at: "\(directory)/\(name)")
        }
    }

    private func offer(_ line: Data, at path: String) -> Bool {
        guard let address = sockaddr_un(path: path) else { return false }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var timeout = timeval(tv_sec: 2, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, size)
        guard address.connect(descriptor) else {
            // A killed process left the socket behind, which can never be used again.
            if errno == ECONNREFUSED { unlink(path) }
            return false
        }
        guard peerUser(of: descriptor) == geteuid(), write(line, to: descriptor) else { return false }
        var response = [UInt8](repeating: 0, count: Self.taken.utf8.count)
        let count = recv(descriptor, &response, response.count, Int32(MSG_WAITALL))
        return count == response.count && response.elementsEqual(Self.taken.utf8)
    }

    private func write(_ bytes: Data, to descriptor: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            // A process that exits in between must not kill this one with SIGPIPE.
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private func peerUser(of descriptor: Int32) -> uid_t? {
        var peer = PeerCredentials()
        var size = socklen_t(MemoryLayout<PeerCredentials>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? peer.user : nil
    }

    /// Whether only this user can access a directory.
    func isPrivate(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
            && status.st_mode & 0o077 == 0
    }
}

/// The kernel's description of the process at the other end, `struct ucred` in unix(7). Glibc declares it only for C
/// programs with extensions.
struct PeerCredentials: Sendable {
    var process: pid_t = 0
    var user = uid_t.max
    var group = gid_t.max
}

extension sockaddr_un {
    /// The address of a socket in the file system; `nil` if the path is longer than 107 bytes (unix(7)).
    fileprivate init?(path: String) {
        self.init()
        sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let fits = withUnsafeMutableBytes(of: &sun_path) { target in
            guard bytes.count < target.count else { return false }
            target.copyBytes(from: bytes)
            return true
        }
        guard fits else { return nil }
    }

    fileprivate func connect(_ descriptor: Int32) -> Bool {
        withUnsafePointer(to: self) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }
}
