// Licensed under the MIT License. See LICENSE.

/// The codewords of a text in byte mode (ISO/IEC 18004, "Data encodation" and "Constructing the final message").
enum QRCodewords {
    /// All codewords in the order in which they are placed.
    ///
    /// The text must fit: ``QRVersion/capacity(_:)``.
    static func message(_ bytes: [UInt8], version: QRVersion, correction: QRCorrection) -> [UInt8] {
        let data = data(bytes, version: version, correction: correction)
        let (count, length) = version.blocks(correction)
        // The last blocks are one codeword longer where the data cannot be divided evenly.
        let short = data.count / count
        let shortBlocks = count - data.count % count
        var blocks: [[UInt8]] = []
        var start = 0
        for index in 0..<count {
            let end = start + short + (index < shortBlocks ? 0 : 1)
            blocks.append(Array(data[start..<end]))
            start = end
        }
        let corrections = blocks.map { ReedSolomon.remainder(of: $0, count: length) }
        return interleaved(blocks) + interleaved(corrections)
    }

    /// Mode, length, text and padding.
    static func data(_ bytes: [UInt8], version: QRVersion, correction: QRCorrection) -> [UInt8] {
        var bits: [Bool] = []
        func append(_ value: Int, count: Int) {
            for place in (0..<count).reversed() { bits.append(value >> place & 1 == 1) }
        }
        append(0b0100, count: 4)
        append(bytes.count, count: version.countBits)
        for byte in bytes { append(Int(byte), count: 8) }
        let capacity = 8 * version.dataCodewords(correction)
        append(0, count: min(4, max(0, capacity - bits.count)))
        append(0, count: (8 - bits.count % 8) % 8)
        var turn = false
        while bits.count < capacity {
            append(turn ? 0b0001_0001 : 0b1110_1100, count: 8)
            turn.toggle()
        }
        return stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<start + 8].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
        }
    }

    /// The first of each block, then the second of each, and so on.
    private static func interleaved(_ blocks: [[UInt8]]) -> [UInt8] {
        let longest = blocks.map(\.count).max() ?? 0
        return (0..<longest).flatMap { place in
            blocks.compactMap { place < $0.count ? $0[place] : nil }
        }
    }
}

/// Correction codewords over the field of 256 elements (ISO/IEC 18004, "Error correction coding").
enum ReedSolomon {
    /// The remainder of the data, as a polynomial, after division by the generator polynomial of degree `count`.
    static func remainder(of data: [UInt8], count: Int) -> [UInt8] {
        let generator = generator(count: count)
        var remainder = [UInt8](repeating: 0, count: count)
        for byte in data {
            let factor = byte ^ remainder.removeFirst()
            remainder.append(0)
            for index in remainder.indices { remainder[index] ^= product(generator[index], by: factor) }
        }
        return remainder
    }

    /// The coefficients of the generator polynomial: the product of x - 2^i for each i below the degree. The leading
    /// coefficient is 1 and is left out.
    private static func generator(count: Int) -> [UInt8] {
        var coefficients = [UInt8](repeating: 0, count: count)
        coefficients[count - 1] = 1
        var root: UInt8 = 1
        for _ in 0..<count {
            for index in coefficients.indices {
                coefficients[index] = product(coefficients[index], by: root)
                if index + 1 < count { coefficients[index] ^= coefficients[index + 1] }
            }
            root = product(root, by: 2)
        }
        return coefficients
    }

    /// The product in the field, whose prime polynomial is x^8 + x^4 + x^3 + x^2 + 1.
    static func product(_ first: UInt8, by second: UInt8) -> UInt8 {
        var (sum, shifted, factors) = (0, Int(first), second)
        while factors > 0 {
            if factors & 1 == 1 { sum ^= shifted }
            shifted <<= 1
            if shifted > 0xFF { shifted ^= 0x11D }
            factors >>= 1
        }
        return UInt8(sum)
    }
}
