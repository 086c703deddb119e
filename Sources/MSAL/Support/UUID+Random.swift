// Licensed under the MIT License. See LICENSE.

import Foundation

extension UUID {
    /// A random UUID (RFC 9562 §5.4). `UUID()` opens the system's random device each time, which costs a fifth of a
    /// silent token from memory.
    package static func random() -> UUID {
        var generator = SystemRandomNumberGenerator()
        let (high, low) = (generator.next(), generator.next())
        func byte(_ number: UInt64, _ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: number >> (8 * index)) }
        return UUID(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5),
                byte(high, 6) & 0x0F | 0x40, byte(high, 7),
                byte(low, 0) & 0x3F | 0x80, byte(low, 1), byte(low, 2), byte(low, 3), byte(low, 4), byte(low, 5),
                byte(low, 6), byte(low, 7)
            )
        )
    }
}
