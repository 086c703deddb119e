// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import MSALServer
import TestSupport
import Testing

// Client authentication: the forms of token requests.
extension ServerConformance {
    @Test(arguments: ServerConformanceFolder.shared.cases(of: .clientAssertion, ops: "form"))
    func `a token request has the expected form`(_ testCase: ServerCase) async throws {
        defer { testCase.expectAllRead() }
        let service = SignInService(
            [],
            metadata: ["issuer": .string("https://login.microsoftonline.com/\(try testCase.text("tenant"))/v2.0")]
        )
        var failure: MSALTokenError?
        do {
            try await testCase.act(with: service)
        } catch let error as MSALTokenError {
            failure = error
        }
        // The scripted service rejects the request, so that there is no token to check.
        if service.messages.isEmpty { #expect(failure?.kind.rawValue == testCase.expected("error")?.string) }

        if let count = testCase.expected("requests")?.double { #expect(Double(service.messages.count) == count) }
        guard testCase.expected("error") == nil else { return }
        let message = try #require(service.messages.last)
        #expect(message.url.absoluteString == testCase.expected("url")?.string)
        #expect(message.headers["Authorization"] == nil)
        for (name, value) in testCase.expected("form")?.object ?? [:] {
            #expect(matches(value, message.form[name]), "\(name) is \(message.form[name] ?? "absent")")
        }
        for name in testCase.expected("formAbsent")?.array?.compactMap(\.string) ?? [] {
            #expect(message.form[name] == nil)
        }
    }

    private func matches(_ expected: JSONValue, _ value: String?) -> Bool {
        guard let value else { return false }
        if expected == .string("<jwt>") { return value.split(separator: ".").count == 3 }
        if let set = expected.object?["set"]?.array {
            return Set(set.compactMap(\.string)) == Set(value.split(separator: " ").map(String.init))
        }
        if let json = expected.object?["json"] { return JSONValue(parsing: Data(value.utf8)) == json }
        return expected == .string(value)
    }
}

extension ServerCase {
    func text(_ name: String) throws -> String { try #require(self[name]?.string) }

    private var scopes: [String] { self["scopes"]?.array?.compactMap(\.string) ?? [] }

    /// The credential of the case. A configuration has one by its type, so two can only come from settings.
    private func credential() throws -> MSALClientCredential {
        let members = try #require(self["credential"]?.object)
        if members.count > 1 {
            return try .only(
                secret: members["secret"]?.string,
                certificatePath: members["certificate"]?.string,
                certificatePassword: nil
            )
        }
        if let secret = members["secret"]?.string { return .secret(secret) }
        if let assertion = members["assertion"]?.string { return .assertion { _ in MSALClientAssertion(assertion) } }
        return .certificate(try clientCertificate(members["certificate"]))
    }

    /// Runs the flow of the case with a service that rejects the last request.
    fileprivate func act(with service: SignInService) async throws {
        let (tenant, flow, scopes) = (try text("tenant"), try text("flow"), scopes)
        let host = self["authorityHost"]?.string ?? "login.microsoftonline.com"
        let story = try WebAppStory(
            service,
            authority: .tenant(tenant, host: host)
        ) { configuration in
            configuration.clientId = try text("clientId")
            configuration.credential = try credential()
            configuration.capabilities = self["capabilities"]?.array?.compactMap(\.string) ?? []
            if let redirectURI = self["redirectUri"]?.string { configuration.redirectUri = redirectURI }
            if let region = self["region"]?.string { configuration.region = .named(region) }
        }
        if flow == "refresh" { try await signIn(story, tenant: tenant) }
        if expected("error") == nil { service.append(SignInService.refusal("invalid_grant")) }
        var options = MSALTokenOptions()
        options.tenant = self["requestTenant"]?.string
        options.claims = self["claims"]?.string
        options.fmiPath = self["fmiPath"]?.string
        options.isBoundToCertificate = self["mtlsProofOfPossession"] == .bool(true)
        switch flow {
        case "client":
            _ = try await story.application.acquireTokenForClient(scopes: scopes, options: options)
        case "password":
            _ = try await story.application.token(
                scopes: scopes,
                username: try text("username"),
                password: Secret(try text("password")),
                options: options
            )
        case "code":
            var request = try await story.begin(scopes)
            request.secrets.verifier = Secret(try text("verifier"))
            let response = try story.response(to: request, ["code": try text("code")])
            _ = try await story.application.acquireToken(response, for: request)
        case "onBehalfOf":
            let incoming = IncomingToken(Secret(try userAssertion()))
            _ = try await story.application.token(onBehalfOf: incoming, scopes: scopes, options: options)
        case "refresh":
            options.forceRefresh = true
            _ = try await story.application.acquireTokenSilent(
                homeAccountIdentifier: "\(SignInService.user).\(tenant)",
                scopes: scopes,
                options: options
            )
        default:
            Issue.record("The flow \(flow) is not supported.")
        }
    }

    /// The incoming token: as in the case, or with the claims of the case.
    private func userAssertion() throws -> String {
        guard let claims = self["userAssertionClaims"] else { return try text("userAssertion") }
        let parts = [#"{"alg":"RS256","typ":"JWT"}"#, claims.text].map { Base64URL.encode(Array($0.utf8)) }
        return parts.joined(separator: ".") + ".c2ln"
    }

    /// Signs in a user whose refresh token is that of the case.
    private func signIn(_ story: WebAppStory, tenant: String) async throws {
        try await story.signIn(
            scopes,
            refresh: try text("refreshToken"),
            changes: ["client_info": .string(SignInService.clientInfo(tenant: tenant))],
            claims: [
                "iss": .string("https://login.microsoftonline.com/\(tenant)/v2.0"),
                "aud": .string(try text("clientId")), "tid": .string(tenant),
            ]
        )
    }
}
