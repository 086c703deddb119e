// Licensed under the MIT License. See LICENSE.

import Foundation
import TestSupport
import Testing

@testable import MSALCLI

/// Nothing that is typed shows. The signals are in SilencedCommandTests, which have processes of their own for them.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct SilenceTests {
    @Test func `what is typed during a wait does not show and is dropped`() async throws {
        let terminal = try #require(PseudoTerminal())
        defer { terminal.close() }
        let silence = Silence(terminal.program, for: .wait)

        silence.begin()
        terminal.type("ls\n")
        try await until(terminal.hasInput)  // A terminal takes its time.
        silence.end()

        #expect(terminal.echoes)
        #expect(!terminal.hasInput)
        #expect(terminal.screen().isEmpty)
    }

    @Test func `what is typed after an answer is kept, and its end shows`() async throws {
        let terminal = try #require(PseudoTerminal())
        defer { terminal.close() }
        let silence = Silence(terminal.program, for: .question)

        silence.begin()
        terminal.type("hunter2\nnext\n")
        try await until(terminal.hasInput)
        silence.end()

        #expect(terminal.echoes)
        #expect(terminal.hasInput)
        #expect(terminal.screen() == "\r\n\r\n")
    }

    @Test func `begun anew, it still remembers what the terminal was like`() throws {
        let terminal = try #require(PseudoTerminal())
        defer { terminal.close() }
        let silence = Silence(terminal.program, for: .wait)

        for _ in 0..<2 { silence.begin() }
        let isSilent = !terminal.echoes
        silence.end()

        #expect(isSilent)
        #expect(terminal.echoes)
    }

    @Test func `once over, it does not begin again`() throws {
        let terminal = try #require(PseudoTerminal())
        defer { terminal.close() }
        let silence = Silence(terminal.program, for: .wait)
        silence.end()

        silence.begin()

        #expect(terminal.echoes)
    }
}
