// Licensed under the MIT License. See LICENSE.

/// Checks tokens of foreign issuers that may act as an application.
struct FederatedIdentities: Sendable {
    /// Checks that a federated credential of the client fits the token, and that the issuer signed it.
    ///
    /// - Throws: AADSTS700211 for an unknown issuer, AADSTS700213 for an unknown subject, AADSTS700212 for an unknown
    ///   audience, and AADSTS700027 for a wrong signature.
    func check(
        _ token: SignedToken,
        issuer: String,
        subject: String,
        of client: AppRegistration
    ) async throws(EntraError) {
        let ofIssuer = client.federatedCredentials.filter { $0.issuer == issuer }
        guard !ofIssuer.isEmpty else { throw .unknownFederatedIssuer(issuer) }
        let ofSubject = ofIssuer.filter { $0.subject == subject }
        guard !ofSubject.isEmpty else { throw .unknownFederatedSubject(subject) }
        guard ofSubject.contains(where: { !Set($0.audiences).isDisjoint(with: token.audiences) }) else {
            throw .unknownFederatedAudience(token.audiences.first ?? "")
        }
        // No issuer's keys are known yet, so no signature is good.
        throw .unknownAssertionKey(client.clientID, thumbprint: token.header["kid"]?.string)
    }
}
