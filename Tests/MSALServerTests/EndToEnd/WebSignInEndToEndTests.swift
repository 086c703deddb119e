// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import EntraEmulatorTesting
import Foundation
import MSALServer
import ScriptedAgent
import Synchronization
import Testing

/// A web application with the emulator, over TLS. The browser stops at the redirect to the application.
struct WebSignInEndToEndTests {
    private static let redirectURI = "http://localhost:1/callback"
    private static let service = "00000000-0000-4000-8000-000000000010"

    private func withSite(
        strictRotation: Bool = false,
        retryPolicy: MSALServerRetryPolicy = MSALServerRetryPolicy(),
        test: (Emulator, MSALConfidentialClientApplication) async throws -> Void
    ) async throws {
        var settings = EmulatorConfiguration()
        settings.strictRotation = strictRotation
        try await withEmulator(settings) { emulator in
            try await emulator.changeDirectory { directory in
                let place = try #require(directory.applications.firstIndex { $0.clientID == Self.service })
                directory.applications[place].redirectURIs = [Self.redirectURI]
            }
            var configuration = MSALConfidentialClientConfiguration(
                clientId: Self.service,
                authority: .url(emulator.authority("organizations")),
                credential: .secret("Emulator-secret-1")
            )
            configuration.redirectUri = Self.redirectURI
            configuration.postLogoutRedirectUri = Self.redirectURI
            configuration.caFile = emulator.certificateAuthorityFile
            configuration.retryPolicy = retryPolicy
            try await test(emulator, MSALConfidentialClientApplication(configuration: configuration))
        }
    }

    /// The response that the browser would return to the application.
    private func visit(
        _ request: MSALWebSignInRequest,
        at emulator: Emulator,
        consent: Script.Consent = .accept
    ) async throws -> MSALWebSignInResponse {
        let returned = Mutex<String?>(nil)
        let browser = ScriptedAgent(
            script: Script(userName: "megan@contoso.example", password: "Pa55-word!", consent: consent),
            certificateAuthorityFile: emulator.certificateAuthorityFile,
            hostAddresses: [:],
            cookies: nil,
            onRequest: { url in
                guard url.port == 1 else { return }
                returned.withLock { $0 = url.query(percentEncoded: true) }
            }
        )
        // No server listens at the redirect URI, so the visit ends with an error there.
        _ = try? await browser.run(request.url)
        return try MSALWebSignInResponse(query: try #require(returned.withLock { $0 }, "The browser did not return."))
    }

    private func begin(
        _ application: MSALConfidentialClientApplication,
        consenting extraScopes: [String] = []
    ) async throws -> MSALWebSignInRequest {
        var parameters = MSALWebSignInParameters(scopes: ["User.Read"])
        parameters.extraScopesToConsent = extraScopes
        parameters.responseMode = .query
        return try await application.authorizationRequest(parameters)
    }

    private func signIn(
        _ application: MSALConfidentialClientApplication,
        at emulator: Emulator,
        consenting extraScopes: [String] = []
    ) async throws -> MSALTokenResult {
        let request = try await begin(application, consenting: extraScopes)
        return try await application.acquireToken(try await visit(request, at: emulator), for: request)
    }

    @Test(.timeLimit(.minutes(2)))
    func `a user signs in, is renewed silently, and is forgotten`() async throws {
        try await withSite { emulator, application in
            let result = try await signIn(application, at: emulator)
            let user = try #require(result.homeAccountIdentifier)
            #expect(result.idTokenClaims?["name"]?.string == "Megan Bowen")
            #expect(result.scopes.contains("User.Read"))

            let held = try await application.acquireTokenSilent(homeAccountIdentifier: user, scopes: ["User.Read"])
            #expect(held.source == .cache)
            #expect(held.accessToken == result.accessToken)
            var options = MSALTokenOptions()
            options.forceRefresh = true
            let renewed = try await application.acquireTokenSilent(
                homeAccountIdentifier: user,
                scopes: ["User.Read"],
                options: options
            )
            #expect(renewed.source == .service)
            #expect(renewed.accessToken != result.accessToken)

            let page = try await application.signOutURL(homeAccountIdentifier: user)
            #expect(page.host() == "localhost")
            await application.removeTokens(homeAccountIdentifier: user)
            let error = try await failure { () async throws(MSALTokenError) in
                try await application.acquireTokenSilent(homeAccountIdentifier: user, scopes: ["User.Read"])
            }
            #expect(error.kind == .accountNotFound)
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `with single-use refresh tokens, concurrent calls for many scopes all succeed`() async throws {
        try await withSite(strictRotation: true) { emulator, application in
            let others = ["User.ReadBasic.All", "Calendars.Read"]
            let result = try await signIn(application, at: emulator, consenting: others)
            let user = try #require(result.homeAccountIdentifier)
            var options = MSALTokenOptions()
            options.forceRefresh = true
            let forced = options
            try await withThrowingTaskGroup(of: MSALTokenResult.self) { group in
                for _ in 0..<3 {
                    for scope in ["User.Read"] + others {
                        group.addTask {
                            try await application.acquireTokenSilent(
                                homeAccountIdentifier: user,
                                scopes: [scope],
                                options: scope == "User.Read" ? forced : MSALTokenOptions()
                            )
                        }
                    }
                }
                for try await token in group { #expect(token.homeAccountIdentifier == user) }
            }
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `a code whose response is lost is not sent again, whatever the policy`() async throws {
        let policy = MSALServerRetryPolicy(maximumRetries: 5, initialDelay: .zero)
        try await withSite(retryPolicy: policy) { emulator, application in
            let request = try await begin(application)
            let response = try await visit(request, at: emulator)
            emulator.enqueueFault(Fault(pathSuffix: "/token", dropsConnection: true))
            let error = try await failure { () async throws(MSALTokenError) in
                try await application.acquireToken(response, for: request)
            }
            #expect(error.kind == .network)
            #expect(emulator.journal.count { $0.path.hasSuffix("/token") } == 1)
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `a replayed response gets nothing`() async throws {
        try await withSite { emulator, application in
            let request = try await begin(application)
            let response = try await visit(request, at: emulator)
            _ = try await application.acquireToken(response, for: request)
            let error = try await failure { () async throws(MSALTokenError) in
                try await application.acquireToken(response, for: request)
            }
            #expect(error.kind == .interactionRequired)
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `a user who declines consent is not a failure of the service`() async throws {
        try await withSite { emulator, application in
            let request = try await begin(application)
            let response = try await visit(request, at: emulator, consent: .cancel)
            let error = try await failure { () async throws(MSALTokenError) in
                try await application.acquireToken(response, for: request)
            }
            #expect(error.kind == .userCancelled)
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `a revoked sign-in is noticed at the next refresh`() async throws {
        try await withSite { emulator, application in
            let user = try #require(try await signIn(application, at: emulator).homeAccountIdentifier)
            #expect(try await emulator.revokeSignIns(of: "megan@contoso.example"))
            var options = MSALTokenOptions()
            options.forceRefresh = true
            let forced = options
            let error = try await failure { () async throws(MSALTokenError) in
                try await application.acquireTokenSilent(
                    homeAccountIdentifier: user,
                    scopes: ["User.Read"],
                    options: forced
                )
            }
            #expect(error.kind == .interactionRequired)
            #expect(error.needsUser)
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `a new signing key is fetched`() async throws {
        try await withSite { emulator, application in
            _ = try await signIn(application, at: emulator)
            _ = try await emulator.rollOverSigningKey()
            let result = try await signIn(application, at: emulator)
            #expect(result.source == .service)
        }
    }
}
