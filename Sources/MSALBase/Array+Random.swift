// Licensed under the MIT License. See LICENSE.

extension [UInt8] {
    /// Unpredictable bytes from the system's random number generator.
    package static func random(count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        // The generator calls the system each time, so each call fetches eight bytes.
        while bytes.count < count {
            let word: UInt64 = generator.next()
            Swift.withUnsafeBytes(of: word) { bytes.append(contentsOf: $0.prefix(count - bytes.count)) }
        }
        return bytes
    }
}
