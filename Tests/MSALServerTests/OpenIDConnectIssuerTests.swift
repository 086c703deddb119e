// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import MSALServer
import TestSupport
import Testing

/// An authority that is not Microsoft's (docs/reference/Protocol.md#oidc-authority).
struct OpenIDConnectIssuerTests {
    private static let issuer = "https://sso.contoso.example/realms/staff"
    private static let document = """
        {"issuer": "\(issuer)", "authorization_endpoint": "\(issuer)/authorize", "token_endpoint": "https://tokens.contoso.example/t"}
        """

    private func application(
        _ transport: ScriptedTransport,
        issuer: String = issuer,
        cache: MSALTokenCache = MSALTokenCache(),
        credential: MSALClientCredential = .secret("s~ecret")
    ) throws -> MSALConfidentialClientApplication {
        var configuration = MSALConfidentialClientConfiguration(
            clientId: "client",
            authority: .oidc(issuer),
            credential: credential
        )
        configuration.cache = cache
        configuration.region = .named("westus")
        configuration.redirectUri = "https://app.contoso.example/signin"
        return try MSALConfidentialClientApplication(
            configuration: configuration,
            environment: .double(transport: transport)
        )
    }

    @Test func `an application gets a token for any scopes with parameters of the standards`() async throws {
        let transport = ScriptedTransport(
            .json(Self.document, to: "\(Self.issuer)/.well-known/openid-configuration"),
            .json(
                #"{"access_token":"a1","token_type":"bearer","expires_in":3600}"#,
                to: "https://tokens.contoso.example"
            )
        )
        let application = try application(transport)

        let first = try await application.acquireTokenForClient(scopes: ["orders.read", "orders.write"])
        let second = try await application.acquireTokenForClient(scopes: ["orders.read", "orders.write"])

        #expect(first.accessToken == "a1" && second.source == .cache)
        #expect(first.scopes == ["orders.read", "orders.write"] && first.tenantIdentifier == nil)
        #expect(
            transport.messages.last?.form == [
                "client_id": "client", "client_secret": "s~ecret", "grant_type": "client_credentials",
                "scope": "orders.read orders.write",
            ]
        )
        let headers = Set(transport.messages.flatMap(\.headers.keys))
        #expect(headers.isSubset(of: ["Accept", "Content-Type"]), "\(headers)")
        try transport.verify()
    }

    @Test func `issuers at one host do not share tokens`() async throws {
        let cache = MSALTokenCache()
        let guests = Self.document.replacing("/staff", with: "/guests")
        let transport = ScriptedTransport(
            .json(Self.document, to: "staff/.well-known"),
            .json(#"{"access_token":"a1","token_type":"Bearer","expires_in":3600}"#, to: "/t"),
            .json(guests, to: "guests/.well-known"),
            .json(#"{"access_token":"a2","token_type":"Bearer","expires_in":3600}"#, to: "/t")
        )
        let issuers = [Self.issuer, Self.issuer.replacing("/staff", with: "/guests")]

        var tokens: [String] = []
        for issuer in issuers {
            let application = try application(transport, issuer: issuer, cache: cache)
            tokens.append(try await application.acquireTokenForClient(scopes: []).accessToken)
        }

        #expect(tokens == ["a1", "a2"])
        #expect(transport.messages.last?.form["scope"] == nil)
        try transport.verify()
    }

    @Test func `a user signs in, stays signed in, and signs out`() async throws {
        // Microsoft Entra ID is an issuer, too.
        let story = try WebAppStory(authority: .oidc(SignInService.issuer))

        let result = try await story.signIn()
        let user = try #require(result.homeAccountIdentifier)
        let idToken = try story.service.idToken(nonce: nil, at: story.time.now)
        story.service.append(SignInService.tokens(access: "at-2", refresh: "rt-2", idToken: idToken))
        var options = MSALTokenOptions()
        options.forceRefresh = true
        let renewed = try await story.application.acquireTokenSilent(
            homeAccountIdentifier: user,
            scopes: ["User.Read"],
            options: options
        )
        let signOut = try await story.application.signOutURL(homeAccountIdentifier: user, state: "s")

        #expect(user != SignInService.homeAccountID)
        #expect(renewed.accessToken == "at-2" && renewed.homeAccountIdentifier == user)
        // The issuer may revoke all tokens if a refresh token is redeemed twice.
        #expect(story.service.messages.map(\.repetition) == [.unlessSent, .unlessSent])
        #expect(
            story.service.forms.map { $0.keys.sorted() } == [
                ["client_id", "client_secret", "code", "code_verifier", "grant_type", "redirect_uri", "scope"],
                ["client_id", "client_secret", "grant_type", "refresh_token", "scope"],
            ]
        )
        let page = try await story.begin().url
        #expect(
            names(page) == [
                "client_id", "code_challenge", "code_challenge_method", "nonce", "redirect_uri", "response_mode",
                "response_type", "scope", "state",
            ]
        )
        #expect(names(signOut) == ["client_id", "post_logout_redirect_uri", "state"])
        try story.service.verify()
    }

    @Test func `a refresh for another subject is rejected`() async throws {
        let story = try WebAppStory(authority: .oidc(SignInService.issuer))
        let user = try #require(try await story.signIn().homeAccountIdentifier)
        let idToken = try story.service.idToken(nonce: nil, at: story.time.now, changes: ["sub": .string("Pairwise")])
        story.service.append(SignInService.tokens(access: "at-2", idToken: idToken))
        var options = MSALTokenOptions()
        options.forceRefresh = true

        let error = try await tokenFailure {
            _ = try await story.application.acquireTokenSilent(
                homeAccountIdentifier: user,
                scopes: ["User.Read"],
                options: options
            )
        }

        #expect(error?.kind == .invalidResponse)
    }

    @Test(arguments: ["http://sso.contoso.example", "https://sso.contoso.example?a=b", "sso"])
    func `a URL that cannot be an issuer is a fault of the configuration`(_ issuer: String) throws {
        let error = #expect(throws: MSALTokenError.self) { try application(ScriptedTransport(), issuer: issuer) }

        #expect(error?.kind == .configuration)
    }

    @Test func `metadata of another issuer are rejected, and nothing is sent to their endpoint`() async throws {
        let transport = ScriptedTransport(.json(Self.document.replacing(#"/staff", "auth"#, with: #"/staff/", "auth"#)))

        let error = try await tokenFailure {
            _ = try await application(transport).acquireTokenForClient(scopes: ["orders"])
        }

        #expect(error?.message.contains("\"\(Self.issuer)/\"") == true)
        #expect(error?.message.contains("exact URL") == true)
        try transport.verify()
    }

    @Test func `what only Microsoft Entra offers is a fault of the configuration, before any request`() async throws {
        let transport = ScriptedTransport()
        let application = try application(transport)
        var tenant = MSALTokenOptions()
        tenant.tenant = "contoso.com"
        let calls: [() async throws -> Void] = [
            { _ = try application.agent(id: UUID().uuidString) },
            { _ = try await application.acquireTokenForClient(scopes: ["orders"], options: tenant) },
            { _ = try await application.token(onBehalfOf: .example(), scopes: ["orders"]) },
        ]

        for call in calls {
            let error = try await tokenFailure(of: call)
            #expect(error?.kind == .configuration)
        }
        #expect(throws: MSALTokenError.self) {
            try MSALTokenValidator(MSALTokenValidatorConfiguration(clientId: "api", authority: .oidc(Self.issuer)))
        }
        #expect(transport.messages.isEmpty)
    }

    private func names(_ url: URL) -> [String] {
        (URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []).map(\.name).sorted()
    }
}
