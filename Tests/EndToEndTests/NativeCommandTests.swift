// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import Testing

/// `msal native` where the service wants something else than a form: the browser, or another method.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct NativeCommandTests {
    @Test func `who needs the browser goes on there, and is stored`() async throws {
        try await Emulator.with { emulator in
            let user = "social@fabrikam.example"
            var command = try CommandRunner(emulator)
            command.environment.merge([
                "BROWSER": URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
                    .appending(path: "ScriptedBrowser").path(),
                "MSAL_AGENT_USER": user, "MSAL_AGENT_PASSWORD": emulator.seed.password,
            ]) { $1 }

            let signIn = try await command.run(
                "native",
                "sign-in",
                user,
                "--browser",
                "--answers",
                "-",
                "-o",
                "json",
                input: #"{"password": "x"}"#
            )
            let token = try await command.run("native", "token", "--scope", "User.Read", "-o", "json")

            let report = try signIn.json()
            #expect(signIn.status == 0, "\(signIn.errors)")
            #expect(report["is_persisted"] as? Bool == true)
            #expect(token.status == 0, "\(token.errors)")
        }
    }

    @Test func `the only second factor is not tried for ever`() async throws {
        try await Emulator.with { emulator in
            let command = try CommandRunner(emulator)
            let password = emulator.seed.password
            let user = "mfa-blocked@fabrikam.example"

            let outcome = try await command.run("native", "sign-in", user, at: try TestTerminal()) {
                var screen = ""
                try await $0.until("Password of", &screen)
                try $0.type(password)
            }

            #expect(outcome.status == 1)
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
