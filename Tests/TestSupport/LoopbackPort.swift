// Licensed under the MIT License. See LICENSE.

import Foundation

/// A free port of 127.0.0.1 that this process holds. It does not respond unless its owner does.
package struct LoopbackPort: Sendable {
    /// The socket, which its owner closes.
    package let descriptor: Int32
    /// The number that the system chose.
    package let number: Int

    /// Reserves a port, and listens there unless connections are to be refused. Throws the system's error, which is rare:
    /// all ports would have to be in use.
    package init(isListening: Bool = true) throws {
        let descriptor = LoopbackSocket.open()
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isHeld = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && (!isListening || listen(descriptor, 16) == 0)
                    && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard isHeld else {
            let code = POSIXErrorCode(rawValue: errno) ?? .EADDRNOTAVAIL
            if descriptor >= 0 { close(descriptor) }
            throw POSIXError(code)
        }
        self.descriptor = descriptor
        number = Int(UInt16(bigEndian: address.sin_port))
    }
}
