// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import EntraEmulatorTesting
import Foundation
import MSALBase
import MSALServer
import ScriptedAgent
import Synchronization
import Testing

/// An API with the emulator, over TLS: a user's token arrives, and the API calls others as the user.
struct OnBehalfOfEndToEndTests {
    private static let seed = Seed()
    private static let api = "00000000-0000-4000-8000-0000000000a1"
    private static let userRead = "https://graph.microsoft.com/User.Read"
    private static let redirectURI = "http://localhost:1/callback"

    /// The registrations in one emulator.
    private struct Site {
        let emulator: Emulator
        /// The web application that the user signs in to.
        let web: MSALConfidentialClientApplication
        /// The API that it calls.
        let api: MSALConfidentialClientApplication
    }

    private func withSite(_ test: (Site) async throws -> Void) async throws {
        try await withEmulator { emulator in
            try await emulator.changeDirectory { directory in
                for index in directory.applications.indices {
                    switch directory.applications[index].clientID {
                    case Self.seed.serviceClientID: directory.applications[index].redirectURIs = [Self.redirectURI]
                    case Self.api:
                        directory.applications[index].grantedScopes["https://graph.microsoft.com"] =
                            ["User.Read", "User.ReadBasic.All"]
                        directory.applications[index].grantedScopes[Self.seed.vaultAPIIdentifier] = ["Vault.Open"]
                    default: break
                    }
                }
            }
            func application(_ clientID: String) throws -> MSALConfidentialClientApplication {
                var configuration = MSALConfidentialClientConfiguration(
                    clientId: clientID,
                    authority: .url(emulator.authority("organizations")),
                    credential: .secret("Emulator-secret-1")
                )
                configuration.redirectUri = Self.redirectURI
                configuration.caFile = emulator.certificateAuthorityFile
                configuration.capabilities = ["cp1"]
                return try MSALConfidentialClientApplication(configuration: configuration)
            }
            try await test(
                Site(emulator: emulator, web: application(Self.seed.serviceClientID), api: application(Self.api))
            )
        }
    }

    /// The token of a user that the API receives.
    private func incoming(at site: Site) async throws -> IncomingToken {
        var parameters = MSALWebSignInParameters(scopes: [Self.seed.toDoReadScope])
        parameters.responseMode = .query
        let request = try await site.web.authorizationRequest(parameters)
        let returned = Mutex<String?>(nil)
        let browser = ScriptedAgent(
            script: Script(userName: "megan@contoso.example", password: "Pa55-word!", consent: .accept),
            certificateAuthorityFile: site.emulator.certificateAuthorityFile,
            hostAddresses: [:],
            cookies: nil,
            onRequest: { url in
                guard url.port == 1 else { return }
                returned.withLock { $0 = url.query(percentEncoded: true) }
            }
        )
        // No server listens at the redirect URI, so the visit ends with an error there.
        _ = try? await browser.run(request.url)
        let query = try #require(returned.withLock { $0 }, "The browser did not return.")
        let result = try await site.web.acquireToken(try MSALWebSignInResponse(query: query), for: request)
        return IncomingToken(Secret(result.accessToken))
    }

    @Test(.timeLimit(.minutes(2)))
    func `an API calls Graph as its user with one request to the service`() async throws {
        try await withSite { site in
            let incoming = try await incoming(at: site)

            let result = try await site.api.token(onBehalfOf: incoming, scopes: [Self.userRead])
            let again = try await site.api.token(onBehalfOf: incoming, scopes: [Self.userRead])

            let claims = IncomingToken(Secret(result.accessToken))
            #expect(claims.objectID == Self.seed.megan.objectID)
            #expect(result.tenantIdentifier == Self.seed.tenantID)
            #expect(again.source == .cache && again.accessToken == result.accessToken)
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `an ID token, an altered token and a token of another tenant are rejected`() async throws {
        try await withSite { site in
            let good = try await incoming(at: site).assertion.exposed
            var options = MSALTokenOptions()
            options.tenant = Self.seed.tenantID
            let application = try await site.web.acquireTokenForClient(
                scopes: ["\(Self.seed.apiIdentifier)/.default"],
                options: options
            ).accessToken
            let graph = try await site.api.token(onBehalfOf: IncomingToken(Secret(good)), scopes: [Self.userRead])
                .accessToken

            for (text, kind) in [
                (String(good.dropLast(8)) + "AAAAAAAA", MSALTokenError.Kind.invalidAssertion),
                (graph, .invalidAssertion), (application, .userAssertionIsApplication),
            ] {
                let error = try await failure { () async throws(MSALTokenError) in
                    try await site.api.token(onBehalfOf: IncomingToken(Secret(text)), scopes: [Self.userRead])
                }
                #expect(error.kind == kind)
            }
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `an interaction that another API requires is returned as claims`() async throws {
        try await withSite { site in
            let incoming = try await incoming(at: site)

            let factor = try await failure { () async throws(MSALTokenError) in
                try await site.api.token(onBehalfOf: incoming, scopes: [Self.seed.vaultScope])
            }
            let consent = try await failure { () async throws(MSALTokenError) in
                try await site.api.token(onBehalfOf: incoming, scopes: [Self.seed.payrollScope])
            }

            #expect(factor.kind == .interactionRequired && factor.needsUser)
            #expect(factor.claims?.contains("capolids") == true)
            #expect(consent.kind == .consentRequired)
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `revoked sign-ins are returned as claims`() async throws {
        try await withSite { site in
            let incoming = try await incoming(at: site)
            #expect(try await site.emulator.revokeSignIns(of: "megan@contoso.example"))

            let error = try await failure { () async throws(MSALTokenError) in
                try await site.api.token(onBehalfOf: incoming, scopes: [Self.userRead])
            }

            #expect(error.kind == .interactionRequired && error.serviceCodes == [50_173])
            #expect(error.claims?.contains("nbf") == true)
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `a session continues without the incoming token, until the sign-in is revoked`() async throws {
        try await withSite { site in
            let start = try await site.api.longRunningStart(
                onBehalfOf: try await incoming(at: site),
                scopes: [Self.userRead]
            )
            let owner = SessionOwner(tenant: Self.seed.tenantID, objectID: Self.seed.megan.objectID)
            let others = ["https://graph.microsoft.com/User.ReadBasic.All"]
            let held = try await site.api.token(inLongRunning: start.session, of: owner, scopes: [Self.userRead])
            let other = try await site.api.token(inLongRunning: start.session, of: owner, scopes: others)
            #expect(held.source == .cache)
            #expect(other.source == .service)

            #expect(try await site.emulator.revokeSignIns(of: "megan@contoso.example"))
            let error = try await failure { () async throws(MSALTokenError) in
                try await site.api.token(
                    inLongRunning: start.session,
                    of: owner,
                    scopes: ["\(Self.seed.secondAPIIdentifier)/.default"]
                )
            }
            #expect(error.kind == .interactionRequired)

            try await site.api.endLongRunning(start.session)
            let gone = try await failure { () async throws(MSALTokenError) in
                try await site.api.token(inLongRunning: start.session, of: nil, scopes: [Self.userRead])
            }
            #expect(gone.kind == .sessionNotFound)
        }
    }
}
