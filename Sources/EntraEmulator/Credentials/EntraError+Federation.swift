// Licensed under the MIT License. See LICENSE.

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
        invalidRequest(
            50_166,
            message: "Request to External OIDC endpoint failed: \(reason). \(presented.sentences)"
        )
    }

    private static func noFederatedCredential(
        _ number: Int,
        part: String,
        presented: PresentedIdentity
    ) -> EntraError {
        invalidClient(
            number,
            message:
                "No matching federated identity record found for presented assertion \(part). Check your federated "
                + "identity credential Subject, Audience and Issuer against the presented assertion. "
                + presented.sentences
        )
    }
}

extension PresentedIdentity {
    /// The three values in the wording of the service.
    fileprivate var sentences: String {
        "Assertion Issuer: '\(issuer)'. Assertion Subject: '\(subject)'. Assertion Audience: '\(audience)'."
    }
}
