// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALCore
import MSALServer
import TestSupport
import Testing

/// The part of the environment that an object keeps.
struct ServerEnvironmentTests {
    private let variables = [
        "AZURE_CLIENT_SECRET": "s~ecret", "SECRET_OF_ANOTHER_LIBRARY": "other", "PATH": "/usr/bin",
    ]

    @Test func `an environment keeps only the variables that are read`() {
        let environment = ServerEnvironment.double(variables: variables)

        #expect(environment.variables == ["AZURE_CLIENT_SECRET": "s~ecret"])
    }

    @Test func `the settings of connections keep only the variables that are read`() {
        let names = [
            "SSL_CERT_FILE", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
        ]
        let read = Dictionary(uniqueKeysWithValues: names.map { ($0, "x") })

        let settings = HTTPSettings(environment: read.merging(variables) { $1 })

        #expect(settings.environment == read)
        #expect(Mirror(reflecting: settings).children.isEmpty && "\(settings)" == "HTTPSettings")
    }

    @Test func `a command line gets all variables of the process`() async throws {
        let commands = ScriptedCommands("az", writes: #"{"accessToken":"at","expires_on":4000000000}"#)
        let credential = MSALCommandLineCredential(
            .azureCLI,
            environment: .double(variables: variables, commands: commands)
        )

        _ = try await credential.token(for: "https://vault.azure.net/.default")

        let expected = variables.merging(["AZURE_CORE_NO_COLOR": "true"]) { $1 }
        #expect(commands.commands.map(\.variables) == [expected])
    }
}
