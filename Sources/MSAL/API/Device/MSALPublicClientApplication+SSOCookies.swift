// Licensed under the MIT License. See LICENSE.

extension MSALPublicClientApplication {
    /// Returns cookies with which a browser opens the sign-in page as the user of this device, without a prompt.
    ///
    /// They are requested from the identity broker each time: nothing is stored. Linux only.
    ///
    /// - Parameters:
    ///   - url: The sign-in page to open, at the host of the authority. If its query has the service's `sso_nonce`, the
    ///     cookie is valid once; otherwise for some minutes.
    ///   - account: The account to sign in; `nil` uses the only one that the broker has.
    /// - Returns: At least one cookie.
    /// - Throws: `NSError` with ``MSALError/internal`` and the detail -42000 for a URL that does not belong to the
    ///   authority: correct it; -42102 if the broker has several accounts: name one; -42106 if it does not have the
    ///   account: sign in first; -42714 if no broker is available: open the page without a cookie; -42700, -42705, or
    ///   -42711 if the broker failed. ``MSALError/interactionRequired`` if the user must sign in first.
    public func ssoCookies(for url: URL, account: MSALAccount? = nil) async throws -> [MSALSSOCookie] {
        let homeAccountID = account?.identifier
        return try await correlated { () async throws(AuthError) in
            try await client().broker.ssoCookies(for: url, homeAccountID: homeAccountID).map(MSALSSOCookie.init)
        }
    }
}
