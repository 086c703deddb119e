// Licensed under the MIT License. See LICENSE.

/// The user for whom a token stands, as the id token of the sign-in told it.
package final class TokenUser: Sendable {
    /// `<uid>.<utid>` in lower case.
    package let homeAccountID: String
    /// The claims of the checked id token.
    package let claims: [String: MSALClaimValue]

    package init(homeAccountID: String, claims: [String: MSALClaimValue]) {
        self.homeAccountID = homeAccountID
        self.claims = claims
    }

    /// A claim that is text.
    package func text(_ name: String) -> String? { claims[name]?.string }
}
