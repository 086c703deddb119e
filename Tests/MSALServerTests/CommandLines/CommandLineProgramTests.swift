// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import TestSupport
import Testing

@testable import MSALServer

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// `az` and `azd` as small programs that respond, fail, hang or are missing.
@Suite(.timeLimit(.minutes(1)))
struct CommandLineProgramTests {
    fileprivate static let scope = "https://vault.azure.net/.default"

    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    /// A credential that finds this script under the name of the program, or no program with `nil`.
    private func credential(
        _ tool: MSALCommandLineTool,
        script: String?,
        timeout: Duration = .seconds(30)
    ) async throws -> MSALCommandLineCredential {
        if let script { try await folder.writeProgram("\(tool)", script: script) }
        var options = MSALCredentialOptions()
        options.requestTimeout = timeout
        // Without a script, not even a real program is found.
        let path = script == nil ? folder.path : "\(folder.path):/usr/bin:/bin"
        var environment = ServerEnvironment.double(variables: ["PATH": path, "HOME": folder.path])
        environment.commands = SystemCommands()
        return MSALCommandLineCredential(tool, options: options, environment: environment)
    }

    private func error(of credential: MSALCommandLineCredential) async throws -> MSALTokenError {
        try await failure { () async throws(MSALTokenError) in try await credential.token(for: Self.scope) }
    }

    @Test func `az is called with the resource, and its warnings are ignored`() async throws {
        let script = """
            echo "WARNING: a new version is available" >&2
            test "$*" = "account get-access-token --output json --resource https://vault.azure.net" || exit 9
            echo '{"accessToken": "from-az", "expires_on": 1790003600}'
            """

        let result = try await credential(.azureCLI, script: script).token(for: Self.scope)

        #expect(result.accessToken == "from-az")
        #expect(result.expiresOn == Date(timeIntervalSince1970: 1_790_003_600))
    }

    @Test func `azd is called with the scope`() async throws {
        let script = """
            test "$*" = "auth token --output json --no-prompt --scope https://vault.azure.net/.default" || exit 9
            echo '{"token": "from-azd", "expiresOn": "2026-09-21T15:13:20Z"}'
            """

        let result = try await credential(.azureDeveloperCLI, script: script).token(for: Self.scope)

        #expect(result.accessToken == "from-azd")
    }

    @Test func `a missing program is distinguished from one that fails`() async throws {
        let missing = try await error(of: await credential(.azureCLI, script: nil))
        let failing = try await error(
            of: await credential(.azureCLI, script: "echo 'ERROR: AADSTS50020: no' >&2; exit 1")
        )

        #expect(missing.kind == .credentialUnavailable)
        #expect(missing.message.contains("Install the Azure CLI"))
        #expect(failing.kind == .authenticationFailed)
    }

    @Test func `a missing sign-in is not a failure, and the message contains the command`() async throws {
        let script = "echo \"ERROR: Please run 'az login' to setup account.\" >&2; exit 1"

        let error = try await error(of: await credential(.azureCLI, script: script))

        #expect(error.kind == .credentialUnavailable)
        #expect(error.message.contains("az login"))
    }

    // MARK: Recorded output

    /// `az` before 2.54 writes local time. The C library reads `TZ` once per process, so each case has a process.
    @Test(
        arguments: [
            ("CET-1CEST,M3.5.0,M10.5.0/3", 1_795_919_400), (":America/St_Johns", 1_795_935_600),
            ("<+0545>-5:45", 1_795_902_300), (":/usr/share/zoneinfo/Asia/Kathmandu", 1_795_902_300),
            ("EST5EDT4,M3.2.0/2,J334/2", 1_795_937_400), ("", 1_795_923_000), (nil, nil),
        ] as [(String?, Int?)]
    )
    func `az before 2_54 reports the expiry in local time, for any TZ`(_ zone: String?, _ end: Int?) async throws {
        await #expect(processExitsWith: .success) { [zone, end] in
            if let zone { setenv("TZ", zone, 1) } else { unsetenv("TZ") }
            let output = #"{"accessToken":"x","expiresOn":"2026-11-29 03:30:00.000000"}"#
            let environment = ServerEnvironment.double(commands: ScriptedCommands("az", writes: output))

            let result = try await MSALCommandLineCredential(.azureCLI, environment: environment)
                .token(for: "https://vault.azure.net/.default")

            var (moment, local) = (time_t(result.expiresOn.timeIntervalSince1970), tm())
            localtime_r(&moment, &local)
            #expect([local.tm_mon, local.tm_mday, local.tm_hour, local.tm_min, local.tm_sec] == [10, 29, 3, 30, 0])
            if let end { #expect(Int(moment) == end) }
        }
    }

    @Test(arguments: ["2026-02-30 03:30:00.000000", "2026-11-29 25:30:00.000000", "2026-11-29 03:61:00", "soon"])
    func `an expiry that does not exist is rejected`(_ end: String) async throws {
        let output = #"{"accessToken":"x","expiresOn":"\#(end)"}"#
        let environment = ServerEnvironment.double(commands: ScriptedCommands("az", writes: output))

        let error = try await error(of: MSALCommandLineCredential(.azureCLI, environment: environment))

        #expect(error.kind == .authenticationFailed)
    }

    private static let refusal =
        "fetching token: failed to authenticate:\\n(invalid_grant) AADSTS530084: Access has been blocked by policy."

    /// The output of a failed `azd auth token` by version.
    fileprivate static let developerCLI: [(version: String, errors: String, kind: MSALTokenError.Kind, text: String)] =
        [
            (
                "1.23.6",
                #"{"type":"consoleMessage","data":{"message":"\nERROR: not logged in, run `azd auth login` to login\n"}}"#,
                .credentialUnavailable, "Run: azd auth login"
            ),
            (
                "1.23.7", #"{"type":"consoleMessage","data":{"message":""}}"# + "\n" + #"{"error":"\#(refusal)"}"#,
                .authenticationFailed, "with: \(refusal.replacing("\\n", with: " ")) A policy of the tenant"
            ),
            (
                "1.23.15",
                #"{"type":"consoleMessage","data":{"message":"\n"}}"# + "\n"
                    + #"{"error":"not logged in, run `azd auth login` to login"}"#,
                .credentialUnavailable, "Run: azd auth login"
            ),
            (
                "1.24",
                #"{"error":"not logged in, run `azd auth login` to login","message":"not logged in","suggestion":"run azd auth login"}"#,
                .credentialUnavailable, "Run: azd auth login"
            ),
            (
                "1.24",
                #"{"error":"fetching token: dial tcp: lookup login.microsoftonline.com","message":"Authentication failed.","suggestion":"Run 'azd auth login' to sign in again."}"#,
                .authenticationFailed, "with: fetching token: dial tcp: lookup login.microsoftonline.com"
            ),
            ("unknown", "panic: runtime error", .authenticationFailed, "with: panic: runtime error"),
            ("unknown", #"{"type":"telemetry"}"#, .authenticationFailed, #"with: {"type":"telemetry"}"#),
            ("unknown", "", .authenticationFailed, "(status 1) and wrote no error"),
        ]

    @Test(arguments: developerCLI)
    func `each form of an error of azd is parsed`(
        version: String,
        errors: String,
        kind: MSALTokenError.Kind,
        text: String
    ) async throws {
        let environment = ServerEnvironment.double(
            commands: ScriptedCommands("azd", writes: "", errors: errors + "\n", status: 1)
        )

        let error = try await error(of: MSALCommandLineCredential(.azureDeveloperCLI, environment: environment))

        #expect(error.kind == kind, "\(version)")
        #expect(error.message.contains(text), "\(version): \(error.message)")
    }

    @Test(arguments: [("az", 530_084, "broker of this device"), ("azd", 700_024, "Check the clock of this machine")])
    func `a service code in the error text has its remedy`(
        _ program: String,
        _ code: Int,
        _ remedy: String
    ) async throws {
        let environment = ServerEnvironment.double(
            commands: ScriptedCommands(program, writes: "", errors: "ERROR: AADSTS\(code): No.", status: 1)
        )
        let tool = program == "az" ? MSALCommandLineTool.azureCLI : .azureDeveloperCLI

        let error = try await error(of: MSALCommandLineCredential(tool, environment: environment))

        #expect(error.serviceCodes == [code])
        #expect(error.message.contains(remedy))
    }

    @Test func `a program that hangs is terminated with all its children`() async throws {
        let error = try await error(
            of: await credential(.azureCLI, script: "sleep 3600 & sleep 3600", timeout: .milliseconds(200))
        )

        #expect(error.kind == .credentialUnavailable)
        #expect(error.isRetryable)
    }

    @Test func `the message of a program is one line in which each character is visible`() async throws {
        let words = "ERROR: no\u{1B}[2K\nERROR forged\u{2028}and\u{202E} more"
        let environment = ServerEnvironment.double(
            commands: ScriptedCommands("az", writes: "", errors: words, status: 1)
        )

        let error = try await error(of: MSALCommandLineCredential(.azureCLI, environment: environment))

        #expect(error.message.hasSuffix("with: ERROR: no<U+001B>[2K ERROR forged and<U+202E> more"))
    }

    @Test func `a token in invalid output is not shown`() async throws {
        let script = "printf '{\"accessToken\": \"eyJ.very-secret.x\"'"

        let error = try await error(of: await credential(.azureCLI, script: script))

        #expect(error.kind == .authenticationFailed)
        #expect(!"\(error)\(error.userInfo)".contains("very-secret"))
    }
}

/// Damaged output of `az`, `azd`, and `msal`.
struct CommandLineFuzzTests {
    @Test func `damaged output is rejected or parsed, and never shown`() async {
        let good = [
            #"{"accessToken": "at-marker", "expires_on": 1790003600, "tenant": "t"}"#,
            #"{"accessToken": "at-marker", "expiresOn": "2026-09-21 15:13:20.000000"}"#,
            #"{"token": "at-marker", "expiresOn": "2026-09-21T15:13:20Z"}"#,
        ]
        var fuzz = Fuzz(
            corpus: good.map { Array($0.utf8) },
            words: ["expires_on", "1e400", "\u{0}", "}", "2026-02-30", "25:61:61", "99999999999"]
        )

        await fuzz.run(awaiting: { bytes in
            var environment = ServerEnvironment.double()
            environment.commands = OneOutput(status: 0, output: Data(bytes))
            do throws(MSALTokenError) {
                _ = try await MSALCommandLineCredential(.azureCLI, environment: environment).token(
                    for: CommandLineProgramTests.scope
                )
            } catch {
                #expect(!"\(error)".contains("at-marker"))
            }
        })
    }

    @Test func `damaged errors of programs cause one visible line and no token`() async {
        let seeds =
            CommandLineProgramTests.developerCLI.map(\.errors) + [
                "ERROR: Please run 'az login' to setup account.", "ERROR: AADSTS530084: No.",
                #"{"error":"x","accessToken":"eyJmarker.e30.c2ln"}"#,
            ]
        var fuzz = Fuzz(
            corpus: seeds.map { Array($0.utf8) },
            words: ["AADSTS", "99999999999999999999", "eyJmarker", "\n", #"{"error":"#, #""data":{"message":"#]
        )

        await fuzz.run(awaiting: { bytes in
            for tool in [MSALCommandLineTool.azureCLI, .azureDeveloperCLI, .msal] {
                var environment = ServerEnvironment.double()
                environment.commands = OneOutput(status: 1, errors: Data(bytes))
                do throws(MSALTokenError) {
                    _ = try await MSALCommandLineCredential(tool, environment: environment).token(
                        for: CommandLineProgramTests.scope
                    )
                    Issue.record("A failed program gave a token.")
                } catch {
                    #expect(!error.message.contains("eyJmarker"))
                    #expect(!error.message.hasControlCharacters)
                }
            }
        })
    }

    /// A program that always writes the same output.
    private struct OneOutput: ServerCommands {
        let status: Int32
        var output = Data()
        var errors = Data()

        func run(_ command: ServerCommand) async throws(CommandError) -> CommandOutput {
            CommandOutput(status: status, output: output, errors: errors)
        }
    }
}
