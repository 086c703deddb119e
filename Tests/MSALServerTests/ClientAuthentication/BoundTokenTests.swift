// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALCore
import MSALServer
import TestSupport
import Testing

struct BoundTokenTests {
    private static let tenant = "73ab4876-7734-47c1-87fd-e805ec99108d"
    private static let graph = "https://graph.microsoft.com/.default"

    private let transport: ScriptedTransport
    private let time = ManualTime()

    init() {
        transport = ScriptedTransport()
    }

    private func application(
        _ credential: MSALClientCredential,
        tenant: String = tenant
    ) throws -> MSALConfidentialClientApplication {
        let configuration = MSALConfidentialClientConfiguration(
            clientId: "2fa91425-cb00-4853-9d2c-67eda13ffe79",
            authority: .tenant(tenant),
            credential: credential
        )
        return try MSALConfidentialClientApplication(
            configuration: configuration,
            environment: .double(time: time, transport: transport)
        )
    }

    private func respond(_ token: String, type: String = "mtls_pop") {
        transport.append(
            .json(#"{"access_token":"\#(token)","token_type":"\#(type)","expires_in":3600}"#, to: "/oauth2/v2.0/token")
        )
    }

    private static var bound: MSALTokenOptions {
        var options = MSALTokenOptions()
        options.isBoundToCertificate = true
        return options
    }

    private func token(
        of application: MSALConfidentialClientApplication,
        options: MSALTokenOptions = bound
    ) async throws(MSALTokenError) -> MSALTokenResult {
        try await application.acquireTokenForClient(scopes: [Self.graph], options: options)
    }

    @Test func `the certificate is presented in the handshake, and no assertion is sent`() async throws {
        let certificate = try CertificateFixture.leaf()
        respond("bound")

        let result = try await token(of: try application(.certificate(certificate)))

        let message = try #require(transport.messages.first)
        #expect(message.identity?.thumbprint == certificate.thumbprint)
        #expect(message.url.host() == "mtlsauth.microsoft.com")
        #expect(message.form["token_type"] == "mtls_pop")
        #expect(message.form["client_assertion"] == nil)
        #expect(result.bindingThumbprint == certificate.thumbprint)
        #expect(result.authorizationHeader == "mtls_pop bound")
    }

    @Test func `a token on behalf of a user is requested over mutual TLS, and is a bearer token`() async throws {
        let certificate = try CertificateFixture.leaf()
        respond("on-behalf", type: "Bearer")

        let result = try await application(.mutualTLS(certificate))
            .token(onBehalfOf: .example(), scopes: ["https://graph.microsoft.com/User.Read"])

        let message = try #require(transport.messages.first)
        #expect(message.identity?.thumbprint == certificate.thumbprint)
        #expect(message.url.host() == "mtlsauth.microsoft.com")
        #expect(message.form["requested_token_use"] == "on_behalf_of" && message.form["token_type"] == nil)
        #expect(message.form["client_assertion"] == nil && message.form["client_secret"] == nil)
        #expect(result.authorizationHeader == "Bearer on-behalf" && result.bindingThumbprint == nil)
    }

    @Test func `a bound token, a token of another certificate and a bearer token are stored separately`() async throws {
        respond("bound")
        let first = try application(.certificate(try CertificateFixture.leaf()))
        _ = try await token(of: first)
        respond("bearer", type: "Bearer")
        #expect(try await token(of: first, options: MSALTokenOptions()).accessToken == "bearer")

        let again = try await token(of: first)

        #expect(again.accessToken == "bound")
        #expect(again.source == .cache)
        try transport.verify()
    }

    @Test func `a bearer token is rejected if a bound one was requested`() async throws {
        respond("bearer", type: "Bearer")
        let application = try application(.certificate(try CertificateFixture.leaf()))

        let error = try await failure { () async throws(MSALTokenError) in try await token(of: application) }

        #expect(error.kind == .invalidResponse)
    }

    @Test func `without a certificate, or for many tenants, nothing is sent`() async throws {
        let secret = try application(.secret("s"))
        let many = try application(.certificate(try CertificateFixture.leaf()), tenant: "organizations")

        let withoutCertificate = try await failure { () async throws(MSALTokenError) in try await token(of: secret) }
        let withoutTenant = try await failure { () async throws(MSALTokenError) in try await token(of: many) }

        #expect(withoutCertificate.kind == .certificateRequired)
        #expect(withoutTenant.kind == .tenantRequired)
        try transport.verify()
    }

    @Test(arguments: [
        ("login.microsoftonline.com", "https://login.windows.net/t/oauth2/v2.0/token", true),
        ("login.microsoftonline.com", "https://westus2.login.microsoft.com/t/oauth2/v2.0/token", true),
        ("login.microsoftonline.com", "https://westus2.mtlsauth.microsoft.com/t/oauth2/v2.0/token", true),
        ("login.microsoftonline.com", "https://login.microsoftonline.us/t/oauth2/v2.0/token", false),
        ("login.microsoftonline.com", "https://mtlsauth.microsoftonline.us/t/oauth2/v2.0/token", false),
        ("login.microsoftonline.com", "https://evil.example/t/oauth2/v2.0/token", false),
        ("login.microsoftonline.com", "https://a.b.login.microsoft.com/t/oauth2/v2.0/token", false),
        ("login.microsoftonline.com", "https://login.microsoftonline.com.evil.example/t/oauth2/v2.0/token", false),
        ("login.microsoftonline.com", "http://login.microsoftonline.com/t/oauth2/v2.0/token", false),
        ("login.microsoftonline.us", "https://usgovvirginia.login.microsoftonline.us/t/oauth2/v2.0/token", true),
        ("login.microsoftonline.us", "https://login.microsoftonline.com/t/oauth2/v2.0/token", false),
    ])
    func `proofs for one cloud are not sent to another`(host: String, endpoint: String, isOwn: Bool) throws {
        let authority = try Authority.aad(host: host, rawTenant: "t")

        #expect(TokenEndpointAddress.isHost(of: try Authority.url(endpoint), ownedBy: authority) == isOwn)
    }
}
