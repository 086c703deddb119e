// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import MSALServer
import TestSupport
import Testing

/// `MSAL_EMULATOR` and a credential, which is sent to the emulator only if its settings allow that.
struct ServiceEmulatorTests {
    private static let variables = ["MSAL_EMULATOR": "https://localhost:8443"]

    private func application(
        _ variables: [String: String],
        authority: MSALServerAuthority = .tenant("contoso.example"),
        allows: Bool = false,
        transport: ScriptedTransport = ScriptedTransport([])
    ) throws(MSALTokenError) -> MSALConfidentialClientApplication {
        var configuration = MSALConfidentialClientConfiguration(
            clientId: "00000000-0000-4000-8000-000000000010",
            authority: authority,
            credential: .secret("s~ecret")
        )
        configuration.allowsEmulator = allows
        return try MSALConfidentialClientApplication(
            configuration: configuration,
            environment: .double(variables: variables, transport: transport)
        )
    }

    private func refusal(_ body: () throws(MSALTokenError) -> MSALConfidentialClientApplication) -> MSALTokenError? {
        do throws(MSALTokenError) {
            _ = try body()
            return nil
        } catch {
            return error
        }
    }

    @Test func `without permission no object is created, and the variable is named`() throws {
        let error = try #require(refusal { () throws(MSALTokenError) in try application(Self.variables) })

        #expect(error.kind == .configuration)
        #expect(error.message.contains("MSAL_EMULATOR") && error.message.contains("allowsEmulator"))
    }

    @Test func `with permission the secret is sent to the emulator, with a warning`() async throws {
        let transport = ScriptedTransport([
            .json(
                #"{"access_token":"a1","token_type":"Bearer","expires_in":3600}"#,
                to: "https://localhost:8443/contoso.example/oauth2/v2.0/token"
            )
        ])
        let lines = LogLines()

        let application = try await lines.hear {
            try self.application(Self.variables, allows: true, transport: transport)
        }
        _ = try await application.acquireTokenForClient(scopes: ["https://graph.microsoft.com/.default"])

        #expect(lines.of(.warning).count { $0.contains("MSAL_EMULATOR") } == 1)
        #expect(application.authority.environment == "localhost:8443")
        try transport.verify()
    }

    @Test func `an address elsewhere is rejected with and without permission`() throws {
        let variables = ["MSAL_EMULATOR": "https://evil.example"]

        for allows in [true, false] {
            let error = refusal { () throws(MSALTokenError) in try application(variables, allows: allows) }
            #expect(error?.kind == .configuration)
            #expect(error?.message.contains("MSAL_EMULATOR") == true)
        }
    }

    @Test func `an object that uses this emulator anyway is created as usual`() throws {
        let authority = MSALServerAuthority.tenant("contoso.example", host: "https://localhost:8443")

        let application = try application(Self.variables, authority: authority)

        #expect(application.authority.environment == "localhost:8443")
    }

    @Test func `a password and a federated assertion are not sent either`() async throws {
        let identity = [
            "AZURE_CLIENT_ID": "00000000-0000-4000-8000-000000000001", "AZURE_TENANT_ID": "contoso.example",
        ].merging(Self.variables) { $1 }
        let user = identity.merging(["AZURE_USERNAME": "u", "AZURE_PASSWORD": "p"]) { $1 }
        let pod = identity.merging(["AZURE_FEDERATED_TOKEN_FILE": "/token"]) { $1 }
        let credentials: [any MSALTokenCredential] = [
            MSALEnvironmentCredential(environment: .double(variables: user)),
            MSALWorkloadIdentityCredential(
                environment: .double(variables: pod, files: MemoryFiles(["/token": Data("jwt".utf8)]))
            ),
        ]

        for credential in credentials {
            let error = try await failure { () async throws(MSALTokenError) in
                try await credential.token(for: "https://graph.microsoft.com/.default")
            }
            #expect(error.message.contains("MSAL_EMULATOR"), "\(error.message)")
        }
    }

    @Test func `the emulator's certificates are trusted only with permission, instead of the configured ones`() throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/ca.pem"
        try Data("PEM".utf8).write(to: URL(filePath: path))
        let variables = Self.variables.merging(["MSAL_EMULATOR_CA": path]) { $1 }
        var options = MSALCredentialOptions()
        options.caFile = URL(filePath: "/etc/own.pem")

        let without = ServerEnvironment.connections(options, variables: variables)
        options.allowsEmulator = true
        let with = ServerEnvironment.connections(options, variables: variables)

        #expect(without.caFile?.path() == "/etc/own.pem" && without.authorities == nil)
        #expect(with.caFile == nil && with.authorities == Data("PEM".utf8))
    }
}
