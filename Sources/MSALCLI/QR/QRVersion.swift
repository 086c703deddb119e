// Licensed under the MIT License. See LICENSE.

/// How much of a symbol may be unreadable (ISO/IEC 18004, "Error correction").
enum QRCorrection: CaseIterable {
    /// The symbol stays readable with about 7 of 100 codewords damaged.
    case low
    /// The symbol stays readable with about 15 of 100 codewords damaged.
    case medium

    /// The two bits in the format information.
    var bits: Int {
        switch self {
        case .low: 0b01
        case .medium: 0b00
        }
    }
}

/// A size of symbol, from 1 to 10. Larger ones do not fit into a usual terminal.
struct QRVersion: Equatable {
    let number: Int

    static let all = (1...10).map(QRVersion.init(number:))

    /// The modules of one side.
    var side: Int { 17 + 4 * number }

    /// The bits of the field that counts the bytes.
    var countBits: Int { number < 10 ? 8 : 16 }

    /// The positions of the centers of the alignment patterns, for rows and columns alike (ISO/IEC 18004, Annex E).
    var alignmentCenters: [Int] {
        switch number {
        case 1: []
        case 2...6: [6, side - 7]
        default: [6, (side - 1) / 2, side - 7]
        }
    }

    /// The number of all codewords of the symbol: they fill the modules that the function patterns leave free.
    var codewords: Int {
        let centers = alignmentCenters.count
        // Three finder patterns with their separators, two timing patterns, format information and the dark module.
        var modules = side * side - 3 * 64 - 2 * (side - 16) - 31
        if centers > 0 {
            // In three corners there is a finder pattern instead. An alignment pattern on a timing pattern shares five
            // modules with it.
            modules -= 25 * (centers * centers - 3) - 5 * 2 * (centers - 2)
        }
        if number >= 7 { modules -= 2 * 18 }
        return modules / 8
    }

    /// The number of blocks, each of which is corrected by itself, and the number of correction codewords in each
    /// (ISO/IEC 18004, "Error correction characteristics").
    func blocks(_ correction: QRCorrection) -> (count: Int, correctionCodewords: Int) {
        let table: [(Int, Int)] =
            switch correction {
            case .low:
                [(1, 7), (1, 10), (1, 15), (1, 20), (1, 26), (2, 18), (2, 20), (2, 24), (2, 30), (4, 18)]
            case .medium:
                [(1, 10), (1, 16), (1, 26), (2, 18), (2, 24), (4, 16), (4, 18), (4, 22), (5, 22), (5, 26)]
            }
        return table[number - 1]
    }

    /// The number of codewords that hold data.
    func dataCodewords(_ correction: QRCorrection) -> Int {
        let blocks = blocks(correction)
        return codewords - blocks.count * blocks.correctionCodewords
    }

    /// The number of bytes of a text that fit.
    func capacity(_ correction: QRCorrection) -> Int {
        (8 * dataCodewords(correction) - 4 - countBits) / 8
    }
}
