// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import TestSupport
import Testing

/// `msal` as a process: native sign-in with real TLS, and commands on a machine with failures.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct CommandTests {
    @Test func `a customer signs in with answers from a file and gets tokens for two APIs`() async throws {
        try await Emulator.with { emulator in
            let command = try CommandRunner(emulator)
            let answers = #"{"password": "\#(emulator.seed.password)"}"#
            let user = "password@fabrikam.example"

            let signIn = try await command.signIn(user, answers: answers)
            let account = try signIn.json()["account"] as? [String: Any]
            #expect(signIn.status == 0)
            #expect(account?["username"] as? String == user)
            #expect((account?["environment"] as? String)?.hasPrefix("127.0.0.1:") == true)

            var tokens: Set<String> = []
            for api in ["a1", "a2"] {
                let scope = "api://00000000-0000-4000-8000-0000000000\(api)/ToDoList.Read"
                let raw = try await command.run("native", "token", "--scope", scope, "-o", "raw")
                let json = try await command.run("native", "token", "--scope", scope, "-o", "json")
                let token = raw.output.trimmingCharacters(in: .newlines)
                #expect(raw.status == 0)
                #expect(token.split(separator: ".").count == 3)
                #expect(try json.json()["scopes"] as? [String] == [scope])
                #expect(!json.output.contains(token))
                tokens.insert(token)
            }
            #expect(tokens.count == 2)

            let signOut = try await command.run("logout", "-o", "raw")
            #expect(signOut.output == "\(user)\n")
            #expect(try await command.run("native", "token", "-o", "json").status == 4)
        }
    }

    @Test func `a browser is started without data of the request in its arguments, and signs in`() async throws {
        try await Emulator.with { emulator in
            let command = try await CommandRunner(browsing: emulator)

            let login = try await command.run("login", "-o", "raw")

            #expect(login.output == "\(emulator.seed.megan.userPrincipalName)\n", "\(login.errors)")
            let arguments = try #require(command.browserArguments)
            #expect(arguments.wholeMatch(of: /http:\/\/localhost:[0-9]+\/start\/[A-Za-z0-9_-]{22}/) != nil)
        }
    }

    @Test func `with debug, the JSON of a token has the durations of its request`() async throws {
        try await Emulator.with { emulator in
            let command = try await CommandRunner(browsing: emulator)
            #expect(try await command.run("login", "-o", "raw").status == 0)

            let plain = try await command.run("token", "--refresh", "-o", "json")
            let debug = try await command.run("token", "--refresh", "-o", "json", "--debug")

            #expect(try plain.json()["durations"] == nil)
            let durations = try #require(try debug.json()["durations"] as? [String: Double])
            let (network, store) = (durations["network"] ?? 0, durations["store"] ?? 0)
            // Both the sockets and the file are measured.
            #expect(network > 0 && store > 0)
            #expect(durations["total"] ?? 0 >= network + store)
        }
    }

    @Test func `the browser returns to the port and the path that were named`() async throws {
        try await Emulator.with { emulator in
            let command = try await CommandRunner(browsing: emulator)
            // Another process may bind the port before the command does. Then another port is tried.
            var port = 0
            var login: CommandRunner.Outcome
            repeat {
                let free = try LoopbackPort()
                close(free.descriptor)
                port = free.number
                login = try await command.run("login", "--port", "\(port)", "-o", "raw")
            } while login.errors.contains("Port \(port) of the redirect URI is in use")

            #expect(login.output == "\(emulator.seed.megan.userPrincipalName)\n", "\(login.errors)")
            #expect(command.browserArguments?.hasPrefix("http://localhost:\(port)/start/") == true)
        }
    }

    @Test(arguments: [
        (["--port", "0"], "--port 8400"), (["--port", "99999"], "1 to 65535"), (["--port", "http"], "1 to 65535"),
        (["--port", "8400", "--redirect-uri", "http://localhost:8400"], "http://localhost:8400/"),
        (["--redirect-uri", "http://elsewhere.example/"], "http://localhost"),
        (["--redirect-uri", "http://localhost:8400/#a"], "--redirect-uri"),
        (["--redirect-uri", "a b"], "--redirect-uri"),
        (["--redirect-uri", "msauth.other.app://auth"], "--redirect-uri"),
    ])
    func `an invalid redirect is an invalid setting, with a remedy`(_ words: [String], _ told: String) async throws {
        let command = try CommandRunner(["MSAL_CLIENT_ID": "client", "MSAL_STORE_KEY": "key-file"])

        let outcome = try await command.run(["login", "--no-browser"] + words)

        #expect(outcome.status == 2)
        #expect(outcome.errors.contains(told), "\(outcome.errors)")
    }

    @Test func `a sign-out whose page never returns succeeds with a note`() async throws {
        try await Emulator.with { emulator in
            var command = try await CommandRunner(browsing: emulator)
            _ = try await command.run("login", "-o", "raw")
            command.environment["BROWSER"] = "true"

            let logout = try await command.run("logout", "--browser", "--timeout", "1", "-o", "json")
            let accounts = try await command.run("accounts", "-o", "json")

            #expect(logout.status == 0)
            #expect(try logout.json()["browser_session"] as? String == "unconfirmed")
            #expect(logout.errors.contains("within 1 s"))
            #expect(try accounts.json()["accounts"] as? [String] == [])
        }
    }

    @Test func `a sign-out whose page returns needs no note`() async throws {
        try await Emulator.with { emulator in
            let command = try await CommandRunner(browsing: emulator)
            _ = try await command.run("login", "-o", "raw")

            let logout = try await command.run("logout", "--browser", "--timeout", "60", "-o", "json")

            #expect(logout.status == 0)
            #expect(try logout.json()["browser_session"] as? String == "ended")
            #expect(!logout.errors.contains("within"))
        }
    }

    @Test(arguments: ["/proc/msal", "memory"])
    func `no browser is opened for a sign-in that could not be stored`(_ place: String) async throws {
        var command = try CommandRunner(["MSAL_CLIENT_ID": "client", "MSAL_AUTHORITY": "https://127.0.0.1:1/common"])
        command.environment[place == "memory" ? "MSAL_STORE_KEY" : "MSAL_STORE_DIR"] = place

        let login = try await command.run("login", "--no-browser", "-o", "json")

        let error = try login.json()["error"] as? [String: Any]
        #expect(login.status == (place == "memory" ? 2 : 6))
        #expect((error?["message"] as? String)?.contains("The sign-in was not started") == true)
        #expect((error?["message"] as? String)?.contains(place) == true)
        #expect(error?["remedy"] as? String == "Run: msal cache doctor")
    }

    @Test(.enabled(if: geteuid() == 0, "Only root can take the store away."))
    func `a renewed token that could not be stored is reported at a terminal`() async throws {
        try await Emulator.with { emulator in
            var command = try await CommandRunner(browsing: emulator)
            _ = try await command.run("login", "-o", "raw")
            let kept = try await command.run("token", "--refresh", "-o", "text")
            let mounts = "mount --bind $HOME $HOME && mount -o remount,bind,ro $HOME"
            command.starter = ["/usr/bin/unshare", "-m", "sh", "-c", "\(mounts) && exec \"$0\" \"$@\""]

            let lost = try await command.run("token", "--refresh", "-o", "text")
            let json = try await command.run("token", "--refresh", "-o", "json")

            #expect(kept.status == 0 && kept.errors.isEmpty)
            #expect(lost.status == 0, "\(lost.errors)")
            #expect(lost.errors.contains("could not be stored"))
            #expect(lost.errors.contains("msal cache doctor"))
            #expect(json.errors.isEmpty)
            #expect(try json.json()["is_persisted"] as? Bool == false)
        }
    }

    @Test func `a user signs up at the terminal with attributes, a wrong code and another one`() async throws {
        try await Emulator.with { emulator in
            let command = try CommandRunner(emulator, clientID: emulator.seed.attributesClientID)
            let user = "ada@customers.example"

            let outcome = try await command.run("native", "sign-up", user, "-o", "json", at: try TestTerminal()) {
                var screen = ""
                try await $0.answer("Code (", "00000000", seen: &screen)
                try await $0.answer("Code (", "r", seen: &screen)
                try await $0.answer("Code (", emulator.newestCode(for: user), seen: &screen)
                try await $0.answer("New password", "Correct-horse-1", seen: &screen)
                try await $0.answer("Repeat the password", "Correct-horse-1", seen: &screen)
                let prompts = try await $0.until("displayName", seen: &screen)
                #expect(!prompts.contains("Correct-horse-1"))
                try $0.type("Ada")
                try await $0.answer("postalCode (text, required): ", "12", seen: &screen)
                let refusal = try await $0.until("postalCode (text, required): ", seen: &screen)
                #expect(refusal.contains("rejected the value of postalCode"))
                try $0.type("12345")
            }

            let report = try outcome.json()
            #expect(outcome.status == 0)
            #expect(report["outcome"] as? String == "signed_up")
            #expect((report["account"] as? [String: Any])?["username"] as? String == user)
        }
    }

    @Test(arguments: NativeAuthVersion.allCases)
    func `a second factor is chosen, and a rejected password asked for again`(version: NativeAuthVersion) async throws {
        try await Emulator.with { emulator in
            let command = try CommandRunner(emulator)
            let password = emulator.seed.password

            let arguments = ["native", "sign-in", "mfa-choice@fabrikam.example", "-o", "raw"] + version.options

            let outcome = try await command.converse(arguments, at: try TestTerminal()) {
                var screen = ""
                try await $0.answer("Password of", "wrong", seen: &screen)
                let refusal = try await $0.until("Password of", seen: &screen)
                #expect(refusal.contains("Try again"))
                try $0.type(password)
                try await $0.answer("1 to 2", "2", seen: &screen)
                try await $0.answer("Code (", emulator.newestCode(for: "+15550142"), seen: &screen)
            }

            #expect(outcome.status == 0)
            #expect(outcome.output == "mfa-choice@fabrikam.example\n")
        }
    }

    @Test(arguments: NativeAuthVersion.allCases)
    func `a new password is set, and the old one is rejected`(version: NativeAuthVersion) async throws {
        try await Emulator.with { emulator in
            let command = try CommandRunner(emulator)
            let user = "password@fabrikam.example"

            let arguments = ["native", "reset-password", user, "-o", "json"] + version.options

            let outcome = try await command.converse(arguments, at: try TestTerminal()) {
                var screen = ""
                try await $0.answer("Code (", emulator.newestCode(for: user), seen: &screen)
                for password in ["short", "Correct-horse-1"] {
                    try await $0.answer("New password", password, seen: &screen)
                    try await $0.answer("Repeat the password", password, seen: &screen)
                }
            }
            let old = try await command.signIn(
                user,
                answers: #"{"password": "\#(emulator.seed.password)"}"#,
                options: version.options
            )

            #expect(try outcome.json()["outcome"] as? String == "password_reset")
            let error = try old.json()["error"] as? [String: Any]
            #expect(old.status == 1)
            #expect((error?["remedy"] as? String)?.contains("reset-password") == true)
            #expect((error?["correlation_id"] as? String)?.isEmpty == false)
            #expect(!old.output.contains(emulator.seed.password))
        }
    }

    @Test func `an unknown user may sign up, and one who needs the browser gets the command`() async throws {
        try await Emulator.with { emulator in
            let command = try CommandRunner(emulator)
            func signIn(_ user: String) async throws -> CommandRunner.Outcome {
                try await command.run("native", "sign-in", user, "--answers", "-", input: #"{"password": "x"}"#)
            }

            let unknown = try await signIn("nobody@customers.example")
            let social = try await signIn("social@fabrikam.example")

            #expect(unknown.status == 1)
            #expect(unknown.errors.contains("msal native sign-up"))
            #expect(social.status == 3)
            #expect(social.errors.contains("Pass --browser, or run: msal login"))
        }
    }

    @Test func `without a terminal and without answers the command names the options`() async throws {
        let settings = ["MSAL_CLIENT_ID": "client", "MSAL_AUTHORITY": "https://contoso.ciamlogin.com"]

        let outcome = try await CommandRunner(settings).run("native", "sign-in", "megan@contoso.example")

        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("--answers"))
    }

    @Test func `a redirect of the environment applies to the command, and its error names the variable`() async throws {
        let command = try CommandRunner(["MSAL_CLIENT_ID": "client", "MSAL_REDIRECT_URI": "msal{client}://auth"])

        let outcome = try await command.run("login")

        #expect(outcome.status != 0)
        #expect(outcome.errors.contains("msal{client}://auth begins with msal{client}, which cannot be a scheme"))
        #expect(outcome.errors.contains("It comes from MSAL_REDIRECT_URI."))
    }

    @Test func `an untrusted store ends with the status of the store, a cause and a remedy`() async throws {
        let command = try CommandRunner(["MSAL_CLIENT_ID": "client"])
        let folder = try #require(command.environment["MSAL_STORE_DIR"]) + "/msal/msal.cli"
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        try FileManager.default.createSymbolicLink(atPath: "\(folder)/tokens.db", withDestinationPath: "/dev/null")

        let outcome = try await command.run("accounts", "-o", "json")

        let error = try outcome.json()["error"] as? [String: Any]
        #expect(outcome.status == 6)
        #expect((error?["message"] as? String)?.contains("tokens.db") == true)
        #expect(error?["remedy"] as? String == "Run: msal cache doctor")
    }

    @Test func `a browser session that could not be ended is distinguished from the removed account`()
        async throws
    {
        var command: CommandRunner?
        try await Emulator.with { emulator in
            let signedIn = try CommandRunner(emulator)
            let outcome = try await signedIn.run(
                "native",
                "sign-in",
                "password@fabrikam.example",
                "--answers",
                "-",
                input: #"{"password": "\#(emulator.seed.password)"}"#
            )
            #expect(outcome.status == 0)
            command = signedIn
        }

        let signOut = try await #require(command).run("logout", "--browser", "-o", "json")
        let accounts = try await #require(command).run("accounts", "-o", "json")

        #expect(signOut.status == 5)
        #expect(try signOut.json()["error"] != nil)
        #expect(
            signOut.errors
                == "password@fabrikam.example is signed out here, but the browser session was not ended.\n"
        )
        #expect(try accounts.json()["accounts"] as? [String] == [])
    }

    @Test func `certificates that cannot be read are an invalid setting, not a network failure`() async throws {
        let settings = ["MSAL_CLIENT_ID": "client", "MSAL_AUTHORITY": "https://127.0.0.1:1/common"]

        let flag = try await CommandRunner(settings).run("login", "--no-browser", "--ca-file", "/nonexistent/ca.pem")
        let variable = try await CommandRunner(settings.merging(["SSL_CERT_FILE": "/nonexistent/ca.pem"]) { $1 })
            .run("login", "--no-browser")
        let reachable = try await CommandRunner(settings).run("login", "--no-browser")

        #expect(flag.status == 2)
        #expect(flag.errors.contains("--ca-file") && flag.errors.contains("MSAL_CA_FILE"))
        #expect(variable.status == 2)
        #expect(variable.errors.contains("SSL_CERT_FILE"))
        #expect(reachable.status != 2, "\(reachable.errors)")
    }

    /// NIO trapped on such a port.
    @Test(arguments: [
        ["MSAL_AUTHORITY": "https://127.0.0.1:65536/x"], ["MSAL_AUTHORITY": "https://[::1]:65536/x"],
        ["MSAL_GRAPH_URL": "https://127.0.0.1:65536/"], ["HTTPS_PROXY": "http://127.0.0.1:65536"],
        ["MSAL_REDIRECT_URI": "http://127.0.0.1:65536/x"],
    ])
    func `the checkup reports an invalid port`(_ settings: [String: String]) async throws {
        let base = [
            "MSAL_CLIENT_ID": "client", "MSAL_AUTHORITY": "https://login.contoso.example/x", "MSAL_STORE_KEY": "memory",
        ]

        let outcome = try await CommandRunner(base.merging(settings) { $1 }).run("doctor")

        #expect((1...7).contains(outcome.status), "\(outcome)")
        #expect((outcome.output + outcome.errors).contains { $0.isLetter })
    }

    @Test(arguments: ["IDENTITY_ENDPOINT", "MSI_ENDPOINT", "AZURE_POD_IDENTITY_AUTHORITY_HOST", "AZURE_AUTHORITY_HOST"])
    func `the checkup of services reports an invalid port`(_ variable: String) async throws {
        let settings = [
            variable: "https://127.0.0.1:65536/x", "IDENTITY_HEADER": "h", "AZURE_CLIENT_ID": "id",
            "AZURE_TENANT_ID": "t",
            "AZURE_CLIENT_SECRET": "s", "AZURE_TOKEN_CREDENTIALS": "prod",
        ]

        let outcome = try await CommandRunner(settings).run("doctor", "--services")

        #expect((0...7).contains(outcome.status), "\(outcome)")
        #expect(outcome.output.contains(variable), "\(outcome)")
    }

    @Test(arguments: [["token"], ["native", "token"], ["token", "--client", "app"]])
    func `a script without an output format gets no token, and one line of help`(_ words: [String]) async throws {
        let runner = try CommandRunner()

        let outcome = try await runner.run(words, input: "")

        #expect(outcome.status == 2)
        #expect(outcome.output == "")
        #expect(outcome.errors == "msal: The output is not a terminal. Pass -o raw for the token, or -o json.\n")
    }

    @Test func `the doctor checks everything without a client ID, and explains how to get one`() async throws {
        try await Emulator.with { emulator in
            var command = try await CommandRunner(browsing: emulator)
            command.environment["MSAL_CLIENT_ID"] = nil

            let outcome = try await command.run("doctor", "-o", "json")

            let checks = try #require(try outcome.json()["checks"] as? [[String: Any]])
            let named = Dictionary(uniqueKeysWithValues: checks.map { ($0["name"] as? String ?? "", $0) })
            #expect(outcome.status == 2)
            for name in ["token store", "authority", "signing keys", "clock", "identity broker", "browser"] {
                #expect(named[name]?["is_good"] as? Bool == true, "\(name): \(outcome.output)")
            }
            #expect(named["sign-in page"] == nil)
            #expect(named["settings"]?["is_good"] as? Bool == false)
            let remedy = try #require(named["settings"]?["remedy"] as? String)
            #expect(remedy.contains("https://entra.microsoft.com") && remedy.contains("msal config set client_id ID"))
        }
    }

    @Test func `the report of the broker needs no client ID`() async throws {
        let outcome = try await CommandRunner().run("doctor", "--broker")

        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.output.contains("identity broker: none: "))
        #expect(outcome.errors.contains("only the version of the identity broker, because no client ID is set"))
    }

    @Test(arguments: [["--help"], ["graph", "--help"], ["help", "login"]])
    func `help is shown on the narrowest terminal`(_ arguments: [String]) async throws {
        var command = try CommandRunner()
        command.environment["COLUMNS"] = "1"

        let outcome = try await command.run(arguments)

        #expect(outcome.status == 0)
        #expect(outcome.output.contains("Show help"))
    }

    @Test(arguments: [["--help"], ["help"], ["--version"], ["--generate-completion-script", "bash"]])
    func `help that could not be written ends with a failure status`(_ arguments: [String]) async throws {
        let full = try FileHandle(forWritingTo: URL(filePath: "/dev/full"))

        let outcome = try await CommandRunner().run(arguments, output: full)

        #expect(outcome.status == 1)
        #expect(outcome.errors == "msal: The output could not be written: No space left on device.\n")
    }

    @Test func `the token is sent to the emulator's own Graph by default, and to no other`() async throws {
        try await Emulator.with { emulator in
            let user = "megan@contoso.example"
            var command = try CommandRunner(emulator)
            command.environment.merge([
                "MSAL_AUTHORITY": emulator.baseURL.appending(path: emulator.seed.tenantID).absoluteString,
                "BROWSER": CommandRunner.scriptedBrowser,
                "MSAL_AGENT_USER": user, "MSAL_AGENT_PASSWORD": emulator.seed.password,
            ]) { $1 }

            let login = try await command.run("login")
            let graph = try await command.run("graph", "/me")
            let elsewhere = try await command.run("graph", "/me", "--graph-url", "https://graph.microsoft.com/")
            command.environment["MSAL_GRAPH_URL"] = "https://graph.microsoft.us/"
            let byVariable = try await command.run("graph", "/me")
            let byFlag = try await command.run("graph", "/me", "--graph-url", emulator.baseURL.absoluteString)

            #expect(login.status == 0, "\(login.errors)")
            #expect(graph.status == 0, "\(graph.errors)")
            #expect(try graph.json()["userPrincipalName"] as? String == user)
            #expect(elsewhere.status == 2)
            #expect(elsewhere.errors.contains("is not sent to graph.microsoft.com"), "\(elsewhere.errors)")
            #expect(byVariable.status == 2)
            #expect(byFlag.status == 0, "\(byFlag.errors)")
        }
    }

    @Test func `a redirect without a waiting sign-in ends with a failure status`() async throws {
        let outcome = try await CommandRunner().run("redirect", "msauth.com.contoso.app://auth?code=secret&state=1")

        #expect(outcome.status == 1)
        #expect(!(outcome.output + outcome.errors).contains("secret"))
    }
}
