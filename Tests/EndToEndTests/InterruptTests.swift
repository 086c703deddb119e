// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import Testing

/// Ctrl-C while `msal login` waits for the browser.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct InterruptTests {
    @Test func `Ctrl-C ends a sign-in with a message, and nothing is stored`() async throws {
        try await Emulator.with { emulator in
            let command = try CommandRunner(emulator)

            let terminal = try TestTerminal()
            var screen = ""

            let login = try await command.run(
                "login",
                "--mode",
                "browser",
                "--no-browser",
                at: terminal,
                interruptedAt: "Ctrl-C to cancel"
            )
            try await terminal.until("Canceled.", seen: &screen)
            let accounts = try await command.run("accounts", "-o", "json")

            #expect(login.status == 130)
            #expect(login.output.isEmpty)
            #expect(try accounts.json()["accounts"] as? [String] == [])
        }
    }

    @Test func `an interrupted script gets JSON`() async throws {
        try await Emulator.with { emulator in
            let command = try CommandRunner(emulator)

            let login = try await command.run(
                "login",
                "--mode",
                "browser",
                "--no-browser",
                "-o",
                "json",
                at: try TestTerminal(),
                interruptedAt: "Ctrl-C to cancel"
            )

            let error = try login.json()["error"] as? [String: Any]
            #expect(login.status == 130)
            #expect(error?["code"] as? Int == -50005)
            #expect(error?["message"] as? String == "Canceled.")
        }
    }
}
