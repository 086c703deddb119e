// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// Checks a client assertion. The client has signed it with its certificate, or it is a token of an external issuer
/// that may act for the client (RFC 7523 §3; Microsoft identity platform, "Application certificate credentials",
/// "Workload identity federation").
struct ClientAssertions: Sendable {
    let federation: FederatedIdentities
    let identity: ServerIdentity

    /// The only `client_assertion_type`.
    static let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
    /// The tolerated clock skew of clients, in seconds.
    private static let tolerance: TimeInterval = 300

    /// Checks an assertion.
    ///
    /// - Throws: AADSTS50027 for a malformed assertion, AADSTS700024 outside its validity period, AADSTS700027 for an
    ///   invalid signature, AADSTS700023 for a wrong audience, and AADSTS700211 to 700213 if no federated credential
    ///   matches.
    func check(
        _ text: Secret,
        of client: AppRegistration,
        exchange: Exchange,
        in selector: TenantSelector
    ) async throws(EntraError) {
        guard let token = SignedToken(text) else { throw .malformedAssertion("it is not a signed JSON Web Token") }
        try Self.checkLifetime(of: token, at: exchange.now)
        guard let issuer = token.claims["iss"]?.string, let subject = token.claims["sub"]?.string else {
            throw .malformedAssertion("it has no issuer or no subject")
        }
        guard issuer.lowercased() == client.clientID.lowercased() else {
            let presented = PresentedIdentity(issuer: issuer, subject: subject, audience: token.audiences.first ?? "")
            return try await federation.check(token, from: presented, of: client, exchange: exchange)
        }
        guard subject.lowercased() == client.clientID.lowercased() else {
            throw .malformedAssertion("issuer and subject must both be the client ID")
        }
        guard certificate(of: token, client: client, at: exchange.now).map({ token.isSigned(by: $0.key) }) == true
        else {
            throw .unknownAssertionKey(client.clientID, thumbprint: Self.thumbprints(of: token).first)
        }
        guard token.audiences.contains(where: { isTokenEndpoint($0, of: selector, exchange: exchange) }) else {
            throw .wrongAssertionAudience(token.audiences.first ?? "")
        }
    }

    /// - Throws: AADSTS50027 for an assertion without an expiry, and AADSTS700024 outside its validity period.
    static func checkLifetime(of token: SignedToken, at date: Date) throws(EntraError) {
        let now = date.timeIntervalSince1970
        guard let expiry = token.time("exp") else { throw .malformedAssertion("it has no expiry") }
        let start = token.time("nbf") ?? token.time("iat") ?? now
        guard expiry > now - tolerance, (token.time("nbf") ?? now) <= now + tolerance else {
            throw .assertionOutsideLifetime(
                from: Date(timeIntervalSince1970: start),
                until: Date(timeIntervalSince1970: expiry),
                at: date
            )
        }
    }

    // MARK: Certificates

    /// The certificate that the header names, if it is currently valid. It is either registered, or issued by a
    /// registered authority.
    private func certificate(of token: SignedToken, client: AppRegistration, at now: Date) -> RegisteredCertificate? {
        let thumbprints = Self.thumbprints(of: token)
        let own = client.credentials.certificates.first { certificate in
            certificate.subject == nil && certificate.isValid(at: now)
                && (thumbprints.contains(certificate.thumbprint) || thumbprints.contains(certificate.sha256Thumbprint))
        }
        if let own { return own }
        guard let leaf = Self.chain(of: token).first.flatMap({ RegisteredCertificate(der: $0) }) else { return nil }
        return client.credentials.certificates.contains { $0.vouches(for: leaf, at: now) } ? leaf : nil
    }

    /// `x5t`, `x5t#S256`, and `kid` in base64url. Some libraries add padding, and MSAL for Go uses the standard base64
    /// alphabet.
    private static func thumbprints(of token: SignedToken) -> [String] {
        ["x5t#S256", "x5t", "kid"].compactMap { token.header[$0]?.string }.map { text in
            String(text.prefix { $0 != "=" }).replacing("+", with: "-").replacing("/", with: "_")
        }
    }

    /// The certificates of `x5c`, RFC 7515 §4.1.6: an array or, as some libraries send it, a single string. Lines may
    /// be wrapped.
    private static func chain(of token: SignedToken) -> [Data] {
        let texts =
            token.header["x5c"]?.array?.compactMap(\.string) ?? [token.header["x5c"]?.string].compactMap(\.self)
        return texts.compactMap { Data(base64Encoded: $0.filter { !$0.isWhitespace }) }
    }

    // MARK: Audience

    /// Whether an audience is the tenant's token endpoint or its issuer, under any of this server's host names.
    private func isTokenEndpoint(_ audience: String, of selector: TenantSelector, exchange: Exchange) -> Bool {
        guard let url = URL(string: audience), url.scheme == "https", let host = url.host, identity.covers(host) else {
            return false
        }
        let segments = url.path.lowercased().split(separator: "/").map(String.init)
        guard let tenant = segments.first else { return false }
        let isTenant: Bool
        switch selector {
        case .tenant(let selected): isTenant = selected.isNamed(tenant)
        case .common, .organizations, .consumers: isTenant = TenantSelector(reserved: tenant) == selector
        }
        let rest = segments.dropFirst().joined(separator: "/")
        return isTenant && ["oauth2/v2.0/token", "oauth2/token", "v2.0", ""].contains(rest)
    }
}
