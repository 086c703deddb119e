// Licensed under the MIT License. See LICENSE.

extension MSALTokenRejection {
    /// Converts an error that a handler throws into a response, for custom middleware.
    ///
    /// The result is `nil` if the caller cannot do anything about the error; rethrow the error in that case. A caller
    /// can act on a rejection, on an ``MSALClaimsChallenge``, and on a refused token on behalf of the user or for a
    /// downstream API: its client signs the user in again. If a token on behalf of a user is required and the caller is
    /// an application, the response rejects the type of its token.
    ///
    /// - Parameters:
    ///   - error: The error that the handler threw.
    ///   - principal: The caller.
    public init?(_ error: any Error, for principal: MSALPrincipal) {
        let kind = (error as? MSALTokenError ?? (error as? MSALDownstreamError)?.tokenError)?.kind
        if let rejection = error as? MSALTokenRejection {
            self = rejection
        } else if let challenge = error as? MSALClaimsChallenge
            ?? (error as? MSALTokenError).flatMap(MSALClaimsChallenge.init)
            ?? (error as? MSALDownstreamError)?.challenge
        {
            self.init(challenge, for: principal)
        } else if kind == .invalidAssertion {
            self.init(MSALClaimsChallenge(passingOn: nil), for: principal)
        } else if kind == .userAssertionIsApplication {
            self.init(.wrongTokenKind)
        } else {
            return nil
        }
    }
}
