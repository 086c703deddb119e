// Licensed under the MIT License. See LICENSE.

import Foundation

extension UUID {
    /// A random id (RFC 9562 §5.4), for every request.
    ///
    /// Foundation opens, reads and closes the system's device of random numbers for each one.
    static func random() -> UUID {
        let bytes = Secret.randomBytes(16)
        return UUID(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6] & 0x0F | 0x40, bytes[7],
                bytes[8] & 0x3F | 0x80, bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            )
        )
    }
}
