// Licensed under the MIT License. See LICENSE.

extension MSALPublicClientApplication {
    /// The ways in which ``acquireToken(with:)-(MSALInteractiveTokenParameters)`` would try to sign the user in on this
    /// machine, with the reasons.
    ///
    /// Nothing is started, and no request is sent. Linux only.
    ///
    /// - Throws: `NSError` with ``MSALError/internal`` and the details of
    ///   ``acquireToken(with:)-(MSALInteractiveTokenParameters)`` for parameters that are at fault.
    public func signInPlan(for parameters: MSALInteractiveTokenParameters) async throws -> MSALSignInPlan {
        try await correlated { () async throws(AuthError) in
            MSALSignInPlan(try await client().interactive.ways(for: try parameters.snapshot()))
        }
    }
}
