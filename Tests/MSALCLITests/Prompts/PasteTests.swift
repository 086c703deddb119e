// Licensed under the MIT License. See LICENSE.

import Foundation
import Testing

@testable import MSALCLI

@Suite(.serialized, .timeLimit(.minutes(1)))
struct PasteTests {
    /// Types bytes once the prompt is shown, and returns what the command reads.
    private func paste(_ bytes: [UInt8], key: UInt8? = UInt8(ascii: "d")) async throws -> TerminalInput.Pasted {
        let terminal = try #require(PseudoTerminal())
        defer { terminal.close() }
        let input = TerminalInput(descriptor: terminal.program)
        let person = terminal.person
        let (prompts, continuation) = AsyncStream.makeStream(of: Int.self)
        async let outcome = input.pasted(key: key) { continuation.yield($0) }
        for await _ in prompts { break }
        #expect(!terminal.echoes)
        // A terminal's buffer is smaller than a long text, so a separate thread types.
        Thread.detachNewThread {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { write(person, $0.baseAddress, min($0.count, 1024)) }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
        let pasted = try await outcome
        #expect(terminal.echoes)
        return pasted
    }

    @Test func `a text may be longer than a line of a terminal`() async throws {
        let text = "http://localhost:8400/?code=" + String(repeating: "x", count: 20_000) + "&state=y"

        #expect(try await paste(Array("\(text)\n".utf8)) == .text(PrivateText(text)))
    }

    @Test func `a key is a command only by itself, not within a text`() async throws {
        #expect(try await paste([UInt8(ascii: "d")]) == .key)
        // A slow connection delivers both at once.
        #expect(try await paste(Array("d\n".utf8)) == .key)
        #expect(try await paste(Array("d\r\n".utf8)) == .key)
        #expect(try await paste(Array("x\u{7F}d\n".utf8)) == .key)
        #expect(try await paste(Array("d\n".utf8), key: nil) == .text(PrivateText("d")))
        #expect(try await paste(Array("dx\n".utf8), key: nil) == .text(PrivateText("dx")))
        #expect(try await paste(Array("x\u{7F}id\n".utf8)) == .text(PrivateText("id")))
        #expect(try await paste(Array("abc\u{15}z\r".utf8)) == .text(PrivateText("z")))
    }

    @Test func `the end of the input is reported`() async throws {
        #expect(try await paste([0x04]) == .end)
    }

    @Test func `a pasted text is not printed by accident`() {
        #expect(!"\(TerminalInput.Pasted.text(PrivateText("s3cret")))".contains("s3cret"))
    }

    @Test func `a canceled prompt restores the terminal`() async throws {
        let terminal = try #require(PseudoTerminal())
        defer { terminal.close() }
        let input = TerminalInput(descriptor: terminal.program)
        let (prompts, continuation) = AsyncStream.makeStream(of: Int.self)
        let task = Task { try await input.pasted(key: nil) { continuation.yield($0) } }
        for await _ in prompts { break }

        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(terminal.echoes)
    }
}
