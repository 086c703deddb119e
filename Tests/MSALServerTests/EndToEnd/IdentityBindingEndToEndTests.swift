// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import MSALBase
import MSALCore
import MSALServer
import TestSupport
import Testing

/// AKS identity bindings: the emulator plays the proxy of the cluster, under its address instead of its name.
struct IdentityBindingEndToEndTests {
    private static let graph = "https://graph.microsoft.com/.default"

    /// A pod's settings. `changes` replaces variables; an empty one is removed.
    private func credential(
        _ emulator: Emulator,
        files: MemoryFiles = MemoryFiles(),
        usesIdentityBindings: Bool = true,
        changes: [String: String] = [:]
    ) async throws -> MSALWorkloadIdentityCredential {
        let assertion = try await emulator.federatedToken(
            FederatedToken(issuer: .kubernetes, subject: "system:serviceaccount:default:app")
        )
        files.write(Data(assertion.utf8), to: "/token")
        if files.version(of: "/ca.pem") == nil {
            files.write(try Data(contentsOf: emulator.certificateAuthorityFile), to: "/ca.pem")
        }
        let variables = [
            "AZURE_CLIENT_ID": "00000000-0000-4000-8000-000000000010", "AZURE_TENANT_ID": "contoso.example",
            "AZURE_FEDERATED_TOKEN_FILE": "/token", "AZURE_KUBERNETES_SNI_NAME": "localhost",
            "AZURE_KUBERNETES_TOKEN_PROXY": "https://127.0.0.1:\(emulator.port)", "AZURE_KUBERNETES_CA_FILE": "/ca.pem",
        ].merging(changes) { $1 }.filter { !$0.value.isEmpty }
        var environment = ServerEnvironment.double(variables: variables, time: SystemTime(), files: files)
        environment.random = { count in (0..<count).map { _ in UInt8.random(in: .min ... .max) } }
        return MSALWorkloadIdentityCredential(usesIdentityBindings: usesIdentityBindings, environment: environment)
    }

    private func error(_ credential: MSALWorkloadIdentityCredential) async -> MSALTokenError? {
        do throws(MSALTokenError) {
            _ = try await credential.token(for: MSALTokenRequest(scopes: [Self.graph]))
            return nil
        } catch {
            return error
        }
    }

    private func run(_ body: (Emulator) async throws -> Void) async throws {
        try await ServerEmulator.run({ $0.federatedIssuers = FederatedIssuerSettings() }, body)
    }

    @Test func `the request goes to the proxy, with the path of the service`() async throws {
        try await run { emulator in
            #expect(await error(try await credential(emulator)) == nil)
            #expect(emulator.journal.last?.path == "/contoso.example/oauth2/v2.0/token")

            let prefix = "https://127.0.0.1:\(emulator.port)/cluster/"
            _ = await error(try await credential(emulator, changes: ["AZURE_KUBERNETES_TOKEN_PROXY": prefix]))
            #expect(emulator.journal.last?.path == "/cluster/contoso.example/oauth2/v2.0/token")
        }
    }

    @Test func `the authorities may be in a variable`() async throws {
        try await run { emulator in
            let data = try String(contentsOf: emulator.certificateAuthorityFile, encoding: .utf8)
            let changes = ["AZURE_KUBERNETES_CA_FILE": "", "AZURE_KUBERNETES_CA_DATA": data]
            #expect(await error(try await credential(emulator, changes: changes)) == nil)
        }
    }

    @Test func `a server of another authority receives nothing`() async throws {
        try await run { emulator in
            let error = await error(try await credential(emulator, changes: ["AZURE_KUBERNETES_CA_FILE": ""]))
            #expect(error?.kind == .network)
            #expect(!emulator.journal.contains { $0.path.hasSuffix("/oauth2/v2.0/token") })
        }
    }

    @Test(arguments: [
        ["AZURE_KUBERNETES_TOKEN_PROXY": "http://127.0.0.1"],
        ["AZURE_KUBERNETES_TOKEN_PROXY": "https://user@127.0.0.1"],
        ["AZURE_KUBERNETES_TOKEN_PROXY": "https://127.0.0.1?x=1"],
        ["AZURE_KUBERNETES_TOKEN_PROXY": "https://127.0.0.1#x"], ["AZURE_KUBERNETES_TOKEN_PROXY": "nonsense"],
        ["AZURE_KUBERNETES_TOKEN_PROXY": ""], ["AZURE_KUBERNETES_CA_DATA": "x"],
        ["AZURE_KUBERNETES_CA_FILE": "", "AZURE_KUBERNETES_CA_DATA": "x"],
    ])
    func `contradictory variables are an error of the first call`(changes: [String: String]) async throws {
        try await run { emulator in
            let error = await error(try await credential(emulator, changes: changes))
            #expect(error?.kind == .configuration)
            #expect(error?.message.contains("AZURE_KUBERNETES_") == true)
        }
    }

    @Test func `a changed file of authorities is read again, and an empty one keeps the last`() async throws {
        try await run { emulator in
            let files = MemoryFiles()
            let credential = try await credential(emulator, files: files)
            #expect(await error(credential) == nil)
            var request = MSALTokenRequest(scopes: [Self.graph])
            request.options.forceRefresh = true
            files.write(Data(" \n".utf8), to: "/ca.pem")
            #expect(try await credential.token(for: request).source == .service)
            files.write(Data("nonsense".utf8), to: "/ca.pem")
            await #expect(throws: MSALTokenError.self) { try await credential.token(for: request) }

            let empty = MemoryFiles(["/ca.pem": Data()])
            #expect(await error(try await self.credential(emulator, files: empty))?.kind == .network)
        }
    }

    @Test func `a program that does not ask for the proxy does not use it`() async throws {
        try await run { emulator in
            let credential = try await credential(emulator, usesIdentityBindings: false)
            #expect(await error(credential) != nil)
            #expect(!emulator.journal.contains { $0.path.hasSuffix("/oauth2/v2.0/token") })
        }
    }
}
