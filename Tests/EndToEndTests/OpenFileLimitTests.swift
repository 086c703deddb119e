// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import TestSupport
import Testing

/// `msal` with a low limit of open files and sockets: it reports the limit, and its store stays intact.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct OpenFileLimitTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private static let limits = [4, 6, 8, 10, 12, 14, 16, 20, 24, 32, 48]

    /// A user's command with a limit that only the browser raises.
    private static func limited(_ command: CommandRunner, to limit: Int) -> CommandRunner {
        var copy = command
        copy.starter = ["/bin/sh", "-c", "ulimit -Sn \(limit); exec \"$0\" \"$@\""]
        return copy
    }

    private static func names(_ limit: Int, _ outcome: CommandRunner.Outcome) -> Bool {
        (1...7).contains(outcome.status)
            && outcome.errors.contains("This process may have \(limit) files and sockets open at a time")
    }

    private static func isToken(_ outcome: CommandRunner.Outcome) -> Bool {
        outcome.status == 0 && outcome.output.split(separator: ".").count == 3
    }

    @Test func `a token is returned from the store, or a line names the limit`() async throws {
        try await Emulator.with { emulator in
            let command = try await CommandRunner(browsing: emulator)
            #expect(try await command.run("login", "--scope", "User.Read").status == 0)

            for limit in Self.limits {
                for words in [["token", "-o", "raw"], ["token", "--refresh", "-o", "raw"]] {
                    let outcome = try await Self.limited(command, to: limit).run(words, input: "")
                    #expect(Self.isToken(outcome) || Self.names(limit, outcome), "\(limit), \(words): \(outcome)")
                }
                let after = try await command.run("token", "-o", "raw")
                #expect(Self.isToken(after), "\(limit): \(after)")
            }
            let health = try await command.run("cache", "doctor")
            #expect(health.status == 0, "\(health)")
        }
    }

    @Test func `a sign-in succeeds, or a line names the limit, and the next one succeeds`() async throws {
        try await Emulator.with { emulator in
            var command = try await CommandRunner(browsing: emulator)
            command.environment["BROWSER"] = try await folder.writeProgram(
                "browser",
                script: "ulimit -Sn 512\nexec \(CommandRunner.scriptedBrowser) \"$1\""
            )
            let words = ["login", "--scope", "User.Read", "--timeout", "20", "-o", "raw"]
            let user = "\(emulator.seed.megan.userPrincipalName)\n"

            for limit in Self.limits {
                let outcome = try await Self.limited(command, to: limit).run(words, input: "")
                let isSignedIn = outcome.status == 0 && outcome.output == user
                #expect(isSignedIn || Self.names(limit, outcome), "\(limit): \(outcome)")
                let after = try await command.run("token", "-o", "raw")
                #expect(isSignedIn ? Self.isToken(after) : [0, 4].contains(after.status), "\(limit): \(after)")
            }
            let health = try await command.run("cache", "doctor")
            let login = try await command.run(words, input: "")
            #expect(health.status == 0, "\(health)")
            #expect(login.output == user, "\(login)")
        }
    }
}
