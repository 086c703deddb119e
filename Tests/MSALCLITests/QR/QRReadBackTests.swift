// Licensed under the MIT License. See LICENSE.

import Foundation
import TestSupport
import Testing

@testable import MSALCLI

/// Reads this library's symbols with an independent decoder: `Tests/Peers/qr.py`, which `scripts/test --ci` installs.
struct QRReadBackTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    private static let python = root.appending(path: ".venv/bin/python").path()

    /// Whether the decoder is installed.
    private static let canRead: Bool = {
        // The decoder requires Python.
        (try? read([]))?.isEmpty == true
    }()

    @Test(.enabled(if: canRead, "The decoder is not installed: scripts/test --ci"))
    func `an independent decoder reads every version with either error correction`() throws {
        var texts = ["https://microsoft.com/devicelogin", "ß → ✓", "a"]
        var symbols = try texts.map { try #require(QRSymbol($0)) }
        for version in QRVersion.all {
            for correction in QRCorrection.allCases {
                let bytes = (0..<version.capacity(correction)).map { UInt8(33 + ($0 * 7 + version.number) % 90) }
                texts.append(String(decoding: bytes, as: UTF8.self))
                symbols.append(QRSymbol(bytes, version: version, correction: correction))
            }
        }

        let seen = try Self.read(symbols.map { QRPicture($0).lines })

        #expect(seen == texts)
        #expect(Set(symbols.map(\.mask)).count > 4)
    }

    private static func read(_ pictures: [[String]]) throws -> [String] {
        let input = Pipe()
        let program = try StartedProgram(
            python,
            [root.appending(path: "Tests/Peers/qr.py").path()],
            input: input.fileHandleForReading,
            errors: .nullDevice
        )
        try input.fileHandleForReading.close()
        try input.fileHandleForWriting.write(contentsOf: try JSONEncoder().encode(pictures))
        try input.fileHandleForWriting.close()
        return try JSONDecoder().decode([String].self, from: Data(try program.end().text.utf8))
    }
}
