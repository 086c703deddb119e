// Licensed under the MIT License. See LICENSE.

import Foundation
import TestSupport
import Testing

/// `entra-emulator run`, which starts an emulator for one program.
struct RunCommandTests {
    @Test func `msal signs in without a setting and without a window`() async throws {
        let runner = try Self.runner("--", "/bin/sh", "-c", #""$0" login && "$0" graph /me --output json"#)

        let outcome = try await runner.run()

        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("Megan Bowen"))
        #expect(outcome.errors.contains("Without a window, megan@contoso.example signs in"))
    }

    @Test func `an app without settings for the emulator signs in there, with its own client ID`() async throws {
        let words = "env -u MSAL_AUTHORITY -u MSAL_CA_FILE MSAL_CLIENT_ID=YOUR-CLIENT-ID"
        let runner = try Self.runner("-q", "/bin/sh", "-c", #"\#(words) "$0" login -o raw"#)

        let outcome = try await runner.run()

        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output == "megan@contoso.example\n")
    }

    @Test func `with a custom directory, a client ID that is not in it is unknown`() async throws {
        let folder = try TemporaryDirectory()
        let seed = folder.path + "/directory.yaml"
        let script = #""$0" seed init "$1" && "$0" run -q --seed "$1" -- env MSAL_CLIENT_ID=YOUR-CLIENT-ID "$2" login"#
        var runner = try Self.runner()
        runner.starter = ["/bin/sh", "-c", script, runner.starter[0], seed]

        let outcome = try await runner.run()

        #expect(outcome.status != 0)
        #expect(outcome.errors.contains("AADSTS700016"), "\(outcome.errors)")
    }

    @Test func `another user signs in, and --quiet prints nothing`() async throws {
        let runner = try Self.runner("--quiet", "--as", "alex@contoso.example", "/bin/sh", "-c", #""$0" login -o json"#)

        let outcome = try await runner.run()

        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(!outcome.errors.contains("Entra emulator"))
        #expect(outcome.output.contains("alex@contoso.example"))
    }

    @Test func `tokens are in a folder that is removed at the end`() async throws {
        let runner = try Self.runner(
            "/bin/sh",
            "-c",
            #""$0" login > "$MSAL_STORE_DIR/words"; echo "$MSAL_STORE_DIR"; ls "$MSAL_STORE_DIR""#
        )

        let outcome = try await runner.run()

        let lines = outcome.output.split(separator: "\n").map(String.init)
        #expect(lines.dropFirst() == ["browser", "msal", "words"])
        #expect(!FileManager.default.fileExists(atPath: try #require(lines.first)))
    }

    @Test func `the settings of the user stay unchanged and are ignored`() async throws {
        var runner = try Self.runner(
            "-q",
            "/bin/sh",
            "-c",
            #""$0" login && "$0" graph /me -o raw && "$0" account set megan && cat "$MSAL_CONFIG""#
        )
        let home = try #require(runner.environment["HOME"])
        let settings = "profiles:\n  work:\n    redirect_uri: msauth.com.contoso.app://auth\n"
        try FileManager.default.createDirectory(atPath: "\(home)/.config/msal", withIntermediateDirectories: true)
        try Data(settings.utf8).write(to: URL(filePath: "\(home)/.config/msal/config.yaml"))
        runner.environment.merge([
            "MSAL_PROFILE": "work", "MSAL_REDIRECT_URI": "msauth.com.contoso.app://auth",
            "MSAL_GRAPH_URL": "https://graph.microsoft.us/", "MSAL_SCOPES": "https://contoso.example/Files.Read",
        ]) { $1 }

        let outcome = try await runner.run()

        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("\"displayName\""))
        #expect(outcome.output.contains("megan@contoso.example is the default"))
        #expect(outcome.output.contains("accounts:"))
        #expect(try String(contentsOfFile: "\(home)/.config/msal/config.yaml", encoding: .utf8) == settings)
    }

    @Test(arguments: ["a folder", "a:folder", "it's"])
    func `a temporary folder of any name works for the browser, too`(_ name: String) async throws {
        var runner = try Self.runner("-q", "/bin/sh", "-c", #""$0" login -o raw"#)
        let folder = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: "\(folder.path)/\(name)", withIntermediateDirectories: false)
        runner.environment["TMPDIR"] = "\(folder.path)/\(name)"

        let outcome = try await runner.run()

        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output == "megan@contoso.example\n")
    }

    /// A user at a terminal sees what the README shows.
    @Test func `the first example of the README works as shown`() async throws {
        let readme = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../README.md")
            .standardized
        let page = try String(contentsOf: readme, encoding: .utf8)
        let transcript = try #require(
            page.firstMatch(of: /entra-emulator run -- msal login\n\n```console\n((?s).*?)```/)
        ).1
        var runner = try CommandRunner(["NO_COLOR": "1"])
        let script = #"PATH="${1%/*}:$PATH"; exec entra-emulator run -- msal login >&2"#
        runner.starter = ["/bin/sh", "-c", script, "sh"]

        let outcome = try await runner.run("login", at: TestTerminal()) { terminal in
            var screen = ""
            let shown = try await terminal.until("✓ Signed in as megan@contoso.example\r\n", seen: &screen)
            #expect(Self.visible(shown) == Self.visible(String(transcript)))
        }

        #expect(outcome.status == 0)
    }

    /// The lines that remain on a screen: the line of a spinner is overwritten.
    private static func visible(_ text: String) -> String {
        text.replacing("\r\n", with: "\n").components(separatedBy: "\n")
            .map { $0.replacing("\u{1B}[K", with: "").components(separatedBy: "\r").last ?? "" }
            .joined(separator: "\n").replacing(/localhost:\d+/, with: "localhost:PORT")
    }

    @Test(arguments: [("exit 0", 0), ("exit 7", 7), ("exit 64", 64), ("kill -TERM $$", 143), ("kill -KILL $$", 137)])
    func `the status is the program's`(script: String, status: Int32) async throws {
        let outcome = try await Self.runner("-q", "/bin/sh", "-c", script).run()

        #expect(outcome.status == status)
        #expect(outcome.output == "" && outcome.errors == "")
    }

    @Test func `a signal to the command is passed on, and the program decides`() async throws {
        let script = #"trap 'echo ended; exit 7' TERM; kill -TERM $PPID; while :; do :; done"#

        let outcome = try await Self.runner("-q", "/bin/sh", "-c", script).run()

        #expect(outcome.status == 7)
        #expect(outcome.output == "ended\n")
    }

    @Test func `the program gets the settings of the clients that are named`() async throws {
        let runner = try Self.runner(
            "--for",
            "curl",
            "--for",
            "managed-identity",
            "--tenant",
            "a.example",
            "/bin/sh",
            "-c",
            "env"
        )

        let outcome = try await runner.run()

        #expect(outcome.status == 0, "\(outcome.errors)")
        let names = outcome.output.split(separator: "\n").compactMap { $0.split(separator: "=").first.map(String.init) }
        #expect(names.contains("CURL_CA_BUNDLE") && names.contains("AZURE_POD_IDENTITY_AUTHORITY_HOST"))
        #expect(outcome.output.contains(#/ENTRA_EMULATOR_AUTHORITY=https://localhost:\d+/a\.example\n/#))
    }

    @Test func `a user without a folder for certificates gets temporary ones for the run`() async throws {
        var runner = try Self.runner("/bin/sh", "-c", #""$0" login -o raw && ls "$MSAL_STORE_DIR/state/ca.pem""#)
        // No user can create a folder there, not even root.
        runner.environment["XDG_STATE_HOME"] = "/proc/none"

        let outcome = try await runner.run()

        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.hasPrefix("megan@contoso.example\n/"), "\(outcome.output)")
        let line =
            "cannot create the folder /proc/none/entra-emulator: No such file or directory; the certificates of this run "
            + "are temporary"
        #expect(outcome.errors.split(separator: "\n").filter { $0.contains(line) }.count == 1, "\(outcome.errors)")
    }

    @Test(arguments: [
        (["no-such-program"], 127, "cannot find the program 'no-such-program'"),
        (["--as", "nobody@contoso.example", "true"], 125, "no user 'nobody@contoso.example'; choose one of"),
        (["--seed", "/no/such/file", "true"], 125, "/no/such/file"),
        (["--sed", "true"], 2, "Unknown option '--sed'"),
        (["--as", "megan@contoso.example", "--browser", "window", "true"], 2, "--as requires the stand-in"),
    ])
    func `errors are reported before the program starts`(words: [String], status: Int32, text: String) async throws {
        let outcome = try await Self.runner(words).run()

        #expect(outcome.status == status)
        #expect(outcome.errors.contains(text), "\(outcome.errors)")
    }

    @Test(arguments: ["-h", "--help"])
    func `help is shown for each spelling`(word: String) async throws {
        let outcome = try await Self.runner(word).run()

        #expect(outcome.status == 0)
        #expect(outcome.output.contains("entra-emulator run -- msal login"))
    }

    @Test func `the program has the limit of open files that the shell set`() async throws {
        var runner = try Self.runner("-q", "/bin/sh", "-c", "ulimit -Sn")
        runner.starter = ["/bin/sh", "-c", #"ulimit -Sn 250; exec "$@""#, "sh"] + runner.starter

        let outcome = try await runner.run()

        #expect(outcome.output == "250\n", "\(outcome.errors)")
    }

    @Test func `a file that is not a program is rejected as in a shell`() async throws {
        let folder = try TemporaryDirectory()
        let file = try await folder.writeProgram("program", bytes: [0x7F, 0x45, 0x4C, 0x46])

        let outcome = try await Self.runner("-q", file).run()

        #expect(outcome.status == 126)
        #expect(outcome.errors.contains("Exec format error"))
    }

    private static func runner(_ words: String...) throws -> CommandRunner { try runner(words) }

    /// A user whose `msal` is started by the command. The path of `msal` is the last argument.
    private static func runner(_ words: [String]) throws -> CommandRunner {
        var runner = try CommandRunner()
        // Where the emulator looks for its keys. The test of the README starts without them.
        let home = URL(filePath: try #require(runner.environment["HOME"]))
        try SharedKeys.makeEmulatorState(at: home.appending(path: ".local/state/entra-emulator"))
        let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(
            path: "entra-emulator"
        )
        runner.starter = [program.path(), "run"] + words
        return runner
    }
}
