// Licensed under the MIT License. See LICENSE.

package import Foundation
import Glibc

extension UUID {
    /// A random UUID. `UUID()` opens the system's random device each time, which costs a fifth of a
    /// silent token from memory.
    package static func random() -> UUID {
        var bytes = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)).uuid
        guard withUnsafeMutableBytes(of: &bytes, { getentropy($0.baseAddress, $0.count) }) == 0 else { return UUID() }
        return UUID(random: bytes)
    }

    /// The version 4 UUID of random bytes, six bits of which give way to version and variant (RFC 9562 §5.4).
    package init(random bytes: uuid_t) {
        var bytes = bytes
        bytes.6 = bytes.6 & 0x0F | 0x40
        bytes.8 = bytes.8 & 0x3F | 0x80
        self.init(uuid: bytes)
    }
}
