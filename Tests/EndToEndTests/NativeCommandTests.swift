// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import TestSupport
import Testing

/// `msal native` when the service requires more than a form: the browser, or another method.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct NativeCommandTests {
    @Test(arguments: NativeAuthVersion.allCases)
    func `a user who needs the browser continues there, and is stored`(version: NativeAuthVersion) async throws {
        try await Emulator.with { emulator in
            let user = "social@fabrikam.example"
            var command = try CommandRunner(emulator)
            command.environment.merge([
                "BROWSER": CommandRunner.scriptedBrowser,
                "MSAL_AGENT_USER": user, "MSAL_AGENT_PASSWORD": emulator.seed.password,
            ]) { $1 }

            let signIn = try await command.signIn(
                user,
                answers: #"{"password": "x"}"#,
                options: ["--browser"] + version.options
            )
            let token = try await command.run("native", "token", "--scope", "User.Read", "-o", "json")

            let report = try signIn.json()
            #expect(signIn.status == 0, "\(signIn.errors)")
            #expect(report["is_persisted"] as? Bool == true)
            #expect(token.status == 0, "\(token.errors)")
        }
    }

    @Test(arguments: NativeAuthVersion.allCases)
    func `a password too simple for a new account is replaced with another, not by a reset`(
        version: NativeAuthVersion
    ) async throws {
        try await Emulator.with { emulator in
            let command = try CommandRunner(emulator)
            let user = "simple@customers.example"
            let pipe = try #require(command.environment["HOME"]) + "/codes"
            try #require(mkfifo(pipe, 0o600) == 0)
            // Kept open, so that written data waits for the reader.
            let codes = try #require(FileHandle(forUpdatingAtPath: pipe))

            async let ended = command.run(
                ["native", "sign-up", user, "--answers", "-"] + version.options,
                input: #"{"code_command": ["head", "-n1", "\#(pipe)"], "new_password": "password"}"#
            )
            try await until(emulator.newestCode(for: user) != nil)
            try codes.write(contentsOf: Data("\(try #require(emulator.newestCode(for: user)))\n".utf8))
            let outcome = try await ended
            try codes.close()

            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("Choose another password."), "\(outcome.errors)")
            #expect(!outcome.errors.contains("reset-password"))
        }
    }

    @Test func `a reset of a user with a second factor prompts for the factor, not the password`() async throws {
        try await Emulator.with { emulator in
            let command = try CommandRunner(emulator)
            let user = "mfa@fabrikam.example"

            let outcome = try await command.run("native", "reset-password", user, at: try TestTerminal()) {
                var screen = ""
                try await $0.answer("Code (", emulator.newestCode(for: user), seen: &screen)
                try await $0.answer("New password", "Correct-horse-1", seen: &screen)
                try await $0.answer("Repeat the password", "Correct-horse-1", seen: &screen)
                let next = try await $0.until("Code (", seen: &screen)
                #expect(!next.contains("Password of") && !next.contains("Continuing with a new sign-in"))
                try $0.type(try #require(emulator.newestCode(for: "mfa-second@fabrikam.example")))
            }

            #expect(outcome.status == 0)
            #expect(outcome.output.contains("signed in as \(user)"), "\(outcome.output)")
        }
    }

    @Test func `a reset that fails prompts for the new password once more`() async throws {
        try await Emulator.with { emulator in
            let command = try CommandRunner(emulator)
            let user = "reset-fails@fabrikam.example"

            let outcome = try await command.run("native", "reset-password", user, at: try TestTerminal()) {
                var screen = ""
                try await $0.answer("Code (", emulator.newestCode(for: user), seen: &screen)
                try await $0.answer("New password", "Correct-horse-1", seen: &screen)
                try await $0.answer("Repeat the password", "Correct-horse-1", seen: &screen)
                try await $0.until("did not set the new password", seen: &screen)
                try await emulator.changeCustomer(user) { $0.resetOutcome = .succeeds }
                try await $0.answer("New password", "Correct-horse-2", seen: &screen)
                try await $0.answer("Repeat the password", "Correct-horse-2", seen: &screen)
            }

            #expect(outcome.status == 0)
            #expect(outcome.output.contains("signed in as \(user)"), "\(outcome.output)")
        }
    }

    @Test(arguments: NativeAuthVersion.allCases)
    func `a reset that the service abandons reports what is known and what to do`(
        version: NativeAuthVersion
    ) async throws {
        try await Emulator.with { settings in
            settings.nativeAuth.pollInterval = version == .v1 ? .zero : .milliseconds(500)
            settings.nativeAuth.v2.announcesPollInterval = true
        } story: { emulator in
            let command = try CommandRunner(emulator)
            let user = "reset-hangs@fabrikam.example"
            let arguments = ["native", "reset-password", user] + version.options

            let outcome = try await command.converse(arguments, at: try TestTerminal()) {
                var screen = ""
                try await $0.answer("Code (", emulator.newestCode(for: user), seen: &screen)
                try await $0.answer("New password", "Correct-horse-1", seen: &screen)
                try await $0.answer("Repeat the password", "Correct-horse-1", seen: &screen)
                let end = try await $0.until("Correlation ID", seen: &screen)
                #expect(end.contains("did not finish in time"))
                #expect(end.contains("Try the new password"))
            }

            #expect(outcome.status == 1)
        }
    }

    @Test(arguments: NativeAuthVersion.allCases)
    func `the only second factor is not retried forever`(version: NativeAuthVersion) async throws {
        try await Emulator.with { emulator in
            let command = try CommandRunner(emulator)
            let password = emulator.seed.password
            let arguments = ["native", "sign-in", "mfa-blocked@fabrikam.example"] + version.options

            let outcome = try await command.converse(arguments, at: try TestTerminal()) {
                var screen = ""
                try await $0.answer("Password of", password, seen: &screen)
                let end = try await $0.until("Correlation ID", seen: &screen)
                #expect(end.contains("another method"))
            }

            #expect(outcome.status == 1)
        }
    }

    /// Signs in the first customer, where only one customer can be signed in.
    private func signedIn(_ emulator: Emulator) async throws -> CommandRunner {
        let command = try CommandRunner(emulator)
        let answers = #"{"password": "\#(emulator.seed.password)"}"#
        let first = try await command.run("native", "sign-in", Self.first, "--answers", "-", input: answers)
        try #require(first.status == 0, "\(first.errors)")
        return command
    }

    private static let first = "password@fabrikam.example"
    private static let second = "mfa-choice@fabrikam.example"

    @Test(arguments: ["n", "", "perhaps"])
    func `the signed-in user is named before another replaces it, and stays if the user says no`(
        answer: String
    ) async throws {
        try await Emulator.with { emulator in
            let command = try await signedIn(emulator)

            let outcome = try await command.run("native", "sign-in", Self.second, at: try TestTerminal()) {
                var screen = ""
                let question = try await $0.until("[y/N]", seen: &screen)
                #expect(question.contains(Self.first))
                try $0.type(answer)
            }
            let accounts = try await command.run("accounts", "-o", "raw")

            #expect(outcome.status == 130)
            #expect(accounts.output == Self.first + "\n")
        }
    }

    @Test(arguments: NativeAuthVersion.allCases)
    func `with the user's consent another replaces the signed-in one`(version: NativeAuthVersion) async throws {
        try await Emulator.with { emulator in
            let command = try await signedIn(emulator)
            let password = emulator.seed.password
            let arguments = ["native", "sign-in", Self.second] + version.options

            let outcome = try await command.converse(arguments, at: try TestTerminal()) {
                var screen = ""
                try await $0.answer("[y/N]", "y", seen: &screen)
                try await $0.answer("Password of", password, seen: &screen)
                try await $0.answer("1 to 2", "2", seen: &screen)
                try await $0.answer("Code (", emulator.newestCode(for: "+15550142"), seen: &screen)
            }
            let accounts = try await command.run("accounts", "-o", "raw")

            #expect(outcome.status == 0)
            #expect(accounts.output == Self.second + "\n")
        }
    }

    @Test(arguments: NativeAuthVersion.allCases, [CustomerProfile.PasswordState.expired, .mustChange])
    func `a password that has to be changed is prompted for once`(
        version: NativeAuthVersion,
        state: CustomerProfile.PasswordState
    ) async throws {
        try await Emulator.with { emulator in
            try await emulator.changeCustomer(Self.first) { $0.passwordState = state }
            let password = emulator.seed.password
            let arguments = ["native", "sign-in", Self.first] + version.options

            let outcome = try await CommandRunner(emulator).converse(arguments, at: try TestTerminal()) {
                var screen = ""
                try await $0.answer("Password of", password, seen: &screen)
                _ = try await $0.until("msal native reset-password", seen: &screen)
            }

            #expect(outcome.status != 0)
        }
    }

    @Test func `without a terminal, a script has to agree beforehand`() async throws {
        try await Emulator.with { emulator in
            let command = try await signedIn(emulator)
            let answers = #"{"new_password": "Correct-horse-1", "code_command": ["echo", "1"], "password": "x"}"#

            for arguments in [["sign-in"], ["sign-up"], ["reset-password"]] {
                let refused = try await command.run(
                    "native",
                    arguments[0],
                    "ada@customers.example",
                    "--answers",
                    "-",
                    input: answers
                )
                #expect(refused.status == 2)
                #expect(
                    refused.errors.contains(Self.first) && refused.errors.contains("Pass --yes."),
                    "\(refused.errors)"
                )
            }
            let agreed = try await command.run(
                "native",
                "sign-in",
                "nobody@customers.example",
                "--yes",
                "--answers",
                "-",
                input: answers
            )
            let again = try await command.run(
                "native",
                "sign-in",
                Self.first.uppercased(),
                "--answers",
                "-",
                input: #"{"password": "\#(emulator.seed.password)"}"#
            )

            #expect(agreed.errors.hasPrefix("Signing out \(Self.first).\n"), "\(agreed.errors)")
            #expect(agreed.status == 1)
            #expect(again.status == 0, "\(again.errors)")
        }
    }

    @Test func `native token ends with the status of a store that cannot be read`() async throws {
        let command = try CommandRunner([
            "MSAL_CLIENT_ID": "client", "MSAL_AUTHORITY": "https://contoso.ciamlogin.com",
        ])
        let folder = try #require(command.environment["MSAL_STORE_DIR"]) + "/msal/msal.cli"
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        try FileManager.default.createSymbolicLink(atPath: "\(folder)/tokens.db", withDestinationPath: "/dev/null")

        let outcome = try await command.run("native", "token", "-o", "json")

        #expect(outcome.status == 6)
    }
}
