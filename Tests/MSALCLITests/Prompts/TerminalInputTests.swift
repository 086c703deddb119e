// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import MSAL
import TestSupport
import Testing

@testable import MSALBase
@testable import MSALCLI

/// A terminal buffers typed text, so that no test has to wait for a prompt.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct TerminalInputTests {
    @Test func `a line is read without its end`() async throws {
        let terminal = try #require(PseudoTerminal())
        defer { terminal.close() }
        terminal.type("first\nsecond\n")
        let input = TerminalInput(descriptor: terminal.program)

        let lines = [try await input.line(isHidden: false), try await input.line(isHidden: false)]

        #expect(lines == ["first", "second"])
        #expect(input.isInteractive)
    }

    @Test func `the end of the input is not a line`() async throws {
        let terminal = try #require(PseudoTerminal())
        defer { terminal.close() }
        terminal.type("\u{4}")

        let line = try await TerminalInput(descriptor: terminal.program).line(isHidden: false)

        #expect(line == nil)
    }

    @Test func `hidden input is not echoed, and the echo is restored afterwards`() async throws {
        let terminal = try #require(PseudoTerminal())
        defer { terminal.close() }
        let input = TerminalInput(descriptor: terminal.program)
        let (prompted, prompt) = AsyncStream<Void>.makeStream()
        async let line = input.line(isHidden: true) { prompt.finish() }
        // Text typed before the prompt is dropped, and the echo is switched off a moment earlier.
        for await _ in prompted {}
        terminal.type("hunter2\n")

        let answer = try await line

        #expect(answer == "hunter2")
        #expect(!terminal.screen().contains("hunter2"))
        #expect(terminal.echoes)
    }

    @Test func `canceling ends the wait and restores the echo`() async throws {
        let terminal = try #require(PseudoTerminal())
        defer { terminal.close() }
        let input = TerminalInput(descriptor: terminal.program)
        let question = Task { try await input.line(isHidden: true) }  // Awaited below.
        try await until(!terminal.echoes)

        question.cancel()

        await #expect(throws: CancellationError.self) { try await question.value }
        #expect(terminal.echoes)
    }

    @Test func `a code prompt accepts a code, or a request for another`() async throws {
        let terminal = try #require(PseudoTerminal())
        defer { terminal.close() }
        terminal.type(" 12345678 \n\nR\n")
        let person = TerminalPrompter(input: TerminalInput(descriptor: terminal.program))
        let delivery = CodeDelivery(sentTo: "m•••@contoso.example", channel: "email", length: 8)

        var answers: [CodeResponse] = []
        for _ in 0..<3 { answers.append(try await person.code(delivery)) }

        #expect(answers == [.code(PrivateText("12345678")), .sendAnother, .sendAnother])
    }

    @Test func `a choice and an attribute are prompted for until they are valid`() async throws {
        let terminal = try #require(PseudoTerminal())
        defer { terminal.close() }
        terminal.type("0\nx\n2\nperhaps\nyes\n\nBerlin\n")
        let person = TerminalPrompter(input: TerminalInput(descriptor: terminal.program))
        let methods = [MethodOption(id: "1", channel: "email"), MethodOption(id: "2", channel: "sms")]

        let choice = try await person.choice(of: methods, for: "Choose.")
        let newsletter = try await person.attribute(.init(name: "news", type: "boolean", isRequired: false))
        let city = try await person.attribute(.init(name: "city", type: "string", isRequired: true))

        #expect(choice == 1)
        #expect(newsletter == .bool(true))
        #expect(city == .string("Berlin"))
    }

    @Test func `the end of the input cancels a prompt`() async throws {
        let terminal = try #require(PseudoTerminal())
        defer { terminal.close() }
        terminal.type("\u{4}")
        let person = TerminalPrompter(input: TerminalInput(descriptor: terminal.program))

        await #expect(throws: CancellationError.self) {
            try await person.attribute(.init(name: "city", type: "string", isRequired: true))
        }
    }
}
