// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

/// The continuation in the browser, for cases that the app's forms cannot handle. Linux only.
///
/// The user may have signed up with a social account, or needs a step that the app did not announce. The browser opens
/// only when the app calls ``signIn(with:)``; an app without a browser shows ``reason`` instead.
public struct MSALNativeAuthBrowserHandover: Sendable, RedactedReflection {
    /// The cause, as reported by the service or the library; for logs.
    public let reason: String

    /// The ID in the service's logs of the flow that ends here.
    public let correlationId: UUID

    private let application: MSALNativeAuthPublicClientApplication
    private let flow: Flow
    private let isSignUp: Bool

    /// The values with which the browser continues.
    struct Flow: Sendable {
        var username: String
        var scopes: [String] = []
        var claims: String?
    }

    init(_ failure: NativeAuthFailure, flow: Flow, isSignUp: Bool, application: MSALNativeAuthPublicClientApplication) {
        reason = failure.errorDescription
        correlationId = failure.correlationID
        self.flow = flow
        self.isSignUp = isSignUp
        self.application = application
    }

    /// Signs the user in through the browser, with the user name filled in and for the same scopes and claims.
    ///
    /// A sign-up starts on the page that creates an account. The redirect URI is the configuration's: set it to
    /// `http://localhost` for a port that is chosen at run time, and register it.
    ///
    /// - Parameter webviewParameters: How to open the browser; by default, the system browser.
    /// - Returns: The user, as after a native sign-in.
    /// - Throws: The `NSError` of `acquireToken(with:)`: ``MSALError/userCanceled`` if the user closed the browser;
    ///   ``MSALError/internal`` with the detail -42011 if the configuration has no redirect URI, with -42008 for a
    ///   custom web view.
    public func signIn(
        with webviewParameters: MSALWebviewParameters = MSALWebviewParameters()
    ) async throws -> MSALNativeAuthUserAccountResult {
        try await correlated(correlationId) { () async throws(AuthError) in
            let result = try await application.native.signInWithBrowser(try request(with: webviewParameters))
            return MSALNativeAuthUserAccountResult(result, application: application)
        }
    }

    /// Creates the core's request from these values.
    ///
    /// - Throws: `.unexpected` for an app's own web view.
    private func request(with webviewParameters: MSALWebviewParameters) throws(AuthError) -> InteractiveRequest {
        let scopes = flow.scopes.filter { !ScopeSet.openID.values.contains($0) }
        var request = InteractiveRequest(token: TokenRequest(scopes: ScopeSet(scopes), correlationID: correlationId))
        request.token.claims = flow.claims.flatMap { JSONValue(parsing: Data($0.utf8)) }
        request.loginHint = flow.username
        if isSignUp { request.prompt = .create }
        request.window = try webviewParameters.window()
        request.onRedirect = webviewParameters.onRedirect
        return request
    }
}

extension MSALNativeAuthBrowserHandover.Flow {
    init(_ continuation: NativeAuth.Continuation) {
        self.init(username: continuation.username, scopes: continuation.scopes, claims: continuation.claims)
    }
}
