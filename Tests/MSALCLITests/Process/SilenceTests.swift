// Licensed under the MIT License. See LICENSE.

import Foundation
import TestSupport
import Testing

@testable import MSALCLI

/// Typed text is not echoed. SilencedCommandTests tests signals, in separate processes.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct SilenceTests {
    @Test func `text typed during a wait is not echoed and is dropped`() async throws {
        let terminal = try #require(PseudoTerminal())
        defer { terminal.close() }
        let silence = Silence(terminal.program, for: .wait)

        silence.begin()
        terminal.type("ls\n")
        try await until(terminal.hasInput)  // A terminal takes some time.
        silence.end()

        #expect(terminal.echoes)
        #expect(!terminal.hasInput)
        #expect(terminal.screen().isEmpty)
    }

    @Test func `text typed after an answer is kept, and its end is echoed`() async throws {
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

    @Test func `after a second start the original state of the terminal is restored`() throws {
        let terminal = try #require(PseudoTerminal())
        defer { terminal.close() }
        let silence = Silence(terminal.program, for: .wait)

        for _ in 0..<2 { silence.begin() }
        let isSilent = !terminal.echoes
        silence.end()

        #expect(isSilent)
        #expect(terminal.echoes)
    }

    @Test func `a silence that ended does not start again`() throws {
        let terminal = try #require(PseudoTerminal())
        defer { terminal.close() }
        let silence = Silence(terminal.program, for: .wait)
        silence.end()

        silence.begin()

        #expect(terminal.echoes)
    }
}
