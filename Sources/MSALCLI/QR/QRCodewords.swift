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
