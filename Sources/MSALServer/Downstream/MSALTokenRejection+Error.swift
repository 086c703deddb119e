// Licensed under the MIT License. See LICENSE.

extension MSALTokenRejection {
    /// The answer to an error that a handler throws, for a middleware of your own.
    ///
    /// It is `nil` if the caller cannot help it: then the error goes on. What a caller can help are a rejection, an
    /// ``MSALClaimsChallenge``, and the refusal of a token on behalf of the user or of another API, after which the client signs
    /// its user in again. An application that calls where a token on behalf of a user is needed may not do so.
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
