// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import Testing

/// `msal` as a process, in daily use: accounts, settings, completion.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct DailyCommandTests {
    @Test func `one of two accounts becomes the default, is used from then on, and is removed`() async throws {
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
            #expect(try await command.run("token", "-o", "json").output.contains(alex))
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

    @Test func `a login at a terminal activates its account, and names the command to switch back`() async throws {
        try await Emulator.with { emulator in
            let (megan, alex) = (emulator.seed.megan.userPrincipalName, emulator.seed.alex.userPrincipalName)
            var command = try await CommandRunner(browsing: emulator)
            func login(_ user: String, _ more: String...) async throws -> CommandRunner.Outcome {
                command.environment["MSAL_AGENT_USER"] = user
                return try await command.run(["login"] + more, at: TestTerminal()) { _ in }
            }

            #expect(try await login(megan).output == "✓ Signed in as \(megan)\n")
            // The only account needs no choice.
            #expect(try await command.run("config", "path", "-o", "json").json()["exists"] as? Bool == false)
            let second = try await login(alex)
            #expect(
                second.output == """
                    ✓ Signed in as \(alex)
                    This account is now active. To switch back to \(megan):
                      msal account set \(megan)

                    """
            )
            for words in [["whoami"], ["token"], ["graph"]] {
                let outcome = try await command.run(words + ["-o", "json"], input: "")
                #expect(outcome.status == 0 && outcome.output.contains(alex), "\(outcome)")
            }
            // A second sign-in with the same account changes nothing.
            #expect(try await login(alex).output == "✓ Signed in as \(alex)\n")

            let named = try await command.run("whoami", "--account", "MEGAN", "-o", "raw")
            #expect(named.output == "\(megan)\n", "\(named.errors)")
            #expect(try await command.run("whoami", "-o", "raw").output == "\(alex)\n")
            #expect(try await command.run("account", "set", "megan").status == 0)
            let settings = try await command.run("config", "path", "-o", "raw").output.trimmingCharacters(in: .newlines)
            #expect(try String(contentsOfFile: settings, encoding: .utf8).contains(megan))

            // A job without a terminal does not change the choice.
            command.environment["MSAL_AGENT_USER"] = alex
            let job = try await command.run("login", "-o", "json").json()
            #expect(job["is_default"] as? Bool == false && job["former_default"] is NSNull)
            #expect(try await command.run("whoami", "-o", "raw").output == "\(megan)\n")
            let json = try await login(alex, "-o", "json", "--client-id", emulator.seed.clientID).json()
            #expect(json["is_default"] as? Bool == true && json["former_default"] as? String == megan)
        }
    }

    @Test func `the id switches back to one of two accounts with the same name`() async throws {
        try await Emulator.with { emulator in
            let (megan, alex) = (emulator.seed.megan, emulator.seed.alex)
            var command = try await CommandRunner(browsing: emulator)
            #expect(try await command.run("login").status == 0)
            // Another account with Megan's name.
            let twin = try await command.run("cache", "export", "-").output
                .replacing(megan.objectID, with: "77777777-0000-4000-8000-000000000007")
            #expect(try await command.run(["cache", "import", "-"], input: twin).status == 0)
            let id = "\(megan.objectID).\(emulator.seed.tenantID)"
            #expect(try await command.run("account", "set", id).status == 0)
            command.environment["MSAL_AGENT_USER"] = alex.userPrincipalName

            let login = try await command.run(["login"], at: TestTerminal()) { _ in }

            #expect(login.output.hasSuffix("To switch back to \(id):\n  msal account set \(id)\n"), "\(login)")
            #expect(try await command.run("account", "set", id).status == 0)
        }
    }

    @Test func `if a permission for Microsoft Graph is missing, the remedy is a sign-in that adds it`() async throws {
        try await Emulator.with { emulator in
            let command = try await CommandRunner(browsing: emulator)
            #expect(try await command.run("login").status == 0)
            let path = "/users/\(emulator.seed.alex.userPrincipalName)"

            let refused = try await command.run("graph", path)
            #expect(refused.status == 1)
            #expect(
                refused.errors.contains(
                    "The call needs User.ReadBasic.All. Run: msal login --scope User.ReadBasic.All --login-hint "
                        + "\(emulator.seed.megan.userPrincipalName). Then add --scope User.ReadBasic.All here.\n"
                        + "Correlation ID: "
                ),
                "\(refused)"
            )
            #expect(try await command.run("login", "--scope", "User.ReadBasic.All").status == 0)
            let answered = try await command.run("graph", path, "--scope", "User.ReadBasic.All", "-o", "raw")
            #expect(answered.status == 0 && answered.output.contains(emulator.seed.alex.displayName), "\(answered)")
        }
    }

    @Test func `a settings file that cannot be changed does not affect the sign-in, and is reported`() async throws {
        try await Emulator.with { emulator in
            let (megan, alex) = (emulator.seed.megan.userPrincipalName, emulator.seed.alex.userPrincipalName)
            var command = try await CommandRunner(browsing: emulator)
            #expect(try await command.run("login").status == 0)
            command.environment["MSAL_AGENT_USER"] = alex
            command.environment["MSAL_CONFIG"] = "/proc/settings.yaml"

            let outcome = try await command.run(["login"], at: TestTerminal()) { _ in }

            #expect(outcome.status == 0)
            #expect(outcome.output == "✓ Signed in as \(alex)\n")
            #expect(try await command.run("accounts", "-o", "raw").output == "\(alex)\n\(megan)\n")
        }
    }

    @Test(arguments: [
        ("config set ", "client_id"), ("config get c", "ca_file"), ("config ", "path"), ("cache ", "list"),
    ])
    func `a shell completes settings and commands`(_ line: String, _ word: String) async throws {
        var command = try CommandRunner()
        let script = #"""
            program="$1"; PATH="${program%/*}:$PATH"
            source <("$program" --generate-completion-script bash)
            COMP_LINE="msal $2" COMP_POINT=$((5 + ${#2})); read -ra COMP_WORDS <<< "$COMP_LINE"
            [[ "$COMP_LINE" == *" " ]] && COMP_WORDS+=("")
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _msal msal "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            printf '%s\n' "${COMPREPLY[@]}"
            """#
        command.starter = ["/bin/bash", "-c", script, "bash"]

        let outcome = try await command.run(line)

        #expect(outcome.output.split(separator: "\n").map(String.init).contains(word), "\(outcome)")
    }

    @Test func `the stores of a user are listed by group`() async throws {
        let command = try CommandRunner(["MSAL_STORE_KEY": "key-file"])
        #expect(
            try await command.run("cache", "list").output
                == "There is no token store yet. The first sign-in creates it.\n"
        )
        for group in ["msal.cli", "my app"] {
            #expect(try await command.run(["cache", "import", "-", "--group", group], input: "{}").status == 0)
        }

        let raw = try await command.run("cache", "list", "-o", "raw")
        let json = try await command.run("cache", "list", "-o", "json").json()

        #expect(raw.output == "msal.cli\nmy app\n", "\(raw)")
        let stores = try #require(json["stores"] as? [[String: Any]])
        #expect(stores.compactMap { $0["path"] as? String }.allSatisfy(FileManager.default.fileExists))
    }

    @Test(arguments: [
        "cat /dev/zero | \"$0\" \"$@\" -", "\"$0\" \"$@\" <(cat /dev/zero)", "\"$0\" \"$@\" - < /dev/zero",
    ])
    func `an endless cache is rejected, and the error says how to read a big one`(_ script: String) async throws {
        var command = try CommandRunner(["MSAL_STORE_KEY": "key-file"])
        command.starter = ["/bin/bash", "-c", script]

        let outcome = try await command.run("cache", "import")

        #expect(outcome.status == 1)
        if script.contains("cat") {
            #expect(outcome.errors.contains(" has more than 64 MiB, the limit for a pipe."), "\(outcome)")
            #expect(outcome.errors.contains("Write the cache to a file, and pass the file."))
        } else {
            #expect(outcome.errors.contains("Standard input is not a regular file."), "\(outcome)")
        }
    }

    @Test func `a cache is read from a file on standard input, and an empty device is empty`() async throws {
        var command = try CommandRunner(["MSAL_STORE_KEY": "key-file"])
        command.starter = [
            "/bin/bash", "-c", "printf '{}' > \"$HOME/cache.json\"; \"$0\" \"$@\" < \"$HOME/cache.json\"",
        ]
        let file = try await command.run("cache", "import", "-")
        command.starter = []
        let empty = try await command.run(["cache", "import", "-"])

        #expect(file.status == 0, "\(file)")
        #expect(empty.status == 0 && empty.output == "Nothing new was found.\n", "\(empty)")
    }

    /// There is always a terminal, so that only the flag or the redirection prevents the prompt.
    @Test(arguments: [
        ["native", "sign-in", "megan@contoso.example"], ["native", "sign-up", "megan@contoso.example"],
        ["native", "reset-password", "megan@contoso.example"],
    ])
    func `no prompt is shown if it is forbidden or not visible`(words: [String]) async throws {
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

    @Test func `a store is not deleted without a prompt or --yes`() async throws {
        let command = try CommandRunner(["MSAL_CLIENT_ID": "one", "MSAL_STORE_KEY": "key-file"])
        _ = try await command.run(["cache", "import", "-"], input: "{}")

        let outcome = try await command.run(["cache", "clear", "--no-input", "-o", "json"], at: try TestTerminal()) {
            _ in
        }

        let error = try outcome.json()["error"] as? [String: Any]
        #expect(outcome.status == 2)
        #expect(
            (error?["message"] as? String)?.hasPrefix("--no-input is set, so the command cannot ask: Delete every")
                == true,
            "\(outcome)"
        )
        #expect(error?["remedy"] as? String == "Pass --yes.")
    }

    @Test(arguments: [["cache", "path"], ["config", "list"], ["redirect", "check", "com.contoso.app"], ["version"]])
    func `every command accepts the levels of the log`(words: [String]) async throws {
        let command = try CommandRunner(["MSAL_LOG": "all"])

        let outcome = try await command.run(words, input: "")

        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("MSAL_LOG takes error, warning, info or verbose, not all."))
    }

    @Test func `the only account is the default in every report`() async throws {
        try await Emulator.with { emulator in
            let command = try await CommandRunner(browsing: emulator)

            let login = try await command.run("login", "-o", "json").json()
            let whoami = try await command.run("whoami", "-o", "json").json()
            let list = try await command.run("account", "list", "-o", "json").json()

            let id = (whoami["account"] as? [String: Any])?["home_account_id"] as? String
            #expect(login["is_default"] as? Bool == true)
            #expect(whoami["is_default"] as? Bool == true)
            #expect(id != nil && list["default_account"] as? String == id)
        }
    }

    @Test func `an account that signs out is no longer the default`() async throws {
        try await Emulator.with { emulator in
            let megan = emulator.seed.megan.userPrincipalName
            let command = try await CommandRunner(browsing: emulator)
            #expect(try await command.run("login").status == 0)
            #expect(try await command.run("account", "set", megan).status == 0)

            #expect(try await command.run("logout").status == 0)

            let outcome = try await command.run("whoami")
            #expect(outcome.status == 4 && outcome.errors.contains("Not signed in."), "\(outcome)")
            #expect(try await command.run("account", "list", "-o", "json").json()["default_account"] is NSNull)
        }
    }

    private static let one = "00000000-0000-4000-8000-00000000000e"

    @Test(arguments: [
        ["config", "set", "client_id", "nonsense"], ["config", "set", "client_id", "two words"],
        ["setup", "--client-id", "nonsense", "--tenant", "contoso.example"],
        ["setup", "--client-id", "", "--tenant", "contoso.example"],
    ])
    func `a client ID is checked in the same way wherever it is stored`(words: [String]) async throws {
        var command = try CommandRunner()

        let outcome = try await command.run(words, input: "")
        command.environment["MSAL_AUTHORITY"] = "https://localhost:8443/contoso.example"
        let ofEmulator = try await command.run("config", "set", "client_id", "nonsense")

        #expect(outcome.status == 2, "\(outcome)")
        #expect(outcome.errors.contains("is not an application ID") || outcome.errors.contains("ID is required"))
        #expect(ofEmulator.status == 0, "\(ofEmulator)")
    }

    @Test(arguments: ["", " ", "a\nb"])
    func `a setup rejects an invalid profile name before the sign-in`(name: String) async throws {
        let words = ["setup", "--client-id", Self.one, "--authority", "https://localhost:9/contoso.example"]

        let outcome = try await CommandRunner().run(words + ["--profile", name], input: "")

        #expect(outcome.status == 2 && outcome.errors.contains("The name of a profile"), "\(outcome)")
    }

    @Test func `a setting without effect is not written`() async throws {
        let command = try CommandRunner()
        #expect(try await command.run("config", "set", "client_id", Self.one, "--profile", "a").status == 0)
        #expect(try await command.run("config", "unset", "default_profile").status == 0)

        for (words, text) in [
            (["authority", "https://login.microsoftonline.com/contoso.com"], "No profile is selected."),
            (["default_profile", "typo"], "Profile typo not found."), (["scopes", ""], "scopes takes a value"),
            (["ca_file", "missing.pem", "--profile", "a"], "/missing.pem cannot be read."),
        ] {
            let outcome = try await command.run(["config", "set"] + words, input: "")
            #expect(outcome.status == 2 && outcome.errors.contains(text), "\(outcome)")
        }
        #expect(
            try await command.run("config", "list", "--profile", "a", "-o", "raw").output == "client_id\t\(Self.one)\n"
        )
    }

    @Test func `msal redirect without arguments shows its help`() async throws {
        let outcome = try await CommandRunner().run("redirect")

        #expect(outcome.status == 0 && outcome.output.contains("msal redirect <command>"), "\(outcome)")
    }

    @Test func `a first setting creates a profile, which is then used and completed`() async throws {
        let command = try CommandRunner()

        let set = try await command.run("config", "set", "client_id", Self.one)
        #expect(set.output == "✓ client_id is \(Self.one) in profile default.\n", "\(set.errors)")
        for form in [[], ["-o", "raw"], ["--profile", "default"]] {
            let get = try await command.run(["config", "get", "client_id"] + form, input: "")
            #expect(get.output == "\(Self.one)\n")
        }
        let list = try await command.run("config", "list", "-o", "json").json()
        #expect(list["profile"] as? String == "default")
        #expect(list["settings"] as? [String: String] == ["client_id": Self.one, "default_profile": "default"])
        // The client ID is set, so the account is missing.
        #expect(try await command.run("token", "-o", "raw").status == 4)

        let missing = try await command.run("config", "get", "authority")
        #expect(missing.status == 1)
        #expect(missing.errors.contains("msal config set authority VALUE"))
        let unknown = try await command.run("config", "set", "nonsense", "x")
        #expect(unknown.status == 2)
        #expect(try await command.run("config", "unset", "client_id").status == 0)
        #expect(try await command.run("token", "-o", "raw").errors.contains("No client ID is set."))
    }
}
