// Licensed under the MIT License. See LICENSE.

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
                let colour = self[row: row, column: column]
                let isBlock =
                    self[row: row, column: column + 1] == colour && self[row: row + 1, column: column] == colour
                    && self[row: row + 1, column: column + 1] == colour
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
