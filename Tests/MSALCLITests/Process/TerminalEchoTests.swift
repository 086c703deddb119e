// Licensed under the MIT License. See LICENSE.

import Foundation
import TestSupport
import Testing

@testable import MSALCLI

/// Typed text is not echoed. SilencedCommandTests tests signals, in separate processes.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct TerminalEchoTests {
    @Test func `text typed during a wait is not echoed and is dropped`() async throws {
        let terminal = try #require(PseudoTerminal())
        defer { terminal.close() }
        let echoSuppression = TerminalEchoSuppression(terminal.program, for: .wait)

        echoSuppression.begin()
        terminal.type("ls\n")
        try await until(terminal.hasInput)  // A terminal takes some time.
        echoSuppression.end()

        #expect(terminal.echoes)
        #expect(!terminal.hasInput)
        #expect(terminal.screen().isEmpty)
    }

    @Test func `text typed after an answer is kept, and its end is echoed`() async throws {
        let terminal = try #require(PseudoTerminal())
        defer { terminal.close() }
        let echoSuppression = TerminalEchoSuppression(terminal.program, for: .question)

        echoSuppression.begin()
        terminal.type("hunter2\nnext\n")
        try await until(terminal.hasInput)
        echoSuppression.end()

        #expect(terminal.echoes)
        #expect(terminal.hasInput)
        #expect(terminal.screen() == "\r\n\r\n")
    }

    @Test func `after a second start the original state of the terminal is restored`() throws {
        let terminal = try #require(PseudoTerminal())
        defer { terminal.close() }
        let echoSuppression = TerminalEchoSuppression(terminal.program, for: .wait)

        for _ in 0..<2 { echoSuppression.begin() }
        let isSilent = !terminal.echoes
        echoSuppression.end()

        #expect(isSilent)
        #expect(terminal.echoes)
    }

    @Test func `a silence that ended does not start again`() throws {
        let terminal = try #require(PseudoTerminal())
        defer { terminal.close() }
        let echoSuppression = TerminalEchoSuppression(terminal.program, for: .wait)
        echoSuppression.end()

        echoSuppression.begin()

        #expect(terminal.echoes)
    }
}
