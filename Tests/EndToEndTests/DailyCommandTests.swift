// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import Testing

/// `msal` as a process, as somebody uses it every day: accounts, settings, completion.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct DailyCommandTests {
    @Test func `one of two accounts becomes the default, is meant from then on, and is forgotten`() async throws {
        try await Emulator.with { emulator in
            let (megan, alex) = (emulator.seed.megan.userPrincipalName, emulator.seed.alex.userPrincipalName)
            var command = try await CommandRunner(browsing: emulator)
            #expect(try await command.run("login").status == 0)
            command.environment["MSAL_AGENT_USER"] = alex
            #expect(try await command.run("login").status == 0)

            let unclear = try await command.run("whoami")
            #expect(unclear.status == 2)
            #expect(unclear.errors.contains("msal account set NAME"))

            let set = try await command.run("account", "set", alex)
            #expect(set.output == "✓ \(alex) is the default.\n", "\(set.errors)")
            #expect(try await command.run("whoami", "-o", "raw").output == "\(alex)\n")
            #expect(try await command.run("token").output.contains(alex))
            #expect(try await command.run("account", "show", "--account", megan, "-o", "raw").output == "\(megan)\n")
            let list = try await command.run("account", "list")
            #expect(list.output.contains("* \(alex)"))
            #expect(try await command.run("accounts").output == list.output)

            let completion = try await command.run(
                ["---completion", "token", "--", "--account", "3", "0", "msal", "token", "--account", ""],
                input: ""
            )
            #expect(completion.output.split(separator: "\n").map(String.init) == [alex, megan], "\(completion)")

            #expect(try await command.run("account", "forget", alex, "-o", "raw").output == "\(alex)\n")
            #expect(try await command.run("whoami", "-o", "raw").output == "\(megan)\n")
        }
    }

    /// A terminal is there each time, so that only the flag or the redirection keeps somebody from being asked.
    @Test(arguments: [
        ["native", "sign-in", "megan@contoso.example"], ["native", "sign-up", "megan@contoso.example"],
        ["native", "reset-password", "megan@contoso.example"],
    ])
    func `nobody is asked where that is forbidden, or where nobody sees the question`(words: [String]) async throws {
        let command = try CommandRunner([
            "MSAL_CLIENT_ID": "one", "MSAL_AUTHORITY": "https://contoso.ciamlogin.com", "MSAL_STORE_KEY": "key-file",
        ])
        let terminal = try TestTerminal()

        let forbidden = try await command.run(words + ["--no-input", "-o", "json"], at: terminal) { _ in }
        let unseen = try await command.run(words + ["-o", "json"], input: "")

        for (outcome, reason) in [(forbidden, "--no-input forbids"), (unseen, "no terminal")] {
            let error = try outcome.json()["error"] as? [String: Any]
            #expect(outcome.status == 2)
            #expect((error?["message"] as? String)?.contains(reason) == true, "\(outcome)")
            #expect((error?["remedy"] as? String)?.contains("--answers") == true)
        }
    }

    @Test func `a store is not deleted without a question or a yes`() async throws {
        let command = try CommandRunner(["MSAL_CLIENT_ID": "one", "MSAL_STORE_KEY": "key-file"])
        _ = try await command.run(["cache", "import", "-"], input: "{}")

        let outcome = try await command.run(["cache", "clear", "--no-input", "-o", "json"], at: try TestTerminal()) {
            _ in
        }

        let error = try outcome.json()["error"] as? [String: Any]
        #expect(outcome.status == 2)
        #expect(
            (error?["message"] as? String)?.hasPrefix("--no-input forbids to ask: Delete every") == true,
            "\(outcome)"
        )
        #expect(error?["remedy"] as? String == "Pass --yes.")
    }

    @Test(arguments: [["cache", "path"], ["config", "list"], ["redirect", "check", "com.contoso.app"], ["version"]])
    func `every command knows the levels of the log`(words: [String]) async throws {
        let command = try CommandRunner(["MSAL_LOG": "all"])

        let outcome = try await command.run(words, input: "")

        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("MSAL_LOG takes error, warning, info or verbose, not all."))
    }

    @Test func `an account that signs out is no default any more`() async throws {
        try await Emulator.with { emulator in
            let megan = emulator.seed.megan.userPrincipalName
            let command = try await CommandRunner(browsing: emulator)
            #expect(try await command.run("login").status == 0)
            #expect(try await command.run("account", "set", megan).status == 0)

            #expect(try await command.run("logout").status == 0)

            let outcome = try await command.run("whoami")
            #expect(outcome.status == 4 && outcome.errors.contains("Nobody is signed in."), "\(outcome)")
            #expect(try await command.run("account", "list", "-o", "json").json()["default_account"] is NSNull)
        }
    }

    @Test func `a setting that nothing would read is not written`() async throws {
        let command = try CommandRunner()
        #expect(try await command.run("config", "set", "client_id", "one", "--profile", "a").status == 0)
        #expect(try await command.run("config", "unset", "default_profile").status == 0)

        for (words, text) in [
            (["authority", "https://login.microsoftonline.com/contoso.com"], "No profile is meant."),
            (["default_profile", "typo"], "There is no profile typo."), (["scopes", ""], "scopes takes a value"),
            (["ca_file", "missing.pem", "--profile", "a"], "/missing.pem cannot be read."),
        ] {
            let outcome = try await command.run(["config", "set"] + words, input: "")
            #expect(outcome.status == 2 && outcome.errors.contains(text), "\(outcome)")
        }
        #expect(try await command.run("config", "list", "--profile", "a", "-o", "raw").output == "client_id\tone\n")
    }

    @Test func `msal redirect by itself shows its help`() async throws {
        let outcome = try await CommandRunner().run("redirect")

        #expect(outcome.status == 0 && outcome.output.contains("msal redirect <command>"), "\(outcome)")
    }

    @Test func `a first setting makes a profile, which then counts and is completed`() async throws {
        let command = try CommandRunner()

        let set = try await command.run("config", "set", "client_id", "one")
        #expect(set.output == "✓ client_id is one in profile default.\n", "\(set.errors)")
        #expect(try await command.run("config", "get", "client_id", "-o", "raw").output == "one\n")
        let list = try await command.run("config", "list", "-o", "json").json()
        #expect(list["profile"] as? String == "default")
        #expect(list["settings"] as? [String: String] == ["client_id": "one", "default_profile": "default"])
        // The client id is known, so it is the account that is missing.
        #expect(try await command.run("token").status == 4)

        let missing = try await command.run("config", "get", "authority")
        #expect(missing.status == 1)
        #expect(missing.errors.contains("msal config set authority VALUE"))
        let unknown = try await command.run("config", "set", "nonsense", "x")
        #expect(unknown.status == 2)
        #expect(try await command.run("config", "unset", "client_id").status == 0)
        #expect(try await command.run("token").status == 2)
    }
}
