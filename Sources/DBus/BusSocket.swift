// Licensed under the MIT License. See LICENSE.

import Glibc

/// A byte stream to a bus. Every wait has a deadline; the socket closes with the object. One thread may read while
/// another writes.
final class BusSocket: Sendable {
    private let descriptor: Int32

    /// Takes ownership of a connected socket.
    init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Connects. Throws `.noBus` before sending anything if no process listens there, or if it belongs to another user.
    convenience init(_ address: BusAddress, until deadline: Deadline) throws(DBusError) {
        let descriptor = socket(
            AF_UNIX,
            Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue),
            0
        )
        guard descriptor >= 0 else { throw DBusError(.noBus, message: "Cannot open a socket (errno \(errno)).") }
        self.init(descriptor: descriptor)
        guard let (socketAddress, length) = address.socketAddress else {
            throw DBusError(.noBus, message: "The address of the session bus is too long for a socket.")
        }
        var target = socketAddress
        while true {
            let status = withUnsafePointer(to: &target) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, length) }
            }
            if status == 0 { break }
            switch errno {
            case EINTR: continue
            // A non-blocking Unix socket reports this while too many others wait to connect.
            case EAGAIN: _ = poll(nil, 0, min(try deadline.slice(), 10))
            default:
                throw DBusError(.noBus, message: "No session bus is running at its address (errno \(errno)).")
            }
        }
        try checkPeer()
    }

    /// An address in the environment may be out of date, and another program may listen there by now.
    private func checkPeer() throws(DBusError) {
        guard let peer = BusPeerCredentials(of: descriptor), TrustedName.isTrusted(peer.user, by: geteuid()) else {
            throw DBusError(
                .noBus,
                message:
                    "The program at the address of the session bus belongs to another user. It was not contacted."
            )
        }
    }

    /// Shuts down the stream in both directions. Threads that wait in `read` or `write` get `.disconnected`.
    func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Sends all of `bytes`, with copies of `descriptors` attached to the first ones.
    func write(_ bytes: [UInt8], descriptors: [CInt] = [], until deadline: Deadline) throws(DBusError) {
        var rest = bytes[...]
        var descriptors = descriptors
        while !rest.isEmpty {
            let count = send(rest, with: descriptors)
            if count >= 0 {
                rest = rest.dropFirst(count)
                descriptors = []
            } else if errno == EAGAIN {
                try wait(for: Int16(POLLOUT), until: deadline)
            } else if errno != EINTR {
                throw DBusError(.disconnected, message: "The session bus closed the connection.")
            }
        }
    }

    /// Calls `sendmsg(2)` once. The control data consists of a header and the descriptors (cmsg(3), `SCM_RIGHTS` in
    /// unix(7)).
    private func send(_ bytes: ArraySlice<UInt8>, with descriptors: [CInt]) -> Int {
        // Swift does not have glibc's macros for these lengths. Both parts are padded to the size of a word.
        func aligned(_ count: Int) -> Int {
            let word = MemoryLayout<Int>.size
            return (count + word - 1) / word * word
        }
        let header = aligned(MemoryLayout<cmsghdr>.size)
        let content = descriptors.count * MemoryLayout<CInt>.size
        var control = [UInt8](repeating: 0, count: descriptors.isEmpty ? 0 : header + aligned(content))
        return control.withUnsafeMutableBytes { control in
            if !descriptors.isEmpty {
                var rights = cmsghdr()
                rights.cmsg_len = header + content
                (rights.cmsg_level, rights.cmsg_type) = (SOL_SOCKET, CInt(SCM_RIGHTS))
                withUnsafeBytes(of: rights) { control.copyMemory(from: $0) }
                descriptors.withUnsafeBytes {
                    UnsafeMutableRawBufferPointer(rebasing: control[header...]).copyMemory(from: $0)
                }
            }
            return bytes.withUnsafeBytes { bytes in
                var part = iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
                return withUnsafeMutablePointer(to: &part) { part in
                    var message = msghdr()
                    (message.msg_iov, message.msg_iovlen) = (part, 1)
                    (message.msg_control, message.msg_controllen) = (control.baseAddress, control.count)
                    return sendmsg(descriptor, &message, Int32(MSG_NOSIGNAL))
                }
            }
        }
    }

    /// The received bytes, between 1 byte and 64 KiB.
    func read(until deadline: Deadline) throws(DBusError) -> [UInt8] {
        while true {
            // A bus that never stops sending must not block this call beyond its deadline.
            _ = try deadline.slice()
            if let bytes = try readAvailable() { return bytes }
            try wait(for: Int16(POLLIN), until: deadline)
        }
    }

    /// The received bytes, at most 64 KiB; `nil` if there are none.
    func readAvailable() throws(DBusError) -> [UInt8]? {
        while true {
            var count = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, filled in
                // The sockets in tests block, so the flag is necessary.
                count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
                filled = max(0, count)
            }
            if count > 0 { return bytes }
            if count < 0, errno == EAGAIN { return nil }
            if count == 0 || errno != EINTR {
                throw DBusError(.disconnected, message: "The session bus closed the connection.")
            }
        }
    }

    private func wait(for events: Int16, until deadline: Deadline) throws(DBusError) {
        var request = pollfd(fd: descriptor, events: events, revents: 0)
        // After any event, the caller reads or writes again, and that result shows what happened.
        repeat { request.revents = 0 } while poll(&request, 1, try deadline.slice()) == 0
    }
}

/// The process at the other end, as reported by the kernel: `struct ucred` in unix(7). Glibc declares it only for C
/// programs that define `_GNU_SOURCE`, so Swift cannot import it.
private struct BusPeerCredentials {
    private var process: pid_t = 0
    private(set) var user: uid_t = .max
    private var group: gid_t = .max

    init?(of descriptor: Int32) {
        var size = socklen_t(MemoryLayout<Self>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &self, &size) == 0 else { return nil }
    }
}

extension BusAddress {
    /// The address as a kernel structure; `nil` if it is too long.
    fileprivate var socketAddress: (sockaddr_un, socklen_t)? {
        let name: [UInt8]
        switch socket {
        case .path(let path): name = Array(path.utf8) + [0]
        // unix(7): an abstract name begins with a null byte, and its length is given explicitly instead of a
        // terminating null byte.
        case .abstract(let text): name = [0] + Array(text.utf8)
        }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard name.count <= MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let prefix = MemoryLayout.size(ofValue: address) - MemoryLayout.size(ofValue: address.sun_path)
        return (address, socklen_t(prefix + name.count))
    }
}
