// Licensed under the MIT License. See LICENSE.

extension [UInt8] {
    /// Bytes of the system's random number generator, which nobody can guess.
    package static func random(count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        // The generator asks the system at each call, so each call takes eight bytes.
        while bytes.count < count {
            let word: UInt64 = generator.next()
            Swift.withUnsafeBytes(of: word) { bytes.append(contentsOf: $0.prefix(count - bytes.count)) }
        }
        return bytes
    }
}
