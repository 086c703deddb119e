// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALCore
import MSALServer
import Testing

@testable import MSALCLI

/// The command's remedies for errors of the service, for a token of an application.
struct ApplicationRemedyTests {
    private func failure(_ code: Int, error: String, claims: String? = nil) -> Failure {
        var refusal = OAuthError(error: error, description: "AADSTS\(code): It is refused.")
        refusal.codes = [code]
        refusal.claims = claims
        return Failure(MSALTokenError(refusal, correlationID: UUID()))
    }

    @Test(arguments: [
        (90_002, "invalid_tenant", CommandExit.usage, "Check the tenant in --tenant"),
        (900_023, "invalid_request", .usage, "Check the tenant in --tenant"),
        (50_059, "invalid_grant", .usage, "--tenant TENANT"), (50_049, "invalid_instance", .usage, "Check the host"),
        (700_016, "unauthorized_client", .failed, "registered in the tenant"),
        (7_000_215, "invalid_client", .failed, "Certificates & secrets"),
        (7_000_112, "unauthorized_client", .failed, "enable the app"),
        (500_011, "invalid_resource", .failed, "https://graph.microsoft.com/.default"),
        (65_001, "invalid_grant", .interactionRequired, "API permissions"),
        (53_003, "access_denied", .failed, "A tenant policy"),
        (90_033, "temporarily_unavailable", .network, "later"),
        (50_196, "invalid_grant", .failed, "Wait a few minutes"),
        // These are about users, or the table lacks them.
        (50_057, "invalid_grant", .failed, "error?code=50057"),
        (700_027, "invalid_client", .failed, "error?code=700027"),
        (50_076, "invalid_grant", .interactionRequired, "error?code=50076"),
    ])
    func `a code has the remedy for an application, and the status of a user's command`(
        code: Int,
        error: String,
        status: CommandExit,
        remedy: String
    ) {
        let failure = failure(code, error: error)

        #expect(failure.status == status)
        #expect(failure.remedy?.contains(remedy) == true, "\(failure.remedy ?? "none")")
        #expect(failure.remedy?.contains("msal login") == false)
    }

    @Test func `a policy that claims would satisfy requires a user`() {
        #expect(failure(53_003, error: "access_denied", claims: "{}").status == .interactionRequired)
    }

    @Test(arguments: ServiceRemedy.allCases)
    func `a remedy for an application is one line, without the options of a user`(_ remedy: ServiceRemedy) {
        guard let text = remedy.textForApplication else { return }

        #expect(!text.isEmpty && !text.contains("\n"))
        for word in ["--client-id", "--prompt", "msal login", "redirect URI"] { #expect(!text.contains(word)) }
    }
}
