// Licensed under the MIT License. See LICENSE.

extension MSALTokenRejection {
    /// The answer to an error that a handler throws, for a middleware of your own.
    ///
    /// It is `nil` if the caller can do nothing about the error. Throw the error on then. A caller can act on a
    /// rejection, on an ``MSALClaimsChallenge``, and on the refusal of a token on behalf of the user or of another API:
    /// its client signs the user in again. If a token on behalf of a user is needed and the caller is an application,
    /// the answer refuses the kind of its token.
    ///
    /// - Parameters:
    ///   - error: What the handler threw.
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
