// Licensed under the MIT License. See LICENSE.

#if os(Linux)
    import Foundation

    /// The loopback interface of a network namespace, which is down in a new one (netdevice(7)).
    enum LoopbackInterface {
        /// A call that the kernel rejected.
        struct Failure: LocalizedError {
            let errorDescription: String?
        }

        /// Brings it up, and adds an address to 127.0.0.1 and ::1.
        ///
        /// - Throws: `Failure`, if this process has no rights over the network namespace.
        static func start(with address: [UInt8]) throws(Failure) {
            let socket = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
            guard socket >= 0 else { throw failure("a socket") }
            defer { close(socket) }
            try set(SIOCSIFFLAGS, of: "lo", to: bytes(of: UInt16(IFF_UP | IFF_RUNNING)), by: socket)
            // A second address requires a label. The default mask of its class would also cover its neighbors.
            try set(SIOCSIFADDR, of: "lo:0", to: internetAddress(address), by: socket)
            try set(SIOCSIFNETMASK, of: "lo:0", to: internetAddress([255, 255, 255, 255]), by: socket)
        }

        /// The bytes of a `sockaddr_in` without a port.
        private static func internetAddress(_ address: [UInt8]) -> [UInt8] {
            bytes(of: UInt16(AF_INET)) + [0, 0] + address
        }

        private static func bytes(of number: UInt16) -> [UInt8] { withUnsafeBytes(of: number, Array.init) }

        /// Performs a request: the name of the interface in 16 bytes, followed by a value.
        private static func set(
            _ request: Int32,
            of name: String,
            to value: [UInt8],
            by socket: Int32
        ) throws(Failure) {
            var bytes = [UInt8](repeating: 0, count: MemoryLayout<ifreq>.size)
            bytes.replaceSubrange(0..<name.utf8.count, with: name.utf8)
            bytes.replaceSubrange(Int(IFNAMSIZ)..<Int(IFNAMSIZ) + value.count, with: value)
            let result = bytes.withUnsafeMutableBytes { buffer in
                buffer.baseAddress.map { ioctl(socket, UInt(request), $0) } ?? -1
            }
            guard result == 0 else { throw failure("the interface \(name)") }
        }

        private static func failure(_ what: String) -> Failure {
            Failure(
                errorDescription:
                    "cannot create the network of the program: \(what): \(String(cString: strerror(errno)))"
            )
        }
    }
#else
    // Other systems have no namespaces, and `ServiceMachine` says so there.
#endif
