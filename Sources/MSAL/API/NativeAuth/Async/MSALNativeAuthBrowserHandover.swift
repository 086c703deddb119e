// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

/// The way on in the browser, where the service cannot go on with the app's forms. Linux only.
///
/// The user may have signed up with a social account, or needs a step that the app did not announce. The browser opens
/// only when the app calls ``signIn(with:)``; an app without a browser shows ``reason`` instead.
public struct MSALNativeAuthBrowserHandover: Sendable, ClosedMirror {
    /// The cause, in the service's words or the library's; for logs.
    public let reason: String

    /// The id by which the service's logs know the flow that ends here.
    public let correlationId: UUID

    private let application: MSALNativeAuthPublicClientApplication
    private let flow: Flow
    private let isSignUp: Bool

    /// The values that the browser goes on with.
    struct Flow: Sendable {
        var username: String
        var scopes: [String] = []
        var claims: String?
    }

    init(
        _ failure: NativeAuthFailure,
        flow: Flow,
        isSignUp: Bool,
        application: MSALNativeAuthPublicClientApplication
    ) {
        reason = failure.errorDescription
        correlationId = failure.correlationID
        self.flow = flow
        self.isSignUp = isSignUp
        self.application = application
    }

    /// Signs the user in through the browser, with the user name filled in and for the same scopes and claims.
    ///
    /// A sign-up starts on the page that makes an account. The way back is the configuration's redirect URI: set it to
    /// `http://localhost` for a port that is chosen at run time, and register it.
    ///
    /// - Parameter webviewParameters: How the browser is opened; the default is the system's.
    /// - Returns: The user, as after a native sign-in.
    /// - Throws: `NSError`, as `acquireToken(with:)`: ``MSALError/userCanceled`` if the user closed the browser;
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

    /// The request as the core reads it.
    ///
    /// - Throws: `.unexpected` for a web view of the app's own.
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
