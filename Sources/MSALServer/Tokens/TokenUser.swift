// Licensed under the MIT License. See LICENSE.

/// The user for whom a token stands, as the id token of the sign-in described them.
package final class TokenUser: Sendable {
    /// `<uid>.<utid>` in lower case.
    package let homeAccountID: String
    /// The claims of the checked id token.
    package let claims: [String: MSALClaimValue]

    package init(homeAccountID: String, claims: [String: MSALClaimValue]) {
        self.homeAccountID = homeAccountID
        self.claims = claims
    }

    /// Whether both are known, and the same user in the same tenant.
    package func isSamePerson(as other: TokenUser) -> Bool {
        !homeAccountID.isEmpty && homeAccountID == other.homeAccountID
            && text("tid")?.lowercased() == other.text("tid")?.lowercased()
    }

    /// A claim that is text.
    package func text(_ name: String) -> String? { claims[name]?.string }
}
