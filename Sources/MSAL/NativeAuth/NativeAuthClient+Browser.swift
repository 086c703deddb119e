// Licensed under the MIT License. See LICENSE.

import MSALCore

extension NativeAuthClient {
    /// Continues in the browser if the service requires that (docs/reference/NativeAuthentication.md#browser).
    ///
    /// As after a native sign-in, the account replaces the previous account. The redirect arrives at the configured
    /// URI. An app opts in to the browser by configuring one.
    ///
    /// - Throws: The errors of an interactive sign-in; `.invalidRedirectURI` if the app configured no redirect URI.
    func signInWithBrowser(_ request: InteractiveRequest) async throws(AuthError) -> TokenResult {
        guard configuration.hasRedirectURI else {
            let error = AuthError(
                .invalidRedirectURI,
                message:
                    "The service requires the browser, but no redirect URI is configured to return from it."
            )
            throw error.correlated(request.token.correlationID)
        }
        var request = request
        request.token.keepsOneAccount = true
        return try await tokens.interactive.acquire(request)
    }
}
