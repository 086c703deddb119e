// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Testing

@testable import MSALCLI

struct QRSymbolTests {
    @Test func `the standard's example has the standard's correction codewords`() {
        // ISO/IEC 18004, Annex I: the digits 01234567 in version 1-M.
        let data: [UInt8] = [
            0x10, 0x20, 0x0C, 0x56, 0x61, 0x80, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11,
        ]

        let correction = ReedSolomon.remainder(of: data, count: 10)

        #expect(correction == [0xA5, 0x24, 0xD4, 0xC1, 0xED, 0x36, 0xC7, 0x87, 0x2C, 0x55])
    }

    @Test func `format information matches the standard's example`() {
        // ISO/IEC 18004, "Format information": error correction M with mask 101.
        #expect(QRSymbol.format(.medium, mask: 0b101) == 0b100_0000_1100_1110)
        #expect(QRSymbol.format(.low, mask: 0) == 0b111_0111_1100_0100)
    }

    @Test func `version information matches the standard's example`() {
        // ISO/IEC 18004, "Version information": version 7.
        #expect(QRSymbol.information(QRVersion(number: 7)) == 0b00_0111_1100_1001_0100)
    }

    /// ISO/IEC 18004, "Error correction characteristics" and "Number of symbol characters and input data capacity".
    @Test(
        arguments: zip(
            QRVersion.all,
            [
                (26, 17, 14), (44, 32, 26), (70, 53, 42), (100, 78, 62), (134, 106, 84), (172, 134, 106),
                (196, 154, 122), (242, 192, 152), (292, 230, 180), (346, 271, 213),
            ]
        )
    )
    func `a version has the capacity in the standard's table`(_ version: QRVersion, table: (Int, Int, Int)) {
        #expect(version.codewords == table.0)
        #expect(version.capacity(.low) == table.1)
        #expect(version.capacity(.medium) == table.2)
    }

    @Test func `data end with a terminator and the two pad codewords in turn`() {
        let data = QRCodewords.data(Array("ab".utf8), version: QRVersion(number: 1), correction: .medium)

        #expect(
            data == [0x40, 0x26, 0x16, 0x20, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11]
        )
    }

    @Test func `a full symbol has no room for a terminator`() {
        let version = QRVersion(number: 1)
        let text = String(repeating: "a", count: version.capacity(.low))

        let data = QRCodewords.data(Array(text.utf8), version: version, correction: .low)

        #expect(data.count == 19)
        #expect(data.last == 0x10)
    }

    @Test func `the address of the service's device page fits into a terminal of forty columns`() throws {
        let picture = try #require(QRPicture("https://microsoft.com/devicelogin", width: 40))

        #expect(picture.lines.count == 19)
        #expect(Set(picture.lines.map(\.count)) == [37])
    }

    @Test func `less error correction is used before the symbol is omitted`() throws {
        let text = String(repeating: "a", count: 50)

        #expect(try #require(QRSymbol(text)).correction == .medium)
        #expect(try #require(QRSymbol(text, widest: 32)).correction == .low)
        #expect(QRSymbol(text, widest: 28) == nil)
        #expect(QRSymbol(String(repeating: "a", count: 272)) == nil)
    }

    @Test func `a symbol has no colors if none are requested`() throws {
        let picture = try #require(QRPicture("a", width: 80))

        #expect(picture.text(.plain).description == picture.lines.joined(separator: "\n"))
        #expect(picture.text(Style(isColored: true)).description.hasPrefix("\u{1B}[97;40m█"))
    }
}
