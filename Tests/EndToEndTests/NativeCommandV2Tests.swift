// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import TestSupport
import Testing

/// `msal native … --v2` where V2 requires something else than V1, or in another order. ``NativeCommandTests`` covers
/// what both have in common.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct NativeCommandV2Tests {
    private static let strong = "Correct-horse-1"

    // MARK: At a terminal

    @Test func `a wrong code is prompted for again, until the service accepts none`() async throws {
        try await Emulator.with { settings in
            settings.nativeAuth.wrongCodesAllowed = 2
        } story: { emulator in
            let command = try CommandRunner(emulator)
            let user = "code@fabrikam.example"

            let outcome = try await command.run("native", "sign-in", user, "--v2", at: try TestTerminal()) {
                var screen = ""
                try await $0.answer("Code (", "00000000", seen: &screen)
                let refusal = try await $0.answer("Code (", "00000000", seen: &screen)
                #expect(refusal.contains("Enter the code in the newest message, or request another one."))
                // The correct one is void by now.
                try await $0.answer("Code (", emulator.newestCode(for: user), seen: &screen)
                try await $0.answer("Code (", "r", seen: &screen)
                try await $0.answer("Code (", emulator.newestCode(for: user), seen: &screen)
            }

            #expect(outcome.status == 0)
            #expect(outcome.output.contains("Signed in as \(user)"), "\(outcome.output)")
        }
    }

    @Test func `a user signs up, and corrects an attribute without typing the password again`() async throws {
        try await Emulator.with { emulator in
            let command = try CommandRunner(emulator, clientID: emulator.seed.attributesClientID)
            let user = "ada@customers.example"

            let outcome = try await command.run("native", "sign-up", user, "--v2", "-o", "json", at: try TestTerminal())
            {
                var screen = ""
                try await $0.answer("Code (", emulator.newestCode(for: user), seen: &screen)
                try await $0.answer("displayName", "Ada", seen: &screen)
                try await $0.answer("postalCode (text, required): ", "12", seen: &screen)
                try await $0.answer("New password", Self.strong, seen: &screen)
                try await $0.answer("Repeat the password", Self.strong, seen: &screen)
                let refusal = try await $0.answer("postalCode (text, required): ", "12345", seen: &screen)
                #expect(refusal.contains("rejected the value of postalCode"))
                #expect(!refusal.contains(Self.strong))
            }

            let report = try outcome.json()
            #expect(outcome.status == 0)
            #expect(report["outcome"] as? String == "signed_up")
            #expect((report["account"] as? [String: Any])?["username"] as? String == user)
        }
    }

    @Test func `a reset of a user with a second factor requires it before the new password`() async throws {
        try await Emulator.with { emulator in
            let command = try CommandRunner(emulator)
            let user = "mfa@fabrikam.example"

            let outcome = try await command.run("native", "reset-password", user, "--v2", at: try TestTerminal()) {
                var screen = ""
                try await $0.answer("Code (", emulator.newestCode(for: user), seen: &screen)
                try await $0.answer("Code (", emulator.newestCode(for: "mfa-second@fabrikam.example"), seen: &screen)
                for password in ["password", Self.strong] {
                    try await $0.answer("New password", password, seen: &screen)
                    try await $0.answer("Repeat the password", password, seen: &screen)
                }
            }

            #expect(outcome.status == 0)
            #expect(outcome.output.contains("signed in as \(user)"), "\(outcome.output)")
        }
    }

    @Test func `a blocked contact is reported, and another one registered with a second code`() async throws {
        try await Emulator.with { emulator in
            let command = try CommandRunner(emulator)
            let password = emulator.seed.password
            let user = "register-v2@fabrikam.example"

            let outcome = try await command.run("native", "sign-in", user, "--v2", at: try TestTerminal()) {
                var screen = ""
                try await $0.answer("Password of", password, seen: &screen)
                try await $0.answer("1 to 2", "2", seen: &screen)
                try await $0.answer("to register", "me@blocked.example", seen: &screen)
                let refusal = try await $0.answer("1 to 2", "1", seen: &screen)
                #expect(refusal.contains("Enter another one."), "\(refusal)")
                try await $0.answer("to register", "+15550123", seen: &screen)
                try await $0.answer("Code (", "r", seen: &screen)
                try await $0.answer("Code (", emulator.newestCode(for: "+15550123"), seen: &screen)
            }

            #expect(outcome.status == 0)
            #expect(outcome.output.contains("Signed in as \(user)"), "\(outcome.output)")
        }
    }

    @Test func `a first factor is chosen`() async throws {
        try await Emulator.with { emulator in
            let command = try CommandRunner(emulator)
            let user = "method-choice@fabrikam.example"

            let outcome = try await command.run("native", "sign-in", user, "--v2", at: try TestTerminal()) {
                var screen = ""
                try await $0.answer("1 to 2", "1", seen: &screen)
                try await $0.answer("Code (", emulator.newestCode(for: user), seen: &screen)
            }

            #expect(outcome.status == 0)
        }
    }

    // MARK: Ctrl-C

    /// A prompt, and the answers that lead to it.
    struct Prompt: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        var clientID = Seed().clientID
        var answers: [(question: String, answer: Answer)] = []
        let text: String

        enum Answer: Sendable {
            case text(String)
            case code(String)
        }

        var testDescription: String { "\(arguments.joined(separator: " ")) at \(text)" }
    }

    private static let newcomer = "nia@customers.example"
    private static let prompts = [
        Prompt(arguments: ["sign-in", "password@fabrikam.example"], text: "Password of"),
        Prompt(arguments: ["sign-in", "code@fabrikam.example"], text: "Code ("),
        Prompt(arguments: ["sign-in", "method-choice@fabrikam.example"], text: "1 to 2"),
        Prompt(
            arguments: ["sign-in", "mfa-choice@fabrikam.example"],
            answers: [("Password of", .text(Seed().password))],
            text: "1 to 2"
        ),
        Prompt(
            arguments: ["sign-in", "register-v2@fabrikam.example"],
            answers: [("Password of", .text(Seed().password)), ("1 to 2", .text("2"))],
            text: "to register"
        ),
        Prompt(
            arguments: ["sign-up", newcomer],
            answers: [("Code (", .code(newcomer))],
            text: "New password"
        ),
        Prompt(
            arguments: ["sign-up", newcomer],
            clientID: Seed().attributesClientID,
            answers: [("Code (", .code(newcomer))],
            text: "displayName"
        ),
        Prompt(
            arguments: ["reset-password", "password@fabrikam.example"],
            answers: [("Code (", .code("password@fabrikam.example")), ("New password", .text("Correct-horse-1"))],
            text: "Repeat the password"
        ),
    ]

    @Test(arguments: prompts)
    func `Ctrl-C at a prompt ends the command with a message, with the echo on and no user signed in`(
        prompt: Prompt
    ) async throws {
        try await Emulator.with { emulator in
            let command = try CommandRunner(emulator, clientID: prompt.clientID)
            let terminal = try TestTerminal()

            let outcome = try await command.run(["native"] + prompt.arguments + ["--v2"], at: terminal) { process in
                var screen = ""
                for (question, answer) in prompt.answers {
                    switch answer {
                    case .text(let text): try await terminal.answer(question, text, seen: &screen)
                    case .code(let user):
                        try await terminal.answer(question, emulator.newestCode(for: user), seen: &screen)
                    }
                }
                try await terminal.until(prompt.text, seen: &screen)
                try #require(kill(process, SIGINT) == 0)
                try await terminal.until("Canceled.", seen: &screen)
            }
            let accounts = try await command.run("accounts", "-o", "json")

            #expect(outcome.status == 130)
            #expect(terminal.echoes)
            #expect(try accounts.json()["accounts"] as? [String] == [])
        }
    }

    // MARK: In a script

    @Test(arguments: [
        (["sign-in", "nobody@fabrikam.example"], #"{"password": "x"}"#, "sign-up"),
        (["sign-in", "password@fabrikam.example"], #"{"password": "x"}"#, "reset-password"),
        (["sign-in", "unsupported@fabrikam.example"], #"{"password": "x"}"#, nil),
        (["sign-up", "password@fabrikam.example"], #"{"new_password": "Correct-horse-1"}"#, "sign-in"),
        (["reset-password", "code@fabrikam.example"], #"{"new_password": "Correct-horse-1"}"#, "sign-in"),
        (
            ["sign-in", "register-v2@fabrikam.example"],
            #"{"password": "Pa55-word!", "method": "email", "contact": "me@blocked.example"}"#, "another address"
        ),
    ])
    func `an error in JSON has a remedy, and ends with 1`(
        arguments: [String],
        answers: String,
        remedy: String?
    ) async throws {
        try await Emulator.with { emulator in
            let command = try CommandRunner(emulator)

            let outcome = try await command.run(
                ["native"] + arguments + ["--v2", "--answers", "-", "-o", "json"],
                input: answers
            )

            let error = try #require(try outcome.json()["error"] as? [String: Any])
            #expect(outcome.status == 1)
            #expect((error["message"] as? String)?.isEmpty == false)
            #expect((error["correlation_id"] as? String)?.isEmpty == false)
            if let remedy { #expect((error["remedy"] as? String)?.contains(remedy) == true, "\(error)") }
        }
    }

    @Test func `a user who needs the browser gets a message, with a separate status`() async throws {
        try await Emulator.with { emulator in
            let command = try CommandRunner(emulator)

            let outcome = try await command.signIn(
                "web@fabrikam.example",
                answers: #"{"password": "x"}"#,
                options: ["--v2"]
            )

            let error = try #require(try outcome.json()["error"] as? [String: Any])
            #expect(outcome.status == 3)
            #expect((error["remedy"] as? String)?.contains("--browser") == true)
        }
    }

    @Test func `a reset whose poll fails is reported`() async throws {
        try await Emulator.with { emulator in
            let command = try CommandRunner(emulator)
            let user = "reset-fails@fabrikam.example"

            let outcome = try await command.run("native", "reset-password", user, "--v2", at: try TestTerminal()) {
                var screen = ""
                try await $0.answer("Code (", emulator.newestCode(for: user), seen: &screen)
                try await $0.answer("New password", Self.strong, seen: &screen)
                try await $0.answer("Repeat the password", Self.strong, seen: &screen)
                let end = try await $0.until("Correlation ID", seen: &screen)
                #expect(end.contains("could not be reset"), "\(end)")
            }

            #expect(outcome.status != 0)
        }
    }
}
