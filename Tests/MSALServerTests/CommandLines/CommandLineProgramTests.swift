// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALServer
import TestSupport
import Testing

/// `az` and `azd` as small programs that respond, fail, hang or are missing.
@Suite(.timeLimit(.minutes(1)))
struct CommandLineProgramTests {
    private static let scope = "https://vault.azure.net/.default"

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

    @Test func `damaged output is rejected or parsed, and never shown`() async {
        let good = [
            #"{"accessToken": "at-marker", "expires_on": 1790003600, "tenant": "t"}"#,
            #"{"accessToken": "at-marker", "expiresOn": "2026-09-21 15:13:20.000000"}"#,
            #"{"token": "at-marker", "expiresOn": "2026-09-21T15:13:20Z"}"#,
        ]
        var fuzz = Fuzz(corpus: good.map { Array($0.utf8) }, words: ["expires_on", "1e400", "\u{0}", "}"])

        await fuzz.run(
            rounds: min(Fuzz.rounds, 1000),
            awaiting: { bytes in
                var environment = ServerEnvironment.double()
                environment.commands = OneOutput(bytes: bytes)
                do throws(MSALTokenError) {
                    _ = try await MSALCommandLineCredential(.azureCLI, environment: environment).token(for: Self.scope)
                } catch {
                    #expect(!"\(error)".contains("at-marker"))
                }
            }
        )
    }

    /// A program that always writes the same output.
    private struct OneOutput: ServerCommands {
        let bytes: [UInt8]

        func run(_ command: ServerCommand) async throws(CommandFault) -> CommandOutput {
            CommandOutput(status: 0, output: Data(bytes), errors: Data())
        }
    }
}
