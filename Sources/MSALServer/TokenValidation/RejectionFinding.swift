// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

/// The claim that a rule refused, for the log of the API. It never holds a claim that identifies a user.
struct RejectionFinding: Hashable {
    let claim: String
    let received: String
    let expected: String

    /// The longest value in a line, in characters.
    private static let maximumLength = 200

    /// The finding; `nil` if the reason is not about a claim that may be logged.
    init?(
        _ code: MSALTokenRejection.Code,
        of token: CompactToken,
        at rules: APIRules,
        requiring requirement: MSALRequirement
    ) {
        let claims = token.payload
        let client = CommonClaims.clientClaim(in: claims, from: rules.issuerKind)
        let texts: (claim: String, expected: [String])
        switch code {
        case .unsupportedAlgorithm: texts = ("alg", rules.configuration.algorithms.map(\.rawValue))
        case .wrongTokenType: texts = ("typ", ["JWT", "at+jwt"])
        case .missingClaim:
            let required = rules.issuerKind == .aad ? ["iss", "ver", "tid", "exp"] : ["iss", "exp"]
            guard let claim = required.first(where: { claims[$0] == nil }) ?? required.dropFirst().first else {
                return nil
            }
            texts = (claim, ["a value"])
        case .invalidTenant: texts = ("tid", ["the GUID of a tenant"])
        case .tenantNotAllowed: texts = (claims["tid"] == nil ? "iss" : "tid", ["an allowed tenant"])
        case .invalidIssuer: texts = ("iss", rules.allKeys.compactMap { $0.knownMetadata?.issuer })
        case .unknownKey: texts = ("kid", ["a key of the issuer"])
        case .keyNotForIssuer: texts = ("kid", ["a key for this issuer"])
        case .invalidAudience:
            let version = claims["ver"]?.string.flatMap(APIRules.Version.init)
            texts = ("aud", rules.audiences(of: rules.issuerKind == .aad ? version ?? .version2 : .version2).sorted())
        case .expired: texts = ("exp", ["a time after now"])
        case .notYetValid: texts = ("nbf", ["a time before now"])
        case .issuedInFuture: texts = ("iat", ["a time before now"])
        case .notAnAccessToken: texts = (client, ["the client ID"])
        case .clientNotAllowed: texts = (client, rules.clients?.sorted() ?? [])
        case .missingPermissions: texts = ("scp", ["a scope or a role"])
        case .insufficientScope: texts = ("scp", requirement.scopes)
        case .insufficientRole: texts = ("roles", requirement.roles)
        default: return nil
        }
        claim = texts.claim
        let value = token.header[claim] ?? claims[claim]
        received = Self.visible(value?.string ?? value?.text ?? "none")
        expected = Self.visible(texts.expected.joined(separator: " or "))
    }

    private static func visible(_ text: String) -> String {
        // A character may have any number of combining marks, so scalars are counted.
        let text = String(String.UnicodeScalarView(text.unicodeScalars.prefix(maximumLength))).visibleLine
        return String(String.UnicodeScalarView(text.unicodeScalars.prefix(maximumLength)))
    }
}
