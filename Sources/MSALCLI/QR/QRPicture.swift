// Licensed under the MIT License. See LICENSE.

import CommandOutput

/// A QR code in characters, each of which shows two modules above each other.
struct QRPicture {
    /// The light border that the standard asks for.
    static let border = 4

    private let symbol: QRSymbol

    /// The picture of a text; `nil`, if it is wider than this many characters.
    init?(_ text: String, width: Int) {
        guard let symbol = QRSymbol(text, widest: width - 2 * Self.border) else { return nil }
        self.init(symbol)
    }

    init(_ symbol: QRSymbol) {
        self.symbol = symbol
    }

    /// The lines, of the same length. The light modules are drawn, because most terminals are dark.
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

    /// The picture in white on black, where colours are used.
    func text(_ style: Style) -> TerminalText {
        lines.map(style.whiteOnBlack).joined(separator: "\n")
    }

    private func isLight(row: Int, column: Int) -> Bool {
        let modules = 0..<symbol.side
        guard modules.contains(row), modules.contains(column) else { return true }
        return !symbol[row: row, column: column]
    }
}
