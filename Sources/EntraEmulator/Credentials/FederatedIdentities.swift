// Licensed under the MIT License. See LICENSE.

import MSALBase

/// Checks tokens of external issuers that may act as an application (Microsoft identity platform, "Workload identity
/// federation").
struct FederatedIdentities: Sendable {
    let ownIssuers: EmulatedIssuers
    let foreignKeys: ForeignKeys

    /// Checks that one of the client's federated credentials matches the token, and that the issuer signed it. The keys
    /// of an issuer are fetched only if a credential names that issuer and matches the token.
    ///
    /// - Throws: AADSTS700211 for an unknown issuer, AADSTS700213 for an unknown subject, AADSTS700212 for an unknown
    ///   audience, AADSTS50166 if the issuer's keys cannot be read, and AADSTS700027 for an invalid signature.
    func check(
        _ token: SignedToken,
        from presented: PresentedIdentity,
        of client: AppRegistration,
        exchange: Exchange
    ) async throws(EntraError) {
        let own = ownIssuers.issuer(named: presented.issuer, base: exchange.base)
        let ofIssuer = client.credentials.federated.filter { credential in
            credential.issuer == presented.issuer
                || own != nil && ownIssuers.issuer(named: credential.issuer, base: exchange.base) == own
        }
        guard !ofIssuer.isEmpty else { throw .unknownFederatedIssuer(presented) }
        let ofSubject = ofIssuer.filter { $0.subject == presented.subject }
        guard !ofSubject.isEmpty else { throw .unknownFederatedSubject(presented) }
        let fitting = ofSubject.filter { !Set($0.audiences).isDisjoint(with: token.audiences) }
        guard !fitting.isEmpty else { throw .unknownFederatedAudience(presented) }
        let keyID = token.header["kid"]?.string
        let inline = fitting.flatMap { $0.keys ?? [] }
        let keys =
            if !inline.isEmpty {
                inline
            } else if own != nil {
                ownIssuers.keys
            } else {
                try await foreignKeys(of: presented, keyID: keyID, exchange: exchange)
            }
        let isSigned = keys.contains { key in
            (keyID == nil || key.keyID == nil || key.keyID == keyID) && key.publicKey.map(token.isSigned) == true
        }
        guard isSigned else { throw .unknownFederatedKey(presented, keyID: keyID) }
    }

    private func foreignKeys(
        of presented: PresentedIdentity,
        keyID: String?,
        exchange: Exchange
    ) async throws(EntraError) -> [EmulatorDirectory.JSONWebKey] {
        do {
            return try await foreignKeys.keys(of: presented.issuer, keyID: keyID, now: exchange.now)
        } catch {
            let reason = (error as? IssuerDocuments.Failure)?.reason ?? "its keys cannot be read"
            throw .unreadableFederatedIssuer(presented, reason: reason)
        }
    }
}

/// The issuer, the subject, and the audience of a token, none of which is verified yet.
struct PresentedIdentity: Sendable {
    let issuer: String
    let subject: String
    let audience: String

    /// The three values in the wording of the service.
    fileprivate var sentences: String {
        "Assertion Issuer: '\(issuer)'. Assertion Subject: '\(subject)'. Assertion Audience: '\(audience)'."
    }
}

/// Errors about tokens of external issuers. Each message contains issuer, subject, and audience, because the most
/// common mistake is a single wrong letter in one of them.
extension EntraError {
    static func unknownFederatedIssuer(_ presented: PresentedIdentity) -> EntraError {
        noFederatedCredential(700_211, part: "issuer '\(presented.issuer)'", presented: presented)
    }

    static func unknownFederatedAudience(_ presented: PresentedIdentity) -> EntraError {
        noFederatedCredential(700_212, part: "audience '\(presented.audience)'", presented: presented)
    }

    static func unknownFederatedSubject(_ presented: PresentedIdentity) -> EntraError {
        noFederatedCredential(700_213, part: "subject '\(presented.subject)'", presented: presented)
    }

    static func unknownFederatedKey(_ presented: PresentedIdentity, keyID: String?) -> EntraError {
        invalidClient(
            700_027,
            message: "The key '\(keyID ?? "")' that signed the presented assertion is none of its issuer's, or the "
                + "signature is wrong. \(presented.sentences)"
        )
    }

    static func unreadableFederatedIssuer(_ presented: PresentedIdentity, reason: String) -> EntraError {
        invalidRequest(50_166, message: "Request to External OIDC endpoint failed: \(reason). \(presented.sentences)")
    }

    private static func noFederatedCredential(_ number: Int, part: String, presented: PresentedIdentity) -> EntraError {
        invalidClient(
            number,
            message:
                "No matching federated identity record found for presented assertion \(part). Check your federated "
                + "identity credential Subject, Audience and Issuer against the presented assertion. "
                + presented.sentences
        )
    }
}
