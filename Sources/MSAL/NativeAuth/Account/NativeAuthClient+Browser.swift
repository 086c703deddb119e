// Licensed under the MIT License. See LICENSE.

import MSALCore

extension NativeAuthClient {
    /// Continues in the browser if the service demands that (docs/reference/NativeAuthentication.md#browser).
    ///
    /// As after a native sign-in, the account replaces the former account. The redirect arrives at the configured URI.
    /// An app allows the browser by configuring one.
    ///
    /// - Throws: The errors of an interactive sign-in; `.invalidRedirectURI` where the app configured no redirect URI.
    package func signInWithBrowser(_ handover: NativeAuth.BrowserHandover) async throws(AuthError) -> TokenResult {
        guard configuration.hasRedirectURI else {
            let error = AuthError(
                .invalidRedirectURI,
                message:
                    "The service wants the user in the browser, and no redirect URI is configured for the way back."
            )
            throw error.correlated(handover.correlationID)
        }
        var token = TokenRequest(scopes: ScopeSet(handover.scopes), correlationID: handover.correlationID)
        token.claims = handover.claims
        token.keepsOneAccount = true
        var request = InteractiveRequest(token: token)
        request.loginHint = handover.username
        request.prefersEphemeralSession = handover.prefersEphemeralSession
        request.onOpen = handover.onOpen
        request.onLaunch = handover.onLaunch
        request.onUsualWindow = handover.onUsualWindow
        request.onRedirect = handover.onRedirect
        request.parentWindow = handover.parentWindow
        switch handover.purpose {
        case .signIn: break
        case .signUp: request.prompt = .create
        }
        return try await tokens.interactive.acquire(request)
    }
}
