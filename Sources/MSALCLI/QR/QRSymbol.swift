// Licensed under the MIT License. See LICENSE.

/// A QR code: a square of dark and light modules (ISO/IEC 18004).
struct QRSymbol: Equatable {
    private(set) var version: QRVersion
    private(set) var correction: QRCorrection
    /// The number of the mask pattern that is combined with the data.
    private(set) var mask = 0
    /// Row by row; `true` is dark.
    private(set) var modules: [Bool]
    /// Whether each module belongs to a pattern and not to the data.
    private var isFunction: [Bool]

    /// The modules of one side.
    var side: Int { version.side }

    /// The smallest symbol that holds a text; `nil` if that needs more than `widest` modules a side.
    ///
    /// The better correction level is used if the symbol then still fits.
    init?(_ text: String, widest: Int = .max) {
        let bytes = Array(text.utf8)
        for correction in [QRCorrection.medium, .low] {
            let version = QRVersion.all.first { $0.capacity(correction) >= bytes.count }
            guard let version, version.side <= widest else { continue }
            self.init(bytes, version: version, correction: correction)
            return
        }
        return nil
    }

    /// A symbol for a text that fits into this version.
    init(_ bytes: [UInt8], version: QRVersion, correction: QRCorrection) {
        self.version = version
        self.correction = correction
        modules = [Bool](repeating: false, count: version.side * version.side)
        isFunction = modules
        drawPatterns()
        place(QRCodewords.message(bytes, version: version, correction: correction))
        let bare = self
        let symbols = (0..<8).map { bare.masked($0) }
        self = symbols.min { $0.penalty < $1.penalty } ?? bare
    }

    subscript(row row: Int, column column: Int) -> Bool {
        get { modules[row * side + column] }
        set { modules[row * side + column] = newValue }
    }

    private mutating func draw(_ isDark: Bool, row: Int, column: Int) {
        self[row: row, column: column] = isDark
        isFunction[row * side + column] = true
    }
}

// ISO/IEC 18004, "Symbol structure".
extension QRSymbol {
    private mutating func drawPatterns() {
        for place in 0..<side {
            draw(place % 2 == 0, row: 6, column: place)
            draw(place % 2 == 0, row: place, column: 6)
        }
        for (row, column) in [(3, 3), (3, side - 4), (side - 4, 3)] { drawFinder(row: row, column: column) }
        let centers = version.alignmentCenters
        for row in centers {
            // Three corners have finder patterns.
            for column in centers where ![[6, 6], [6, centers.last], [centers.last, 6]].contains([row, column]) {
                drawAlignment(row: row, column: column)
            }
        }
        drawFormat()
        drawVersion()
    }

    /// The pattern with its light border.
    private mutating func drawFinder(row: Int, column: Int) {
        for (down, right) in Self.square(4) {
            let (y, x) = (row + down, column + right)
            guard (0..<side).contains(y), (0..<side).contains(x) else { continue }
            let distance = max(abs(down), abs(right))
            draw(distance != 2 && distance != 4, row: y, column: x)
        }
    }

    private mutating func drawAlignment(row: Int, column: Int) {
        for (down, right) in Self.square(2) {
            draw(max(abs(down), abs(right)) != 1, row: row + down, column: column + right)
        }
    }

    private static func square(_ radius: Int) -> [(Int, Int)] {
        (-radius...radius).flatMap { row in (-radius...radius).map { (row, $0) } }
    }

    /// The format information, twice, and the module that is always dark.
    private mutating func drawFormat() {
        let bits = Self.format(correction, mask: mask)
        for place in 0..<15 {
            let isDark = bits >> place & 1 == 1
            // Down the column beside the first finder pattern, and along the row below it; both skip the timing pattern.
            switch place {
            case 0...5: draw(isDark, row: place, column: 8)
            case 6, 7: draw(isDark, row: place + 1, column: 8)
            case 8: draw(isDark, row: 8, column: 7)
            default: draw(isDark, row: 8, column: 14 - place)
            }
            if place < 8 {
                draw(isDark, row: 8, column: side - 1 - place)
            } else {
                draw(isDark, row: side - 15 + place, column: 8)
            }
        }
        draw(true, row: side - 8, column: 8)
    }

    private mutating func drawVersion() {
        guard version.number >= 7 else { return }
        let bits = Self.information(version)
        for place in 0..<18 {
            let isDark = bits >> place & 1 == 1
            draw(isDark, row: side - 11 + place % 3, column: place / 3)
            draw(isDark, row: place / 3, column: side - 11 + place % 3)
        }
    }

    /// The 15 bits of the format information (ISO/IEC 18004, Annex C).
    static func format(_ correction: QRCorrection, mask: Int) -> Int {
        let data = correction.bits << 3 | mask
        return (data << 10 | remainder(data, bits: 10, generator: 0b101_0011_0111)) ^ 0b101_0100_0001_0010
    }

    /// The 18 bits of the version information (ISO/IEC 18004, Annex D).
    static func information(_ version: QRVersion) -> Int {
        version.number << 12 | remainder(version.number, bits: 12, generator: 0b1_1111_0010_0101)
    }

    /// The remainder of the data, moved up by that many bits, as a polynomial over bits.
    private static func remainder(_ data: Int, bits: Int, generator: Int) -> Int {
        var rest = data << bits
        while rest >> bits > 0 {
            let length = Int.bitWidth - rest.leadingZeroBitCount
            rest ^= generator << (length - bits - 1)
        }
        return rest
    }
}

// ISO/IEC 18004, "Codeword placement in matrix" and "Data masking".
extension QRSymbol {
    /// Writes the codewords into pairs of columns from the right, up and down in turn.
    private mutating func place(_ codewords: [UInt8]) {
        let bits: [Bool] = codewords.flatMap { byte -> [Bool] in
            (0..<8).reversed().map { byte >> $0 & 1 == 1 }
        }
        var next = bits.makeIterator()
        var isUpward = true
        // The column of the timing pattern belongs to no pair.
        for right in [Int](stride(from: side - 1, through: 8, by: -2)) + [5, 3, 1] {
            for step in 0..<side {
                let row = isUpward ? side - 1 - step : step
                for column in [right, right - 1] where !isFunction[row * side + column] {
                    // Modules that are left over are light.
                    self[row: row, column: column] = next.next() ?? false
                }
            }
            isUpward.toggle()
        }
    }

    /// The symbol with its data combined with a pattern.
    private func masked(_ number: Int) -> QRSymbol {
        var symbol = self
        symbol.mask = number
        for row in 0..<side {
            for column in 0..<side
            where !isFunction[row * side + column] && Self.inverts(number, row: row, column: column) {
                symbol[row: row, column: column].toggle()
            }
        }
        symbol.drawFormat()
        return symbol
    }

    private static func inverts(_ mask: Int, row: Int, column: Int) -> Bool {
        let value =
            switch mask {
            case 0: (row + column) % 2
            case 1: row % 2
            case 2: column % 3
            case 3: (row + column) % 3
            case 4: (row / 2 + column / 3) % 2
            case 5: row * column % 2 + row * column % 3
            case 6: (row * column % 2 + row * column % 3) % 2
            default: ((row + column) % 2 + row * column % 3) % 2
            }
        return value == 0
    }
}

// ISO/IEC 18004, "Evaluation of data masking results".
extension QRSymbol {
    /// How hard the symbol is to read for a camera. The mask with the lowest penalty is used.
    var penalty: Int {
        let rows = (0..<side).map { row in (0..<side).map { self[row: row, column: $0] } }
        let columns = (0..<side).map { column in (0..<side).map { self[row: $0, column: column] } }
        let lines = rows + columns
        return lines.reduce(0) { $0 + Self.runs($1) + Self.finders($1) } + blocks + imbalance
    }

    /// The penalty for five or more modules of one color in a row.
    private static func runs(_ line: [Bool]) -> Int {
        var (sum, length) = (0, 0)
        for (index, module) in line.enumerated() {
            length = index > 0 && line[index - 1] == module ? length + 1 : 1
            if length == 5 { sum += 3 } else if length > 5 { sum += 1 }
        }
        return sum
    }

    /// The penalty for what looks like a finder pattern: 1 1 3 1 1, with four light modules on one side.
    private static func finders(_ line: [Bool]) -> Int {
        let pattern = [true, false, true, true, true, false, true]
        let light = [false, false, false, false]
        let both = [light + pattern, pattern + light]
        guard line.count >= 11 else { return 0 }
        return (0...line.count - 11).reduce(0) { sum, start in
            sum + (both.contains(Array(line[start..<start + 11])) ? 40 : 0)
        }
    }

    /// The penalty for squares of two by two modules of one color.
    private var blocks: Int {
        var sum = 0
        for row in 0..<side - 1 {
            for column in 0..<side - 1 {
                let color = self[row: row, column: column]
                let isBlock =
                    self[row: row, column: column + 1] == color && self[row: row + 1, column: column] == color
                    && self[row: row + 1, column: column + 1] == color
                if isBlock { sum += 3 }
            }
        }
        return sum
    }

    /// The penalty for a share of dark modules that is not one half. It grows with each five per cent.
    private var imbalance: Int {
        let dark = modules.count { $0 }
        return abs(dark * 20 - modules.count * 10) / modules.count * 10
    }
}
