// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import Testing

/// What is typed while `msal login` waits for the browser does not show and does not reach the shell, however the
/// command ends.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct SilencedCommandTests {
    private let waiting = "Ctrl-C cancels"

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `a signal that ends the command leaves the terminal as it was`(_ signal: Int32) async throws {
        try await Emulator.with { emulator in
            let terminal = try TestTerminal()

            let outcome = try await CommandRunner(emulator).run(
                ["login", "--no-browser"],
                at: terminal,
                onceItShows: waiting
            ) { process in
                #expect(!terminal.echoes)
                try terminal.type("rm -r x")
                while !terminal.hasInput { await Task.yield() }  // A terminal takes its time.
                try #require(kill(process, signal) == 0)
            }

            #expect(outcome.status == (signal == SIGINT ? 130 : signal))
            #expect(terminal.echoes)
            #expect(!terminal.hasInput)
        }
    }

    @Test func `a stopped command lends the terminal back and takes it again`() async throws {
        try await Emulator.with { emulator in
            let terminal = try TestTerminal()

            let outcome = try await CommandRunner(emulator).run(
                ["login", "--no-browser"],
                at: terminal,
                onceItShows: waiting
            ) { process in
                try #require(kill(process, SIGTSTP) == 0)
                while try !isStopped(process) { await Task.yield() }
                #expect(terminal.echoes)
                try #require(kill(process, SIGCONT) == 0)
                while terminal.echoes { await Task.yield() }
                try #require(kill(process, SIGINT) == 0)
            }

            #expect(outcome.status == 130)
            #expect(terminal.echoes)
        }
    }

    @Test func `a password's prompt that was stopped asks again`() async throws {
        try await Emulator.with { emulator in
            let terminal = try TestTerminal()

            let outcome = try await CommandRunner(emulator).run(
                ["native", "sign-in", "mfa-choice@fabrikam.example"],
                at: terminal,
                onceItShows: "Password of"
            ) { process in
                try #require(kill(process, SIGTSTP) == 0)
                while try !isStopped(process) { await Task.yield() }
                #expect(terminal.echoes)
                try #require(kill(process, SIGCONT) == 0)
                var screen = ""
                try await terminal.until("Password of", &screen)
                #expect(!terminal.echoes)
                try #require(kill(process, SIGINT) == 0)
            }

            #expect(outcome.status == 130)
            #expect(terminal.echoes)
        }
    }

    @Test func `a password's prompt that is killed leaves the terminal as it was`() async throws {
        try await Emulator.with { emulator in
            let terminal = try TestTerminal()

            let outcome = try await CommandRunner(emulator).run(
                ["native", "sign-in", "mfa-choice@fabrikam.example"],
                at: terminal,
                onceItShows: "Password of"
            ) { process in
                #expect(!terminal.echoes)
                try #require(kill(process, SIGTERM) == 0)
            }

            #expect(outcome.status == SIGTERM)
            #expect(terminal.echoes)
        }
    }

    /// What proc(5) says of a process, after its name in brackets.
    private func isStopped(_ process: pid_t) throws -> Bool {
        let line = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return line.split(separator: ")").last?.split(separator: " ").first == "T"
    }
}
