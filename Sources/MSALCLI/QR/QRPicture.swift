// Licensed under the MIT License. See LICENSE.

import CommandOutput

/// A QR code made of characters. Each character shows two modules, one above the other.
struct QRPicture {
    /// The light border that the standard asks for.
    static let border = 4

    private let symbol: QRSymbol

    /// The picture of a text; `nil` if it needs more than `width` characters in a line.
    init?(_ text: String, width: Int) {
        guard let symbol = QRSymbol(text, widest: width - 2 * Self.border) else { return nil }
        self.init(symbol)
    }

    init(_ symbol: QRSymbol) { self.symbol = symbol }

    /// The lines, all of the same length. They draw the light modules, because most terminals have a dark background.
    var lines: [String] {
        let range = -Self.border..<symbol.side + Self.border
        return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { row in
            String(
                range.map { column in
                    switch (
                        isLight(row: row, column: column),
                        row + 1 < range.upperBound && isLight(row: row + 1, column: column)
                    ) {
                    case (true, true): "█"
                    case (true, false): "▀"
                    case (false, true): "▄"
                    case (false, false): " "
                    }
                }
            )
        }
    }

    /// The picture in white on black, if colors are used.
    func text(_ style: Style) -> TerminalText {
        lines.map(style.whiteOnBlack).joined(separator: "\n")
    }

    private func isLight(row: Int, column: Int) -> Bool {
        let modules = 0..<symbol.side
        guard modules.contains(row), modules.contains(column) else { return true }
        return !symbol[row: row, column: column]
    }
}
