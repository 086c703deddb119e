// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import Testing

/// Every setting applies in every command that has its flag, from the environment and from the settings file.
@Suite(.timeLimit(.minutes(3)))
struct SettingTableTests {
    /// The commands, and the arguments with which each of them reads its settings. Two of them have several modes.
    private static let commands: [(name: String, words: [String])] = [
        ("login", ["login", "--no-browser", "--no-input"]),
        ("token", ["token", "--output", "raw"]),
        ("token of an application", token("--client", "app", "--tenant", "t", "--client-secret-env", "APP_SECRET")),
        ("token of the environment", token("--default")),
        ("graph", ["graph"]),
        ("kube-token", ["kube-token"]),
        ("git-credential", ["git-credential", "get"]),
        ("docker-credential", ["docker-credential", "get"]),
        ("account list", ["account", "list"]),
        ("account show", ["account", "show"]),
        ("account set", ["account", "set", "megan"]),
        ("account forget", ["account", "forget", "megan"]),
        ("accounts", ["accounts"]),
        ("whoami", ["whoami"]),
        ("logout", ["logout"]),
        ("logout of the browser", ["logout", "--browser"]),
        ("sso-cookie", ["sso-cookie"]),
        ("native sign-in", ["native", "sign-in", "megan@contoso.example", "--answers", "-"]),
        ("native sign-up", ["native", "sign-up", "megan@contoso.example", "--answers", "-"]),
        ("native reset-password", ["native", "reset-password", "megan@contoso.example", "--answers", "-"]),
        ("native token", ["native", "token", "--output", "raw"]),
        ("doctor", ["doctor"]),
        ("doctor for services", ["doctor", "--services"]),
    ]

    /// A setup reads no profile: `SetupCommandTests`.
    private static let others: Set = ["setup"]

    /// The standard input of a command. A helper parses its request before the settings.
    private static func input(of name: String) -> String {
        switch name {
        case "git-credential": "protocol=https\nhost=dev.azure.com\n\n"
        case "docker-credential": "contoso.azurecr.io\n"
        default: "{}"
        }
    }

    private static func token(_ words: String...) -> [String] {
        ["token", "--output", "raw", "--scope", "https://graph.microsoft.com/.default"] + words
    }

    /// An invalid value, and the text that shows that a command read it.
    struct Setting: Sendable {
        let flag: String
        var variable: String?
        var member: String?
        let value: String
        let words: String
        /// The commands in which the flag has an effect, if not in all that have it.
        var only: Set<String>?
        var except: Set<String> = []
        /// Additional arguments that the command requires.
        var more: [String] = []

        func counts(in command: String) -> Bool { only?.contains(command) ?? true && !except.contains(command) }
    }

    private static let settings = [
        Setting(flag: "profile", variable: "MSAL_PROFILE", value: "nobody", words: "Profile nobody not found"),
        Setting(
            flag: "authority",
            variable: "MSAL_AUTHORITY",
            member: "authority",
            value: "ftp://a.example/t",
            words: "ftp"
        ),
        Setting(
            flag: "ca-file",
            variable: "MSAL_CA_FILE",
            member: "ca_file",
            value: "/nonexistent/ca.pem",
            words: "/nonexistent/ca.pem",
            // The others need an account, whose tokens need no network, before the file.
            only: [
                "login", "token of an application", "token of the environment", "native sign-in", "native sign-up",
                "native reset-password", "doctor", "doctor for services",
            ]
        ),
        Setting(
            flag: "graph-url",
            variable: "MSAL_GRAPH_URL",
            member: "graph_url",
            value: "ftp://a.example/",
            words: "The address of Microsoft Graph is not an https address: ftp://a.example/"
        ),
        Setting(
            flag: "redirect-uri",
            variable: "MSAL_REDIRECT_URI",
            value: "http://localhost:1/",
            words: "MSAL_REDIRECT_URI overrides the redirect URI of every app",
            except: ["logout", "doctor for services"],
            more: ["--port", "8400"]
        ),
        Setting(
            flag: "redirect-uri",
            member: "redirect_uri",
            value: "contoso.app://auth",
            words: "redirect_uri in the profile",
            except: ["doctor for services"]
        ),
        Setting(
            flag: "port",
            member: "port",
            value: "70000",
            words: "port must be a port from 1 to 65535, not 70000"
        ),
        Setting(
            flag: "known-authority",
            member: "known_authorities",
            value: "[ftp://known.example/t]",
            words: "The authority begins with ftp",
            // Identities of services have one authority.
            except: ["token of an application", "token of the environment", "doctor for services"]
        ),
    ]

    /// A user with only this setting, and an authority that does not exist.
    private func runner(_ variables: [String: String] = [:], profile: [String: String] = [:]) throws -> CommandRunner {
        var runner = try CommandRunner([
            "MSAL_STORE_KEY": "key-file", "APP_SECRET": "secret", "AZURE_CLIENT_ID": "app", "AZURE_TENANT_ID": "t",
            "AZURE_CLIENT_SECRET": "secret", "AZURE_TOKEN_CREDENTIALS": "EnvironmentCredential",
        ])
        let file = "\(try #require(runner.environment["HOME"]))/settings.yaml"
        let members = ["client_id": "app", "authority": "https://127.0.0.1:1/common"].merging(profile) { $1 }
        let lines = members.map { "    \($0.key): \($0.value)" }.sorted().joined(separator: "\n")
        try Data("default_profile: p\nprofiles:\n  p:\n\(lines)\n".utf8).write(to: URL(filePath: file))
        runner.environment["MSAL_CONFIG"] = file
        runner.environment.merge(variables) { $1 }
        return runner
    }

    /// The command's own description, which takes it a second.
    private static let help = Task { try await CommandRunner().run("--experimental-dump-help") }

    /// The long flags of every command, by the arguments that call it.
    private static func flags() async throws -> [(name: String, flags: Set<String>)] {
        flags(of: try #require(try await help.value.json()["command"] as? [String: Any]), path: [])
    }

    @Test func `the table has every command that has a setting's flag`() async throws {
        let names = Set(Self.commands.map(\.name))
        for (name, flags) in try await Self.flags() where !flags.isDisjoint(with: Self.settings.map(\.flag)) {
            #expect(names.contains(name) || name.hasPrefix("config ") || Self.others.contains(name), "\(name)")
        }
    }

    @Test(arguments: commands.map(\.name))
    func `a setting applies`(in name: String) async throws {
        let words = try #require(Self.commands.first { $0.name == name }).words
        let flags = try #require(
            try await Self.flags().first { words.joined(separator: " ").hasPrefix($0.name) }
        ).flags
        var plain: [[String]: String] = [:]

        for setting in Self.settings where flags.contains(setting.flag) && setting.counts(in: name) {
            var runners: [CommandRunner] = []
            if let variable = setting.variable { runners.append(try runner([variable: setting.value])) }
            if let member = setting.member { runners.append(try runner(profile: [member: setting.value])) }
            for runner in runners {
                let outcome = try await runner.run(words + setting.more, input: Self.input(of: name))
                let text = outcome.output + outcome.errors
                #expect(text.contains(setting.words), "\(setting.flag): \(text)")
            }
            // Without the setting it is not mentioned.
            if plain[setting.more] == nil {
                let outcome = try await runner().run(words + setting.more, input: Self.input(of: name))
                plain[setting.more] = outcome.output + outcome.errors
            }
            #expect(plain[setting.more]?.contains(setting.words) == false, "\(setting.flag)")
        }
    }

    @Test(arguments: commands.map(\.name).filter { !$0.contains(" of ") && !$0.contains("services") })
    func `the client ID of the environment, of a profile or of a flag is sufficient`(for name: String) async throws {
        let words = try #require(Self.commands.first { $0.name == name }).words
        var none = try runner()
        none.environment["MSAL_CONFIG"] = "/nonexistent/settings.yaml"
        none.environment["MSAL_AUTHORITY"] = "https://127.0.0.1:1/common"
        var variable = none
        variable.environment["MSAL_CLIENT_ID"] = "app"

        let without = try await none.run(words, input: Self.input(of: name))
        let named = [
            try await variable.run(words, input: Self.input(of: name)),
            try await runner().run(words, input: Self.input(of: name)),
            try await none.run(words + ["--client-id", "app"], input: Self.input(of: name)),
        ]

        #expect((without.output + without.errors).lowercased().contains("no client id is set"))
        for outcome in named { #expect(!(outcome.output + outcome.errors).lowercased().contains("no client id")) }
    }

    @Test func `scopes of the environment and of a profile apply to every type of token`() async throws {
        let token = [
            "token", "--output", "raw", "--client", "app", "--tenant", "t", "--client-secret-env", "APP_SECRET",
        ]

        for words in [["login", "--no-browser", "--no-input"], token] {
            for runner in [try runner(["MSAL_SCOPES": "openid"]), try runner(profile: ["scopes": "[openid]"])] {
                let outcome = try await runner.run(words, input: "")
                #expect(outcome.status == 2 && outcome.errors.contains("openid"), "\(outcome)")
            }
        }
    }

    /// A user's token needs an account before its scopes are checked.
    @Test func `scopes of the environment and of a profile apply to a user's token and to Graph`() async throws {
        try await Emulator.with { emulator in
            var user = try await CommandRunner(browsing: emulator)
            #expect(try await user.run("login", "--scope", "User.Read").status == 0)

            for words in [["token", "-o", "raw"], ["graph"]] {
                user.environment["MSAL_SCOPES"] = "openid"
                let variable = try await user.run(words, input: "")
                user.environment["MSAL_SCOPES"] = nil
                #expect(try await user.run("config", "set", "scopes", "openid").status == 0)
                let profile = try await user.run(words, input: "")
                user.environment["MSAL_SCOPES"] = "User.Read"
                let good = try await user.run(words, input: "")

                for outcome in [variable, profile] {
                    #expect(outcome.status == 2 && outcome.errors.contains("openid"), "\(outcome)")
                }
                #expect(good.status == 0, "\(good)")
            }
        }
    }

    @Test func `scopes of the environment and of a profile apply to a native token`() async throws {
        try await Emulator.with { emulator in
            var customer = try CommandRunner(emulator)
            let signIn = try await customer.signIn("password@fabrikam.example", answers: passwordAnswer(emulator))
            #expect(signIn.status == 0, "\(signIn)")
            customer.environment["MSAL_SCOPES"] = "openid"
            let variable = try await customer.run("native", "token", "-o", "raw")
            customer.environment["MSAL_SCOPES"] = nil
            #expect(try await customer.run("config", "set", "scopes", "openid").status == 0)
            let profile = try await customer.run("native", "token", "-o", "raw")

            for outcome in [variable, profile] {
                #expect(outcome.status != 0 && outcome.errors.contains("openid"), "\(outcome)")
            }
        }
    }

    private func passwordAnswer(_ emulator: Emulator) -> String { #"{"password": "\#(emulator.seed.password)"}"# }

    @Test func `config reads and writes the profile of the environment`() async throws {
        let runner = try runner(["MSAL_PROFILE": "work"])
        let id = UUID().uuidString

        let set = try await runner.run("config", "set", "client_id", id)
        #expect(set.output == "✓ client_id is \(id) in profile work.\n")
        #expect(try await runner.run("config", "get", "client_id").output == "\(id)\n")
        #expect(try await runner.run("config", "list", "-o", "json").json()["profile"] as? String == "work")
        #expect(try await runner.run("config", "unset", "client_id").output.contains("in profile work"))
        #expect(try await runner.run("config", "path", "-o", "raw").output.hasSuffix("/settings.yaml\n"))
    }

    private static func flags(of command: [String: Any], path: [String]) -> [(name: String, flags: Set<String>)] {
        let commands = command["subcommands"] as? [[String: Any]] ?? []
        guard commands.isEmpty else {
            return commands.flatMap { flags(of: $0, path: path + [$0["commandName"] as? String ?? ""]) }
        }
        let names = (command["arguments"] as? [[String: Any]] ?? []).flatMap { $0["names"] as? [[String: Any]] ?? [] }
        return [(path.joined(separator: " "), Set(names.compactMap { $0["name"] as? String }))]
    }
}
