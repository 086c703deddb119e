// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

extension MSALNativeAuthUserAccountResult {
    /// Removes the account and this client's tokens for it from this machine, without a request.
    ///
    /// An access token that the app already has remains valid until it expires. If the store cannot be written, the
    /// account is kept, which is logged: `getNativeAuthUserAccount()` still returns it.
    public func signOut() {
        Log.lines(of: Log.correlationID ?? .random()) { application.native.signOut(account.snapshot.reference) }
    }

    /// Gets an access token from the store. If there is none, the library redeems the account's refresh token.
    ///
    /// An app that uses several APIs makes one call for each of them.
    ///
    /// - Parameters:
    ///   - parameters: The scopes, and whether a stored token can be used.
    ///   - delegate: Receives the token or the error, on the main actor. The call retains it and this object until
    ///     then.
    public func getAccessToken(parameters: MSALNativeAuthGetAccessTokenParameters, delegate: any CredentialsDelegate) {
        let request = NativeAuth.AccessTokenRequest(parameters, account: account.snapshot.reference)
        application.perform(for: delegate) { [self] _ throws(NativeAuthFailure) in
            try await token(request)
        } failed: { delegate, failure in
            delegate.onAccessTokenRetrieveError(error: RetrieveAccessTokenError(failure))
        } succeeded: { call, delegate, result in
            call("onAccessTokenRetrieveCompleted", correlationID: request.correlationID) {
                delegate.onAccessTokenRetrieveCompleted(result: result)
            }
        }
    }

    /// Gets an access token; see ``getAccessToken(parameters:delegate:)``.
    ///
    /// - Returns: The token. Its scopes include the requested ones.
    /// - Throws: ``MSALNativeAuthStepError``, for `signInRequired`: sign in again; for `serviceUnavailable`: try again
    ///   later; for `canceled`: do nothing; otherwise show its description.
    public func getAccessToken(
        parameters: MSALNativeAuthGetAccessTokenParameters
    ) async throws(MSALNativeAuthStepError) -> MSALNativeAuthTokenResult {
        let request = NativeAuth.AccessTokenRequest(parameters, account: account.snapshot.reference)
        do {
            return try await token(request)
        } catch {
            throw MSALNativeAuthStepError(error)
        }
    }

    /// Gets an access token for the scopes of one API, from the store if possible. Results and errors are those of
    /// ``getAccessToken(parameters:)``.
    public func getAccessToken(scopes: [String]) async throws(MSALNativeAuthStepError) -> MSALNativeAuthTokenResult {
        let parameters = MSALNativeAuthGetAccessTokenParameters()
        parameters.scopes = scopes
        return try await getAccessToken(parameters: parameters)
    }

    /// Gets any access token of the account, with the signature of MSAL 1.
    @available(*, deprecated, message: "Use getAccessToken(parameters:delegate:).")
    public func getAccessToken(
        forceRefresh: Bool = false,
        correlationId: UUID? = nil,
        delegate: any CredentialsDelegate
    ) {
        let parameters = MSALNativeAuthGetAccessTokenParameters()
        parameters.forceRefresh = forceRefresh
        parameters.correlationId = correlationId
        getAccessToken(parameters: parameters, delegate: delegate)
    }

    /// Gets an access token, with the signature of MSAL 1.4.
    @available(*, deprecated, message: "Use getAccessToken(parameters:delegate:).")
    public func getAccessToken(
        scopes: [String],
        forceRefresh: Bool = false,
        correlationId: UUID? = nil,
        delegate: any CredentialsDelegate
    ) {
        let parameters = MSALNativeAuthGetAccessTokenParameters()
        parameters.scopes = scopes
        parameters.forceRefresh = forceRefresh
        parameters.correlationId = correlationId
        getAccessToken(parameters: parameters, delegate: delegate)
    }

    private func token(
        _ request: NativeAuth.AccessTokenRequest
    ) async throws(NativeAuthFailure) -> MSALNativeAuthTokenResult {
        let token = try await Log.lines(of: request.correlationID) { () async throws(NativeAuthFailure) in
            try await application.native.accessToken(request)
        }
        let result = token.result
        update(result)
        return MSALNativeAuthTokenResult(
            accessToken: result.accessToken,
            refreshToken: token.refreshToken,
            scopes: result.scopes.values,
            expiresOn: result.expiresOn
        )
    }
}

/// Receives the outcome of `getAccessToken`.
public protocol CredentialsDelegate: AnyObject {
    /// Called when the library cannot get a token. Sign in again; if that does not help, show the error's description.
    @MainActor func onAccessTokenRetrieveError(error: RetrieveAccessTokenError)

    /// Optional. Called with the token.
    @MainActor func onAccessTokenRetrieveCompleted(result: MSALNativeAuthTokenResult)
}

extension CredentialsDelegate {
    /// The default for delegates that do not implement the member: the error member is called instead.
    @MainActor public func onAccessTokenRetrieveCompleted(result: MSALNativeAuthTokenResult) {
        OptionalMember.markMissing()
    }
}
