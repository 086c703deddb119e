// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import TestSupport
import Testing

/// `msal token` as a process, for an application and for the first configured identity.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct ServiceCommandTests {
    private let scope = "\(Seed().apiIdentifier)/.default"

    private func runner(_ emulator: Emulator, _ settings: [String: String] = [:]) throws -> CommandRunner {
        let port = try #require(emulator.baseURL.port)
        let base = [
            "AZURE_AUTHORITY_HOST": "https://localhost:\(port)",
            "MSAL_CA_FILE": emulator.certificateAuthorityFile.path(),
        ]
        return try CommandRunner(base.merging(settings) { $1 })
    }

    @Test func `an application gets its token with the secret in a variable, and shows it only on request`()
        async throws
    {
        try await Emulator.with { emulator in
            let seed = emulator.seed
            let command = try runner(emulator, ["APP_SECRET": seed.serviceSecret])
            let arguments = [
                "token", "--client", seed.serviceClientID, "--tenant", emulator.seed.tenantDomain,
                "--client-secret-env",
                "APP_SECRET", "--scope", scope,
            ]

            let report = try await command.run(arguments + ["-o", "json"], input: "")
            let raw = try await command.run(arguments + ["-o", "raw"], input: "")

            #expect(report.status == 0, "\(report.output)")
            #expect(
                try report.json()["identity"] as? String
                    == "application \(seed.serviceClientID), by the secret in APP_SECRET"
            )
            #expect(try report.json()["access_token"] == nil)
            #expect(raw.output.split(separator: ".").count == 3)
            #expect(!(report.output + report.errors + raw.errors).contains(seed.serviceSecret))
        }
    }

    /// NIO traps if it cannot open the files of its event loops.
    @Test(arguments: [4, 5, 6, 8, 10, 12, 14, 16, 18, 20])
    func `a limit of open files that is too low is reported with its number`(_ limit: Int) async throws {
        var command = try CommandRunner(["APP_SECRET": "s", "AZURE_AUTHORITY_HOST": "https://127.0.0.1:1"])
        command.starter = ["/bin/sh", "-c", "ulimit -n \(limit); exec \"$0\" \"$@\""]

        let outcome = try await command.run(
            [
                "token", "--client", "c", "--tenant", "contoso.example", "--client-secret-env", "APP_SECRET", "--scope",
                scope, "-o", "raw",
            ],
            input: ""
        )

        #expect((1...7).contains(outcome.status), "\(outcome)")
        #expect(
            outcome.errors.contains("may have \(limit) files and sockets open")
                || outcome.errors.contains("(connection refused)"),
            "\(outcome)"
        )
    }

    @Test func `a secret is read from a pipe of the shell, and an empty file is not sent`() async throws {
        try await Emulator.with { emulator in
            let seed = emulator.seed
            var command = try runner(emulator)
            let arguments = [
                "token", "--client", seed.serviceClientID, "--tenant", seed.tenantDomain, "--scope", scope, "-o", "raw",
                "--client-secret-file",
            ]
            command.environment["SECRET"] = seed.serviceSecret
            command.starter = ["/bin/bash", "-c", "exec \"$0\" \"$@\" <(printf '%s\\n' \"$SECRET\")"]
            let piped = try await command.run(arguments, input: "")
            command.starter = []
            let foreign = try await command.run(arguments + ["/etc/passwd"], input: "")

            #expect(piped.output.split(separator: ".").count == 3, "\(piped.errors)")
            #expect(foreign.status == 2)
            #expect(foreign.errors.contains("/etc/passwd"))
            #expect(emulator.journal.count { $0.path.hasSuffix("/oauth2/v2.0/token") } == 1)
        }
    }

    @Test(arguments: ["MSAL_AUTHORITY", "profile", "--authority"])
    func `a secret is sent to the authority in the settings, and to no other`(_ place: String) async throws {
        try await Emulator.with { emulator in
            let seed = emulator.seed
            let authority = "https://localhost:\(try #require(emulator.baseURL.port))/\(seed.tenantDomain)"
            // No server listens there. The settings take precedence, except for a profile, over which every variable
            // takes precedence.
            let other = place == "profile" ? [:] : ["AZURE_AUTHORITY_HOST": "https://localhost:1"]
            var command = try CommandRunner(
                other.merging([
                    "APP_SECRET": seed.serviceSecret, "MSAL_CA_FILE": emulator.certificateAuthorityFile.path(),
                    "AZURE_CLIENT_ID": seed.serviceClientID, "AZURE_TENANT_ID": seed.tenantDomain,
                    "AZURE_CLIENT_SECRET": seed.serviceSecret, "AZURE_TOKEN_CREDENTIALS": "EnvironmentCredential",
                ]) { $1 }
            )
            if place == "MSAL_AUTHORITY" { command.environment[place] = authority }
            if place == "profile" {
                #expect(try await command.run("config", "set", "authority", authority).status == 0)
            }
            let flag = place == "--authority" ? [place, authority] : []
            let application = ["--client", seed.serviceClientID, "--client-secret-env", "APP_SECRET"]

            for identity in [application, application + ["--tenant", seed.tenantDomain], ["--default"]] {
                let words = ["token", "--scope", scope, "-o", "json"] + identity + flag
                let outcome = try await command.run(words, input: "")
                #expect(outcome.status == 0, "\(identity): \(outcome.output)")
            }
        }
    }

    @Test(arguments: ["MSAL_AUTHORITY", "profile", "--authority", "AZURE_TENANT_ID"])
    func `an assertion is sent to the tenant in the settings, too`(_ place: String) async throws {
        try await Emulator.with { emulator in
            let base = "https://localhost:\(try #require(emulator.baseURL.port))"
            let authority = "\(base)/\(emulator.seed.tenantDomain)"
            var command = try CommandRunner(["MSAL_CA_FILE": emulator.certificateAuthorityFile.path()])
            let file = try #require(command.environment["HOME"]) + "/assertion"
            try Data("a.b.c".utf8).write(to: URL(filePath: file))
            command.environment["AZURE_FEDERATED_TOKEN_FILE"] = file
            if place == "MSAL_AUTHORITY" { command.environment[place] = authority }
            if place == "AZURE_TENANT_ID" {
                // An authority of several tenants does not name one.
                command.environment["MSAL_AUTHORITY"] = "\(base)/organizations"
                command.environment[place] = emulator.seed.tenantDomain
            }
            if place == "profile" {
                #expect(try await command.run("config", "set", "authority", authority).status == 0)
            }

            let words = [
                "token", "--client", emulator.seed.serviceClientID, "--federated", "kubernetes", "--scope", scope,
            ]
            let flag = place == "--authority" ? [place, authority] : []
            let outcome = try await command.run(words + ["-o", "json"] + flag, input: "")

            // The emulator does not know the issuer of such an assertion.
            #expect(outcome.status == 1, "\(outcome)")
            let path = "/\(emulator.seed.tenantDomain)/oauth2/v2.0/token"
            #expect(emulator.journal.contains { $0.path == path }, "\(outcome)")
        }
    }

    @Test func `a wrong secret ends in one line with the correlation ID`() async throws {
        try await Emulator.with { emulator in
            let command = try runner(emulator, ["APP_SECRET": "wrong~secret"])

            let outcome = try await command.run(
                [
                    "token", "--client", emulator.seed.serviceClientID, "--tenant", emulator.seed.tenantDomain,
                    "--client-secret-env", "APP_SECRET", "--scope", scope, "-o", "text",
                ],
                input: ""
            )

            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("AADSTS7000215"))
            #expect(outcome.errors.contains("Correlation ID: "))
            #expect(!outcome.errors.contains("wrong~secret"))
        }
    }

    @Test func `a tenant that does not exist is an invalid argument, with a remedy`() async throws {
        try await Emulator.with { emulator in
            let seed = emulator.seed
            let command = try runner(emulator, ["APP_SECRET": seed.serviceSecret])

            let outcome = try await command.run(
                [
                    "token", "--client", seed.serviceClientID, "--tenant", "nowhere.example", "--client-secret-env",
                    "APP_SECRET", "--scope", scope, "-o", "text",
                ],
                input: ""
            )

            #expect(outcome.status == 2, "\(outcome)")
            #expect(outcome.errors.contains("AADSTS90002"))
            #expect(outcome.errors.contains("Check the tenant in --tenant"))
        }
    }

    @Test func `the default chain uses the environment's identity, and reports it`() async throws {
        try await Emulator.with { emulator in
            let seed = emulator.seed
            let command = try runner(
                emulator,
                [
                    "AZURE_CLIENT_ID": seed.serviceClientID, "AZURE_TENANT_ID": emulator.seed.tenantDomain,
                    "AZURE_CLIENT_SECRET": seed.serviceSecret,
                ]
            )

            let outcome = try await command.run(["token", "--default", "--scope", scope, "-o", "json"], input: "")

            #expect(outcome.status == 0, "\(outcome.output)")
            #expect(try outcome.json()["identity"] as? String == "default chain: environment")
        }
    }

    @Test func `the checkup shows names of variables, and no values`() async throws {
        let command = try CommandRunner([
            "AZURE_TENANT_ID": "t-value", "AZURE_CLIENT_ID": "c-value", "MSI_ENDPOINT": "http://127.0.0.1:1",
        ])

        let outcome = try await command.run("doctor", "--services", "-o", "raw")

        #expect(outcome.status == 2)
        #expect(outcome.output.contains("failed\tenvironment\tno identity; set: AZURE_CLIENT_ID, AZURE_TENANT_ID"))
        #expect(outcome.output.contains("ok\tmanaged identity\tcloudShell: MSI_ENDPOINT is set"))
        #expect(!outcome.output.contains("-value"))
    }
}
