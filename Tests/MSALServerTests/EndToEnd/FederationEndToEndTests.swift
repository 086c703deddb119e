// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import MSALBase
import MSALServer
import TestSupport
import Testing

/// Federated sources over real sockets: from the emulator's issuers to a token of the platform.
struct FederationEndToEndTests {
    private static let client = "00000000-0000-4000-8000-000000000010"
    private static let graph = "https://graph.microsoft.com/.default"

    private func application(
        _ emulator: Emulator,
        source: MSALFederatedSource,
        variables: [String: String] = [:]
    ) throws -> MSALConfidentialClientApplication {
        let authority = try #require(URL(string: "https://localhost:\(emulator.port)/contoso.example"))
        return try MSALConfidentialClientApplication(
            configuration: MSALConfidentialClientConfiguration(
                clientId: Self.client,
                authority: .url(authority),
                credential: .federated(source)
            ),
            environment: .sockets(variables: variables, caFile: emulator.certificateAuthorityFile)
        )
    }

    private func github(_ emulator: Emulator, query: String = "") -> [String: String] {
        [
            "ACTIONS_ID_TOKEN_REQUEST_URL":
                "https://localhost:\(emulator.port)/issuers/github/token?api-version=2.0\(query)",
            "ACTIONS_ID_TOKEN_REQUEST_TOKEN": "emulator-request-token",
        ]
    }

    private func run(_ body: (Emulator) async throws -> Void) async throws {
        try await ServerEmulator.run({ $0.federatedIssuers = FederatedIssuerSettings() }, body)
    }

    @Test func `a job of GitHub Actions gets a token`() async throws {
        try await run { emulator in
            let application = try application(emulator, source: .gitHubActions, variables: github(emulator))

            let token = try await application.acquireTokenForClient(scopes: [Self.graph])

            #expect(token.source == .service)
            #expect(token.accessToken.hasPrefix("eyJ"))
        }
    }

    @Test func `a job of Azure Pipelines gets a token`() async throws {
        try await run { emulator in
            let variables = [
                "SYSTEM_OIDCREQUESTURI": "https://localhost:\(emulator.port)/issuers/azure-pipelines/token",
                "SYSTEM_ACCESSTOKEN": "emulator-request-token",
            ]
            let source = MSALFederatedSource.azurePipelines(serviceConnectionId: "contoso-connection")
            let application = try application(emulator, source: source, variables: variables)

            let token = try await application.acquireTokenForClient(scopes: [Self.graph])

            #expect(token.source == .service)
        }
    }

    @Test func `a pod gets a token with a file that is a link to another`() async throws {
        let folder = try TemporaryDirectory()
        try await run { emulator in
            let assertion = try await emulator.federatedToken(
                FederatedToken(issuer: .kubernetes, subject: "system:serviceaccount:default:app")
            )
            // Kubernetes replaces the file by changing a link.
            let real = folder.url.appending(path: "..data")
            let link = folder.url.appending(path: "token")
            try Data("\(assertion)\n".utf8).write(to: real)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: real)
            let application = try application(
                emulator,
                source: .kubernetes,
                variables: ["AZURE_FEDERATED_TOKEN_FILE": link.path(percentEncoded: false)]
            )

            let token = try await application.acquireTokenForClient(scopes: [Self.graph])

            #expect(token.source == .service)
        }
    }

    @Test func `a machine's identity authenticates an application of another platform`() async throws {
        try await ServerEmulator.run({ configuration in
            configuration.managedIdentity = ManagedIdentitySettings()
            configuration.directory.apis.append(
                EmulatorDirectory.API(
                    audience: "fb60f99c-7a34-4190-8149-302f77469936",
                    identifiers: ["api://AzureADTokenExchange"],
                    displayName: "Token exchange",
                    scopes: []
                )
            )
        }) { home in
            let identity = "00000000-0000-4000-8000-000000000021"
            var environment = ServerEnvironment.sockets(
                variables: try #require(home.managedIdentity).environment(for: .appService),
                caFile: home.certificateAuthorityFile
            )
            let assertion = try await MSALManagedIdentityApplication(
                identity: .clientId(identity),
                environment: environment
            ).acquireToken(resource: "api://AzureADTokenExchange").accessToken
            environment.memory = ProcessMemory()
            let parts = assertion.split(separator: ".")
            let payload = try #require(parts.count == 3 ? Base64URL.decode(parts[1]) : nil)
            let claims = try #require(MSALBase.JSONValue(parsing: payload)?.object)
            let credential = EmulatorDirectory.FederatedCredential(
                issuer: try #require(claims["iss"]?.string),
                subject: try #require(claims["sub"]?.string),
                audiences: [try #require(claims["aud"]?.string)]
            )

            try await ServerEmulator.run({ configuration in
                configuration.additionalTrustRoots = home.certificateAuthorityFile
                for index in configuration.directory.applications.indices {
                    guard configuration.directory.applications[index].clientID == Self.client else { continue }
                    configuration.directory.applications[index].federatedCredentials = [credential]
                }
            }) { emulator in
                let authority = try #require(URL(string: "https://localhost:\(emulator.port)/contoso.example"))
                let application = try MSALConfidentialClientApplication(
                    configuration: MSALConfidentialClientConfiguration(
                        clientId: Self.client,
                        authority: .url(authority),
                        credential: .federated(.managedIdentity(clientId: identity))
                    ),
                    environment: environment
                )

                let token = try await application.acquireTokenForClient(scopes: [Self.graph])

                #expect(token.source == .service)
            }
        }
    }

    @Test func `a job of another repository gets an error with the claims of its assertion`() async throws {
        try await run { emulator in
            let application = try application(
                emulator,
                source: .gitHubActions,
                variables: github(emulator, query: "&repository=contoso/other")
            )

            let error = try await failure { () async throws(MSALTokenError) in
                try await application.acquireTokenForClient(scopes: [Self.graph])
            }

            #expect(error.kind == .federationMismatch)
            #expect(error.message.contains("'repo:contoso/other:ref:refs/heads/main'"))
            #expect(error.message.contains("'https://localhost:\(emulator.port)/issuers/github'"))
            #expect(error.message.contains("'api://AzureADTokenExchange'"))
        }
    }

    @Test func `a wrong request token is rejected, and not shown`() async throws {
        try await run { emulator in
            var variables = github(emulator)
            variables["ACTIONS_ID_TOKEN_REQUEST_TOKEN"] = "wrong-request-token"
            let application = try application(emulator, source: .gitHubActions, variables: variables)

            let error = try await failure { () async throws(MSALTokenError) in
                try await application.acquireTokenForClient(scopes: [Self.graph])
            }

            #expect(error.kind == .credentialUnavailable)
            #expect(error.message.contains("HTTP status 401"))
            #expect(!"\(error) \(error.userInfo)".contains("wrong-request-token"))
        }
    }

    @Test func `an issuer with an untrusted certificate gets no request`() async throws {
        try await run { emulator in
            let authority = try #require(URL(string: "https://localhost:\(emulator.port)/contoso.example"))
            let application = try MSALConfidentialClientApplication(
                configuration: MSALConfidentialClientConfiguration(
                    clientId: Self.client,
                    authority: .url(authority),
                    credential: .federated(.gitHubActions)
                ),
                environment: .sockets(variables: github(emulator))
            )

            let error = try await failure { () async throws(MSALTokenError) in
                try await application.acquireTokenForClient(scopes: [Self.graph])
            }

            #expect(error.kind == .credentialUnavailable)
            #expect(!error.isRetryable)
            #expect(emulator.journal.isEmpty)
        }
    }
}
