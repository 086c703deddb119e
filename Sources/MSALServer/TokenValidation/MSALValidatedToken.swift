// Licensed under the MIT License. See LICENSE.

package import MSALBase
import MSALCore

/// An access token that an API received and validated. On-behalf-of calls require one.
///
/// It is opaque: its description does not contain the token, and the token cannot be read from it.
public struct MSALValidatedToken: Sendable, CustomStringConvertible, ServerRedactedReflection {
    /// The token as it came.
    package let accessToken: Secret
    package let claims: TokenClaims
    /// The hash of the token, where the check has made it. A call on behalf of the user needs it, too.
    package let digest: TokenDigest?

    package init(accessToken: Secret, claims: TokenClaims, digest: TokenDigest?) {
        self.accessToken = accessToken
        self.claims = claims
        self.digest = digest
    }

    /// Wraps a token that another component, such as a gateway, has fully validated: its signature, issuer, audience,
    /// and lifetime.
    ///
    /// This initializer validates nothing. Anyone who can reach the API without passing the gateway can act as any
    /// user.
    ///
    /// - Throws: `.invalidAssertion` if the text is not an access token of Microsoft Entra. Reject the request.
    public init(checkedElsewhere accessToken: String) throws(MSALTokenError) {
        do throws(MSALTokenRejection) {
            let token = try CompactToken(accessToken)
            self.init(
                accessToken: Secret(accessToken),
                claims: try TokenClaims(token.payload, times: try TokenTimes(token.payload), from: .aad),
                digest: TokenDigest(of: Secret(accessToken))
            )
        } catch {
            throw MSALTokenError(
                .invalidAssertion,
                message:
                    "The text is not an access token (\(error.code.rawValue)). Give the token that the request carried, "
                    + "without the word Bearer."
            )
        }
    }

    /// The name of the type.
    public var description: String { "MSALValidatedToken" }

    /// The tenant whose directory issued the token, in lower case; `nil` if the token does not say.
    package var tenant: String? { claims.tenant }
    package var kind: MSALPrincipal.Kind { claims.kind }
}
