// Licensed under the MIT License. See LICENSE.

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
