// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import TestSupport
import Testing

/// `entra-emulator federated-token`, whose output becomes a pod's token file.
struct FederatedTokenCommandTests {
    @Test func `the output is a token that the emulator of the same folder takes, and nothing else`() async throws {
        try await Workload.run { workload in
            let end = try Self.run([
                "--subject", Workload.account, "--port", String(workload.bench.emulator.port), "--state",
                Bench.stateDirectory.path,
            ])
            let exchanged = try await workload.exchange(end.text)

            #expect(end.status == 0)
            #expect(!end.text.contains("\n"))
            #expect(exchanged.status == 200)
        }
    }

    @Test(arguments: [
        ([], "--subject"), (["--subject", ""], "--subject must not be empty"),
        (["--subject", "s", "--lifetime", "0"], "--lifetime must be from 1"),
        (["--subject", "s", "--issuer", "gitlab"], "azure-pipelines"),
    ])
    func `a wrong option is a usage error that names it`(options: [String], words: String) throws {
        let end = try Self.run(options)

        #expect(end.status == 2)
        #expect(end.text.contains(words), "\(end.text)")
    }

    private static func run(_ options: [String]) throws -> (status: Int32, text: String) {
        let folder = try #require(Bundle.main.executableURL).deletingLastPathComponent()
        return try StartedProgram(
            folder.appending(path: "entra-emulator").path,
            ["federated-token"] + options,
            environment: ["COLUMNS": "200", "HOME": Bench.stateDirectory.path]
        ).end()
    }
}
