// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALServer
import Testing

@testable import MSALCLI

@Suite struct ServiceChoiceTests {
    private func choice(_ arguments: String...) async throws -> ServiceChoice {
        let command = try await MSALCommand.command(
            ["token", "--scope", "https://vault.azure.net/.default"] + arguments
        )
        return TokenCall(try #require(command as? TokenCommand)).service
    }

    @Test func `a call for a user is not a call for a service`() async throws {
        #expect(try await !choice("--account", "megan").isChosen)
    }

    @Test func `the machine's identity accepts an id, or none`() async throws {
        #expect(try await choice("--managed-identity").credentialKind() == .managedIdentity(""))
        #expect(try await choice("--managed-identity", "2fa91425").credentialKind() == .managedIdentity("2fa91425"))
        #expect(try await choice("--managed-identity", "--show-token").credentialKind() == .managedIdentity(""))
    }

    @Test func `an application has one credential`() async throws {
        let secret = try await choice("--client", "c", "--tenant", "t", "--client-secret-env", "NAME")
        let federated = try await choice("--client", "c", "--federated", "azure-pipelines")

        #expect(try secret.credentialKind() == .secretFromVariable("NAME"))
        #expect(try federated.credentialKind() == .federated(.azurePipelines))
    }

    @Test func `two identities are rejected, and so is none`() async throws {
        let two = try await choice("--default", "--managed-identity")
        let none = try await choice("--client", "c")

        let first = #expect(throws: Failure.self) { try two.credentialKind() }
        let second = #expect(throws: Failure.self) { try none.credentialKind() }

        #expect(first?.message == "--managed-identity and --default cannot be used together.")
        #expect(second?.remedy?.contains("--client-secret-env NAME") == true)
        #expect(first?.status == .usage)
    }

    @Test func `a secret cannot be an argument`() async throws {
        await #expect(throws: (any Error).self) { try await choice("--client", "c", "--client-secret", "s") }
    }

    @Test(arguments: [
        (MSALTokenError.Kind.invalidClient, CommandExit.failed), (.configuration, .usage), (.network, .network),
        (.interactionRequired, .interactionRequired), (.noCredential, .failed), (.cancelled, .canceled),
    ])
    func `a failure ends the command with its status`(kind: MSALTokenError.Kind, status: CommandExit) {
        let failure = Failure(MSALTokenError(kind, message: "It did not work."))

        #expect(failure.status == status)
        #expect(failure.message == "It did not work.")
    }

    @Test func `the report contains the token only on request`() {
        let result = MSALTokenResult(
            CachedAccessToken(
                accessToken: .init("t0ken"),
                life: .init(until: 1_790_000_000),
                scopes: ["s/.default"],
                tenant: "t"
            ),
            source: .service
        )
        let report = ServiceTokenReport(result, identity: "default chain: azureCLI", showsToken: false)
        let whole = ServiceTokenReport(result, identity: "default chain: azureCLI", showsToken: true)

        #expect(!report.json.contains("t0ken"))
        #expect(report.json.contains(#""identity" : "default chain: azureCLI""#))
        #expect(whole.json.contains(#""access_token" : "t0ken""#))
        #expect(whole.raw == "t0ken")
        #expect(report.durations == nil && !report.json.contains("durations"))
    }

    @Test func `the report contains the durations of the call with debug only`() async throws {
        let call = TokenCall(try #require(try await MSALCommand.command(["token", "--debug"]) as? TokenCommand))
        let result = MSALTokenResult(accessToken: "t0ken", expiresOn: Date(timeIntervalSince1970: 1_790_000_000))

        let report = ServiceTokenReport(result, identity: "i", showsToken: false, isDebug: call.isDebug)

        #expect(report.json.contains(#""durations" : {"#))
        #expect(report.durations == ["total": 0, "network": 0, "store": 0])
    }
}
