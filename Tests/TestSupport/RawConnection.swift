// Licensed under the MIT License. See LICENSE.

import Foundation

/// A connection to a port of 127.0.0.1 for bytes that no HTTP client would send.
package struct RawConnection: Sendable {
    private let descriptor: Int32

    /// Connects. Throws the system's error.
    package init(port: Int) throws {
        descriptor = LoopbackSocket.open()
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else {
            let code = POSIXErrorCode(rawValue: errno) ?? .ECONNREFUSED
            if descriptor >= 0 { LoopbackSocket.close(descriptor) }
            throw POSIXError(code)
        }
        // This matters only for a broken listener.
        var patience = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Sends as many bytes as the peer accepts.
    package func send(_ bytes: some Sequence<UInt8>) {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { LoopbackSocket.send($0, to: descriptor) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Ends the request and reads the response to its end.
    ///
    /// - Returns: All of it; `nil` if the other end stays silent and leaves the connection open.
    package func finish() async -> [UInt8]? {
        shutdown(descriptor, Int32(SHUT_WR))
        return await rest()
    }

    /// Reads to the end.
    ///
    /// - Returns: All of it; `nil` if the other end stays silent and leaves the connection open.
    package func rest() async -> [UInt8]? {
        await withCheckedContinuation { continuation in
            // A thread of its own: it blocks.
            Thread.detachNewThread {
                var (bytes, part) = ([UInt8](), [UInt8](repeating: 0, count: 16_384))
                while true {
                    let count = recv(descriptor, &part, part.count, 0)
                    guard count > 0 else {
                        return continuation.resume(returning: count < 0 && errno == EAGAIN ? nil : bytes)
                    }
                    bytes += part[..<count]
                }
            }
        }
    }

    /// Closes the connection. Call it once.
    package func close() {
        LoopbackSocket.close(descriptor)
    }
}
