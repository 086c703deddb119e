// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import MSALBase

/// Determines which application sends a token request (RFC 6749 §2.3, RFC 7523 §2.2, RFC 8705 §2).
struct ClientAuthenticator: Sendable {
    let directory: ServedDirectory
    let assertions: ClientAssertions
    let agents: AgentExchange

    /// Finds the application and checks its credentials. An application without credentials passes, because the grant
    /// decides whether it needs any.
    ///
    /// - Throws: AADSTS900144, AADSTS700016, AADSTS700025, or an error about the secret or the assertion.
    func authenticate(_ exchange: Exchange, in selector: TenantSelector) async throws(EntraError) -> AuthenticatedClient
    {
        let presented = try PresentedCredentials(exchange)
        guard let clientID = presented.clientID else { throw .missingParameter("client_id") }
        guard let client = directory.application(clientID) else { throw .unknownClient(clientID) }
        if Confirmation.isCertificateBindingRequested(exchange.form), presented.kind != .nothing {
            throw .credentialsBesideCertificate
        }
        // Microsoft identity platform, "OAuth 2.0 authorization code flow": no credentials in a browser, in any flow.
        if presented.kind != .nothing { try exchange.checkOrigin(isSinglePage: false) }
        if let agent = client.agent {
            guard case .assertion(let assertion) = presented.kind else { throw .agentCredential(agent.id) }
            try await agents.checkAssertion(assertion, of: agent, at: exchange.now, in: selector)
            return AuthenticatedClient(registration: client, authentication: .assertion)
        }
        switch presented.kind {
        case .nothing:
            // A public client may call over any connection.
            guard !client.credentials.isEmpty, let certificate = await exchange.connection?.certificate() else {
                return AuthenticatedClient(registration: client, authentication: .none)
            }
            guard client.credentials.contains(certificate, at: exchange.now) else {
                throw .unknownConnectionCertificate(client.clientID, thumbprint: certificate.thumbprint)
            }
            return AuthenticatedClient(registration: client, authentication: .assertion, certificate: certificate)
        case .secret(let readings):
            guard !client.credentials.isEmpty else { throw .publicClientSecret }
            try check(readings, of: client, at: exchange.now)
            return AuthenticatedClient(registration: client, authentication: .secret)
        case .assertion(let assertion):
            guard !client.credentials.isEmpty else { throw .publicClientSecret }
            try await assertions.check(assertion, of: client, exchange: exchange, in: selector)
            return AuthenticatedClient(registration: client, authentication: .assertion)
        }
    }

    private func check(_ readings: [Secret], of client: AppRegistration, at now: Date) throws(EntraError) {
        // Compare with all secrets, so that the duration does not reveal which one matched.
        let matches = client.credentials.secrets.filter { registered in
            readings.count { Secret(registered.value) == $0 } > 0
        }
        guard !matches.isEmpty else { throw .wrongClientSecret(client.clientID) }
        guard matches.contains(where: { $0.expiresAt.map { $0 > now } ?? true }) else {
            throw .expiredClientSecret(client.clientID)
        }
    }
}

/// The parts of a request that authenticate the application.
private struct PresentedCredentials {
    enum Kind: Equatable {
        case nothing
        /// Every possible decoding of the secret that was sent, because clients encode it in different ways.
        case secret([Secret])
        case assertion(Secret)
    }

    let clientID: String?
    let kind: Kind

    init(_ exchange: Exchange) throws(EntraError) {
        let form = exchange.form
        let basic = try Self.basic(exchange)
        let ways = [basic != nil, form["client_secret"] != nil, form["client_assertion"] != nil]
        // RFC 6749 §2.3: only one method in each request.
        guard ways.count(where: \.self) <= 1 else { throw .severalClientCredentials }
        if let basic {
            guard form["client_id"] == nil || form["client_id"]?.lowercased() == basic.id.lowercased() else {
                throw .severalClientCredentials
            }
            clientID = basic.id
            kind = .secret(basic.secrets)
        } else if let secret = form["client_secret"] {
            clientID = form["client_id"]
            kind = .secret([Secret(secret)])
        } else if let assertion = form["client_assertion"] {
            guard let type = form["client_assertion_type"] else { throw .missingParameter("client_assertion_type") }
            guard type == ClientAssertions.type else { throw .unsupportedValue("client_assertion_type") }
            let assertion = Secret(assertion)
            // RFC 7521 §4.2: `client_id` is optional, because the subject identifies the client.
            clientID = form["client_id"] ?? SignedToken(assertion)?.claims["sub"]?.string
            kind = .assertion(assertion)
        } else {
            clientID = form["client_id"]
            kind = .nothing
        }
    }

    /// RFC 6749 §2.3.1: clients form-encode id and secret. Many do not encode them, and some only percent-encode them.
    private static func basic(_ exchange: Exchange) throws(EntraError) -> (id: String, secrets: [Secret])? {
        guard exchange.headers[.authorization] != nil else { return nil }
        guard let text = exchange.basicText, let colon = text.firstIndex(of: ":") else { throw .malformedBasic }
        let id = String(text[..<colon])
        let secret = String(text[text.index(after: colon)...])
        let readings = [
            secret, secret.removingPercentEncoding, secret.replacing("+", with: " ").removingPercentEncoding,
        ]
        return (id.removingPercentEncoding ?? id, readings.compactMap(\.self).map { Secret($0) })
    }
}
