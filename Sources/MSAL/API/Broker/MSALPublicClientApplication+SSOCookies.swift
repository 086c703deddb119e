// Licensed under the MIT License. See LICENSE.

extension MSALPublicClientApplication {
    /// The cookies with which a browser opens the sign-in page as the user of this device, without a question.
    ///
    /// They come from the identity broker, each time anew: nothing is stored. Linux only.
    ///
    /// - Parameters:
    ///   - url: The sign-in page that is to be opened, at the host of the authority. If its query has the `sso_nonce` that
    ///     the service gave, the cookie is good once; otherwise for some minutes.
    ///   - account: The account to sign in; `nil` takes the only one that the broker has.
    /// - Returns: One cookie at least.
    /// - Throws: `NSError` with ``MSALError/internal`` and the detail -42000 for an address that is not one of the
    ///   authority's: correct it; -42102 if the broker has several accounts: name one; -42106 if it does not have the
    ///   account: sign in first; -42714 if no broker can be used: open the page without a cookie; -42700, -42705 or -42711
    ///   if the broker failed. ``MSALError/interactionRequired`` if only the user can help: sign in first.
    public func ssoCookies(for url: URL, account: MSALAccount? = nil) async throws -> [MSALSSOCookie] {
        let homeAccountID = account?.identifier
        return try await correlated { () async throws(AuthError) in
            try await client().broker.ssoCookies(for: url, homeAccountID: homeAccountID).map(MSALSSOCookie.init)
        }
    }
}
