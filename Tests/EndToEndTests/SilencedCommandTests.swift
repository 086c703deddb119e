// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import TestSupport
import Testing

/// Input that is typed while `msal login` waits for the browser is not shown and does not reach the shell, however the
/// command ends.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct SilencedCommandTests {
    private let waiting = "Ctrl-C to cancel"

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `a signal that ends the command restores the terminal`(_ signal: Int32) async throws {
        try await Emulator.with { emulator in
            let terminal = try TestTerminal()

            let outcome = try await CommandRunner(emulator).run(
                ["login", "--mode", "browser", "--no-browser"],
                at: terminal,
                onceItShows: waiting
            ) { process in
                #expect(!terminal.echoes)
                try terminal.type("rm -r x")
                try await until(terminal.hasInput)  // A terminal takes some time.
                try #require(kill(process, signal) == 0)
            }

            #expect(outcome.status == 128 + signal)
            #expect(terminal.echoes)
            #expect(!terminal.hasInput)
        }
    }

    @Test func `a stopped command restores the terminal, and takes it over again when it continues`() async throws {
        try await Emulator.with { emulator in
            let terminal = try TestTerminal()

            let outcome = try await CommandRunner(emulator).run(
                ["login", "--mode", "browser", "--no-browser"],
                at: terminal,
                onceItShows: waiting
            ) { process in
                try #require(kill(process, SIGTSTP) == 0)
                try await until(try isStopped(process))
                #expect(terminal.echoes)
                try #require(kill(process, SIGCONT) == 0)
                try await until(!terminal.echoes)
                try #require(kill(process, SIGINT) == 0)
            }

            #expect(outcome.status == 130)
            #expect(terminal.echoes)
        }
    }

    @Test func `a password prompt that was stopped prompts again`() async throws {
        try await Emulator.with { emulator in
            let terminal = try TestTerminal()

            let outcome = try await CommandRunner(emulator).run(
                ["native", "sign-in", "mfa-choice@fabrikam.example"],
                at: terminal,
                onceItShows: "Password of"
            ) { process in
                try #require(kill(process, SIGTSTP) == 0)
                try await until(try isStopped(process))
                #expect(terminal.echoes)
                try #require(kill(process, SIGCONT) == 0)
                var screen = ""
                try await terminal.until("Password of", seen: &screen)
                #expect(!terminal.echoes)
                try #require(kill(process, SIGINT) == 0)
            }

            #expect(outcome.status == 130)
            #expect(terminal.echoes)
        }
    }

    @Test func `an address prompt that was stopped prompts again, and reads the address without echo`() async throws {
        try await Emulator.with { emulator in
            let terminal = try TestTerminal()

            let outcome = try await CommandRunner(emulator).run(
                ["login", "--mode", "paste"],
                at: terminal,
                onceItShows: "Address"
            ) { process in
                #expect(!terminal.echoes && !terminal.readsLines)
                try #require(kill(process, SIGTSTP) == 0)
                try await until(try isStopped(process))
                #expect(terminal.echoes && terminal.readsLines)
                try #require(kill(process, SIGCONT) == 0)
                var screen = ""
                try await terminal.until("Address", seen: &screen)
                #expect(!terminal.echoes && !terminal.readsLines)
                try terminal.type("c0de")
                let shown = try await terminal.until("That is not an address.", seen: &screen)
                #expect(!shown.contains("c0de"))
                try await terminal.until("Address", seen: &screen)
                try #require(kill(process, SIGINT) == 0)
            }

            #expect(outcome.status == 130)
            #expect(terminal.echoes && terminal.readsLines)
        }
    }

    /// The shell gets the terminal back as soon as the program that it started has stopped. This shell does not switch
    /// the echo on.
    @Test func `a prompt below another program restores the echo when both are stopped`() async throws {
        try await Emulator.with { emulator in
            let terminal = try TestTerminal()
            var runner = try CommandRunner(emulator)
            let script = #"set -m; /bin/sh -c '"$@"; exit' sh "$@"; read line; fg"#
            // A script ignores some signals in its background jobs, which the command would inherit.
            runner.starter = ["/usr/bin/env", "--default-signal"]
            runner.starter += ["/usr/bin/setsid", "--wait", "--ctty", "/bin/sh", "-c", script, "sh"]

            _ = try await runner.run(
                ["native", "sign-in", "mfa-choice@fabrikam.example"],
                at: terminal,
                onceItShows: "Password of"
            ) { process in
                let command = try #require(try descendant(of: process, named: "msal"))
                #expect(!terminal.echoes)
                try terminal.press("\u{1A}")
                // It restores the echo first, and then it stops.
                try await until(try isStopped(command))
                #expect(terminal.echoes)
                try terminal.type("go on")
                var screen = ""
                try await terminal.until("Password of", seen: &screen)
                #expect(!terminal.echoes)
                try terminal.press("\u{3}")
            }

            #expect(terminal.echoes)
        }
    }

    /// The signal comes as early as possible: only the echo is known to be off.
    @Test(arguments: [
        SIGHUP, SIGQUIT, SIGTERM, SIGALRM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF, SIGIO, SIGPWR, SIGXCPU, SIGABRT,
        SIGSEGV,
        SIGTRAP, 40, 64,
    ])
    func `a password prompt that is killed restores the terminal`(_ signal: Int32) async throws {
        try await Emulator.with { emulator in
            let terminal = try TestTerminal()
            var runner = try CommandRunner(emulator)
            // A script ignores some signals in its background jobs, which the command would inherit.
            runner.starter = ["/usr/bin/env", "--default-signal"]

            let outcome = try await runner.run(
                ["native", "sign-in", "mfa-choice@fabrikam.example"],
                at: terminal
            ) { process in
                try await until(!terminal.echoes)
                try #require(kill(process, signal) == 0)
            }

            #expect(outcome.status & 0x7F == signal)
            #expect(terminal.echoes)
        }
    }

    @Test func `every signal that ends a process has its handler before the echo is switched off`() async throws {
        try await Emulator.with { emulator in
            let terminal = try TestTerminal()
            // 32 and 33 are used by glibc.
            let others = [SIGKILL, SIGSTOP, SIGCHLD, SIGTTIN, SIGTTOU, SIGURG, SIGWINCH, 32, 33]

            _ = try await CommandRunner(emulator).run(
                ["native", "sign-in", "mfa-choice@fabrikam.example"],
                at: terminal
            ) { process in
                try await until(!terminal.echoes)
                let (caught, ignored) = (try mask("SigCgt", of: process), try mask("SigIgn", of: process))
                for number in 1...Int32(64) where !others.contains(number) {
                    #expect((caught | ignored) & (1 << UInt64(number - 1)) != 0, "signal \(number)")
                }
                try #require(kill(process, SIGTERM) == 0)
            }
        }
    }

    @Test func `a stopped prompt that continues does not echo, whatever a shell did to the terminal`() async throws {
        try await Emulator.with { emulator in
            let terminal = try TestTerminal()

            let outcome = try await CommandRunner(emulator).run(
                ["native", "sign-in", "mfa-choice@fabrikam.example"],
                at: terminal,
                onceItShows: "Password of"
            ) { process in
                try #require(kill(process, SIGSTOP) == 0)
                try await until(try isStopped(process))
                terminal.setEcho()
                try #require(kill(process, SIGCONT) == 0)
                var screen = ""
                try await terminal.until("Password of", seen: &screen)
                #expect(!terminal.echoes)
                try #require(kill(process, SIGHUP) == 0)
            }

            #expect(outcome.status == 128 + SIGHUP)
            #expect(terminal.echoes)
        }
    }

    @Test func `a signal that the parent ignores stays ignored`() async throws {
        try await Emulator.with { emulator in
            let terminal = try TestTerminal()
            var runner = try CommandRunner(emulator)
            runner.starter = ["/usr/bin/env", "--ignore-signal=USR1"]

            let outcome = try await runner.run(
                ["native", "sign-in", "mfa-choice@fabrikam.example"],
                at: terminal,
                onceItShows: "Password of"
            ) { process in
                try #require(kill(process, SIGUSR1) == 0)
                #expect(try mask("SigIgn", of: process) & (1 << UInt64(SIGUSR1 - 1)) != 0)
                try #require(kill(process, SIGTERM) == 0)
            }

            #expect(outcome.status == 128 + SIGTERM)
        }
    }

    /// A set of signals in the form of proc(5).
    private func mask(_ name: String, of process: pid_t) throws -> UInt64 {
        let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("\(name):") })
        return try #require(UInt64(line.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces), radix: 16))
    }

    /// A program that was started by a process or one of its children.
    private func descendant(of process: pid_t, named name: String) throws -> pid_t? {
        let children = try String(contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)
        for child in children.split(separator: " ").compactMap({ pid_t($0) }) {
            let found = try String(contentsOfFile: "/proc/\(child)/comm", encoding: .utf8).dropLast()
            if found == name { return child }
            if let further = try descendant(of: child, named: name) { return further }
        }
        return nil
    }

    /// The fields of a process in proc(5), after its name in parentheses.
    private func isStopped(_ process: pid_t) throws -> Bool {
        let line = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return line.split(separator: ")").last?.split(separator: " ").first == "T"
    }
}
