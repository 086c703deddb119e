// Licensed under the MIT License. See LICENSE.

extension MSALPublicClientApplication {
    /// The sign-in modes that ``acquireToken(with:)-(MSALInteractiveTokenParameters)`` would try on this machine, with
    /// the reasons.
    ///
    /// Nothing is started, and no request is sent. Linux only.
    ///
    /// - Throws: `NSError` with ``MSALError/internal`` and the details of
    ///   ``acquireToken(with:)-(MSALInteractiveTokenParameters)`` for invalid parameters.
    public func signInPlan(for parameters: MSALInteractiveTokenParameters) async throws -> MSALSignInPlan {
        try await correlated { () async throws(AuthError) in
            MSALSignInPlan(try await client().interactive.modes(for: try parameters.snapshot()))
        }
    }
}
