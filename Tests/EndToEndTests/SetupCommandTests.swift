// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import Testing

/// `msal setup` as a process, and `msal graph` as an application.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct SetupCommandTests {
    /// A user with a browser that signs in, and without any settings.
    private func newcomer(_ emulator: Emulator) async throws -> (command: CommandRunner, authority: String) {
        var command = try await CommandRunner(browsing: emulator)
        let named = command.environment.removeValue(forKey: "MSAL_AUTHORITY")
        let authority = try #require(named)
        command.environment["MSAL_CLIENT_ID"] = nil
        return (command, authority)
    }

    private func settings(_ command: CommandRunner) throws -> String? {
        let home = try #require(command.environment["HOME"])
        return try? String(contentsOfFile: "\(home)/.config/msal/config.yaml", encoding: .utf8)
    }

    /// A token that may register applications.
    private func token(_ emulator: Emulator) async throws -> String {
        let seed = emulator.seed
        let command = try CommandRunner([
            "APP_SECRET": seed.serviceSecret, "MSAL_CA_FILE": emulator.certificateAuthorityFile.path(),
            "AZURE_AUTHORITY_HOST": "https://localhost:\(try #require(emulator.baseURL.port))",
        ])
        return try await command.run(
            "token",
            "--client",
            seed.serviceClientID,
            "--tenant",
            seed.tenantDomain,
            "--client-secret-env",
            "APP_SECRET",
            "--scope",
            "https://graph.microsoft.com/.default",
            "-o",
            "raw"
        ).output
    }

    @Test func `flags are sufficient for a profile, which every command then uses`() async throws {
        try await Emulator.with { emulator in
            let (command, authority) = try await newcomer(emulator)

            let setup = try await command.run(
                "setup",
                "--client-id",
                emulator.seed.clientID,
                "--authority",
                authority,
                "-o",
                "json"
            )
            let graph = try await command.run("graph", "--query", "userPrincipalName", "-o", "raw")

            #expect(setup.status == 0, "\(setup)")
            #expect(try setup.json()["username"] as? String == emulator.seed.megan.userPrincipalName)
            #expect(graph.output == "\(emulator.seed.megan.userPrincipalName)\n", "\(graph)")
            #expect(try settings(command)?.contains("client_id: \(emulator.seed.clientID)") == true)
        }
    }

    @Test func `if the emulator is the authority, a tenant is one of its own`() async throws {
        try await Emulator.with { emulator in
            var command = try await newcomer(emulator).command
            let base = "https://localhost:\(try #require(emulator.baseURL.port))"
            command.environment["MSAL_AUTHORITY"] = base

            let outcome = try await command.run("setup", at: TestTerminal()) { terminal in
                var screen = ""
                let before = try await terminal.until("Application (client) ID: ", seen: &screen)
                #expect(before.contains("The emulator has apps and tenants") && !before.contains("entra.microsoft.com"))
                try terminal.type(emulator.seed.clientID)
                try await terminal.until("Directory (tenant) ID or domain at \(base): ", seen: &screen)
                try terminal.type(emulator.seed.tenantDomain)
            }
            #expect(outcome.status == 0, "\(outcome)")
            #expect(try settings(command)?.contains("\(base)/\(emulator.seed.tenantDomain)") == true)

            let words = ["--client-id", emulator.seed.clientID, "--tenant", emulator.seed.tenantDomain]
            #expect(try await command.run(["setup", "--profile", "other"] + words, input: "").status == 0)
        }
    }

    @Test func `values in the environment are not prompted for, and a flag takes precedence`() async throws {
        try await Emulator.with { emulator in
            let seed = emulator.seed
            var (command, authority) = try await newcomer(emulator)
            command.environment["MSAL_CLIENT_ID"] = seed.clientID
            command.environment["MSAL_AUTHORITY"] = authority
            command.environment["MSAL_SCOPES"] = "User.Read"

            let plain = try await command.run("setup", "-o", "raw")
            let written = try settings(command)
            command.environment["MSAL_CLIENT_ID"] = "00000000-0000-4000-8000-0000000000ff"
            command.environment["MSAL_AUTHORITY"] = "https://127.0.0.1:1/common"
            let flags = ["--client-id", seed.clientID, "--authority", authority]
            let flagged = try await command.run(["setup", "--profile", "other"] + flags, input: "")

            #expect(plain.status == 0 && plain.output == "default\n", "\(plain)")
            // The variables have the values of the profile, so they need not be unset.
            #expect(!plain.errors.contains("override the profile"), "\(plain)")
            for line in ["client_id: \(seed.clientID)", "authority: \(authority)", "User.Read"] {
                #expect(written?.contains(line) == true, "\(written ?? "")")
            }
            #expect(flagged.status == 0, "\(flagged)")
            #expect(flagged.errors.contains("MSAL_CLIENT_ID, MSAL_AUTHORITY are set and override the profile."))
        }
    }

    @Test(arguments: [
        ("MSAL_AUTHORITY", "ftp://a.example/t", "ftp"), ("MSAL_CA_FILE", "/nonexistent/ca.pem", "/nonexistent/ca.pem"),
        ("MSAL_GRAPH_URL", "ftp://a.example/", "The address of Microsoft Graph is not an https address"),
    ])
    func `a variable with an invalid value is named`(name: String, value: String, words: String) async throws {
        var command = try CommandRunner([
            "MSAL_CLIENT_ID": "app", "MSAL_AUTHORITY": "https://127.0.0.1:1/common", "MSAL_STORE_KEY": "key-file",
        ])
        let plain = try await command.run("setup")
        command.environment[name] = value
        let outcome = try await command.run("setup")

        #expect(plain.status != 0 && !plain.errors.contains(words) && !plain.errors.contains("Cannot ask"), "\(plain)")
        #expect(outcome.status != 0 && outcome.errors.contains(words), "\(outcome)")
    }

    @Test func `an app is registered with a token from standard input or a variable, and signed in to`() async throws {
        try await Emulator.with { emulator in
            var (command, authority) = try await newcomer(emulator)
            let token = try await token(emulator)
            let words = ["setup", "--create", "--authority", authority, "--name", "Tool"]

            let unasked = try await command.run(words, input: token)
            #expect(unasked.status == 2 && unasked.errors.contains("--yes"), "\(unasked)")
            let empty = try await command.run(words + ["--yes"], input: "")
            #expect(empty.status == 2 && empty.errors.contains("contains no token"), "\(empty)")
            let wrong = try await command.run(words + ["--yes"], input: "not-a-token")
            #expect(wrong.status == 1, "\(wrong)")
            #expect(try settings(command) == nil)

            let piped = try await command.run(words + ["--yes"], input: token)
            #expect(piped.status == 0, "\(piped)")
            #expect(piped.errors.contains("\"displayName\" : \"Tool\"") && !piped.errors.contains(token))
            #expect(try await command.run("graph", "/me").status == 0)

            command.environment["GRAPH_TOKEN"] = token.trimmingCharacters(in: .newlines)
            let named = words + ["--yes", "--token-env", "GRAPH_TOKEN", "--profile", "other"]
            #expect(try await command.run(named, input: "").status == 0)
            let made = try await emulator.directory().applications.filter { $0.displayName == "Tool" }
            #expect(made.count == 2)
            #expect(
                made.allSatisfy {
                    $0.redirectURIs == [
                        "http://localhost", "https://login.microsoftonline.com/common/oauth2/nativeclient",
                    ]
                }
            )
        }
    }

    @Test func `a missing value is prompted for, and an invalid one again`() async throws {
        try await Emulator.with { emulator in
            let (command, authority) = try await newcomer(emulator)

            let outcome = try await command.run("setup", at: TestTerminal()) { terminal in
                var screen = ""
                let steps = try await terminal.until("Application (client) ID: ", seen: &screen)
                #expect(steps.contains("1. Open https://entra.microsoft.com/"), "\(steps)")
                try terminal.type("nonsense")
                try await terminal.until("is not an application ID", seen: &screen)
                try terminal.type(emulator.seed.clientID)
                try await terminal.until("Directory (tenant) ID or domain: ", seen: &screen)
                try terminal.type(authority)
            }

            #expect(outcome.status == 0, "\(outcome)")
            #expect(outcome.output.contains("Signed in as \(emulator.seed.megan.userPrincipalName)"))
        }
    }

    @Test(arguments: ["Application (client) ID: ", "Directory (tenant) ID or domain: ", "Replace it? [y/N] "])
    func `a user who cancels at a prompt keeps the old profile`(question: String) async throws {
        try await Emulator.with { emulator in
            let (command, authority) = try await newcomer(emulator)
            #expect(try await command.run("config", "set", "client_id", UUID().uuidString).status == 0)
            let before = try settings(command)

            let answers = [
                ("Application (client) ID: ", emulator.seed.clientID), ("Directory (tenant) ID or domain: ", authority),
                ("Replace it? [y/N] ", "n"),
            ]
            let outcome = try await command.run("setup", at: TestTerminal()) { terminal in
                var screen = ""
                for (next, answer) in answers {
                    try await terminal.until(next, seen: &screen)
                    // Ctrl-D.
                    guard next != question else { return try terminal.press("\u{4}") }
                    try terminal.type(answer)
                }
            }
            let interrupted = try await command.run(
                "setup",
                at: TestTerminal(),
                interruptedAt: "Application (client) ID: "
            )

            for ended in [outcome, interrupted] {
                #expect(ended.status == 130, "\(ended)")
                #expect(try settings(command) == before)
            }
        }
    }

    @Test func `an app unknown to the service changes nothing without a terminal`() async throws {
        try await Emulator.with { emulator in
            let (command, authority) = try await newcomer(emulator)
            let unknown = "00000000-0000-4000-8000-0000000000ff"

            let nobody = try await command.run("setup", "--client-id", unknown)
            #expect(nobody.status == 2 && nobody.errors.contains("https://entra.microsoft.com/"), "\(nobody)")
            let refused = try await command.run("setup", "--client-id", unknown, "--authority", authority)
            #expect(refused.status != 0 && refused.errors.contains("AADSTS700016"), "\(refused)")
            #expect(try settings(command) == nil)
            #expect(command.browserArguments == nil)
        }
    }

    @Test func `an application reads all pages of the emulator's Graph`() async throws {
        try await Emulator.with { emulator in
            let seed = emulator.seed
            let command = try CommandRunner([
                "APP_SECRET": seed.serviceSecret, "MSAL_CA_FILE": emulator.certificateAuthorityFile.path(),
                "AZURE_AUTHORITY_HOST": "https://localhost:\(try #require(emulator.baseURL.port))",
            ])
            let words = [
                "graph", "/users", "--param", "$top=1", "--paginate", "--client", seed.serviceClientID, "--tenant",
                seed.tenantDomain, "--client-secret-env", "APP_SECRET",
            ]

            let names = try await command.run(words + ["--query", "[*].userPrincipalName", "-o", "raw"], input: "")
            let count = try await command.run(words + ["--query", "length(@)", "-o", "raw"], input: "")

            #expect(names.status == 0, "\(names)")
            let lines = names.output.split(separator: "\n")
            #expect(lines.count > 2 && lines.contains("megan@contoso.example"))
            #expect(count.output == "\(lines.count)\n")
        }
    }
}
