// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// A program outside Azure that acts as an application by a token of its own issuer.
struct Workload {
    let bench: Bench

    static let clientID = "00000000-0000-4000-8000-0000000000f0"
    static let repository = "repo:contoso/app:ref:refs/heads/main"
    static let account = "system:serviceaccount:default:app"

    /// Starts an emulator with issuers of its own, and an application with these credentials.
    static func run(
        _ credentials: [EmulatorDirectory.FederatedCredential] = standard,
        change: (inout EmulatorConfiguration) -> Void = { _ in },
        _ body: (Workload) async throws -> Void
    ) async throws {
        try await Bench.run({
            $0.federatedIssuers = FederatedIssuerSettings()
            var application = EmulatorDirectory.Application(
                clientID: clientID,
                displayName: "Workload",
                kind: .web,
                redirectURIs: []
            )
            application.federatedCredentials = credentials
            $0.directory.applications.append(application)
            change(&$0)
        }) { bench in
            try await body(Workload(bench: bench))
        }
    }

    /// Credentials for the emulator's own issuers, whose port is not known yet.
    static let standard: [EmulatorDirectory.FederatedCredential] = [
        .init(issuer: "https://localhost/issuers/github", subject: repository),
        .init(issuer: "https://localhost/issuers/azure-pipelines", subject: "sc://contoso/app/connection-1"),
        .init(issuer: "https://localhost/issuers/kubernetes", subject: account),
    ]

    /// Exchanges the token of an issuer for one of the platform.
    func exchange(_ assertion: String) async throws -> Bench.Response {
        try await bench.send(
            .POST,
            to: "/\(Bench.tenant)/oauth2/v2.0/token",
            form: [
                "grant_type": "client_credentials", "client_id": Self.clientID,
                "scope": "https://graph.microsoft.com/.default", "client_assertion": assertion,
                "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
            ]
        )
    }

    /// What a job of GitHub asks its issuer, with further parameters.
    func askGitHub(
        _ parameters: [String: String] = ["audience": "api://AzureADTokenExchange"],
        token: String = "emulator-request-token"
    ) async throws -> Bench.Response {
        try await bench.get("/issuers/github/token?api-version=2.0&\(Bench.encode(parameters))", token: token)
    }

    func error(_ response: Bench.Response) throws -> (number: Int?, text: String) {
        (try response.errorCode(), try #require(try response.json()["error_description"] as? String))
    }
}
