// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import Testing

@testable import MSALCLI

struct TerminalTextTests {
    /// Everything that a terminal interprets, by its code point.
    private static let active =
        Array(0x00...0x1F) + Array(0x7F...0x9F) + [0x061C, 0x200E, 0x200F, 0x2028, 0x2029] + Array(0x202A...0x202E)
        + Array(0x2066...0x2069)

    @Test func `only characters that a terminal interprets are changed in a value, and made visible`() throws {
        let active = Set(Self.active)
        // One expectation for all, because a million would take seconds.
        let wrong = (0...0x10FFFF).filter { number in
            guard let scalar = Unicode.Scalar(number) else { return false }
            let shown: TerminalText = "\(String(scalar))"
            return (shown.description != String(scalar)) != active.contains(number)
        }

        #expect(wrong == [], "\(wrong.prefix(10).map { "U+" + String($0, radix: 16) })")
    }

    @Test(arguments: [
        ("\u{1B}]0;owned\u{7}", "^[]0;owned^G"),
        ("a\nmsal: b", "a^Jmsal: b"),
        ("a\r\nb", "a^M^Jb"),
        ("\u{7F}", "^?"),
        ("\u{9B}2J", "<U+009B>2J"),
        ("\u{202E}gpj.exe", "<U+202E>gpj.exe"),
        ("Zoë 李 👩‍👩‍👧 e\u{301}", "Zoë 李 👩‍👩‍👧 e\u{301}"),
    ])
    func `a value is shown with visible control characters`(value: String, shown: String) {
        #expect(("\(value)" as TerminalText).description == shown)
        #expect(value.visible.visible == shown)
    }

    @Test func `the command's own lines and colors stay, around a value that contains such sequences`() {
        let style = Style(isColored: true)
        let text: TerminalText = "\(style.strong("\u{1B}[2J"))\nNext: \("a\nb")"

        #expect(text.description == "\u{1B}[1m^[[2J\u{1B}[0m\nNext: a^Jb")
    }

    @Test func `a document keeps its lines and tabs`() {
        #expect(TerminalText(lines: "a\tb\r\nc\u{1B}[2J").description == "a\tb^M\nc^[[2J")
    }

    @Test func `JSON for people is still JSON of the same value`() throws {
        let value = Self.active.compactMap(Unicode.Scalar.init).map(String.init).joined()
        let json = try #require(JSONText.pretty(["a": value]))

        let shown = TerminalText(json: json).description

        #expect(shown == TerminalText(lines: shown).description)
        #expect(try JSONDecoder().decode([String: String].self, from: Data(shown.utf8)) == ["a": value])
    }

    @Test func `JSON is escaped on a terminal and unchanged elsewhere`() throws {
        let terminal = try #require(PseudoTerminal())
        defer { terminal.close() }
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let pipe = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)

        try Terminal(descriptor: terminal.program).deliver(json: "\"\u{9B}\u{202E}\u{7F}\"")
        try Terminal(descriptor: ends[1]).deliver(json: "\"\u{9B}\u{202E}\u{7F}\"")
        close(ends[1])

        #expect(terminal.screen() == "\"\\u009b\\u202e\\u007f\"\r\n")
        #expect(try pipe.readToEnd() == Data("\"\u{9B}\u{202E}\u{7F}\"\n".utf8))
    }

    /// The compiler restricts text to `Terminal`. This test prevents the rest of the code from bypassing it.
    @Test(arguments: ["MSALCLI", "EntraEmulatorCLI"])
    func `nothing else writes to the standard streams`(target: String) throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources/\(target)")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        let writers = [
            "print(", "debugPrint(", "dump(", "fputs(", "puts(", "fwrite(", "printf(", "perror(",
            "standardOutput.write",
            "standardError", "STDOUT_FILENO", "FileHandle(fileDescriptor: 1", "FileHandle(fileDescriptor: 2",
        ]

        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            for writer in writers { #expect(!text.contains(writer), "\(file.lastPathComponent) has \(writer)") }
        }
    }
}
