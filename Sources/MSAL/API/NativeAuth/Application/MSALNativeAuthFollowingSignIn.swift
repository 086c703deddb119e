// Licensed under the MIT License. See LICENSE.

/// A finished sign-up or reset, whose user can be signed in without further input. Linux only.
public struct MSALNativeAuthFollowingSignIn: Sendable, RedactedReflection {
    private let finished: NativeAuth.FinishedFlow
    private let application: MSALNativeAuthPublicClientApplication

    init(_ finished: NativeAuth.FinishedFlow, application: MSALNativeAuthPublicClientApplication) {
        self.finished = finished
        self.application = application
    }

    /// Signs the user in.
    ///
    /// - Parameters:
    ///   - scopes: The scopes of the first access token; `openid`, `profile` and `offline_access` are added.
    ///   - claimsRequest: Claims that the tokens must contain.
    /// - Returns: Usually `completed`; `mfaRequired` if the user has a second factor.
    /// - Throws: ``MSALNativeAuthStepError``: let the user sign in as usual. Also thrown if the service sent no token
    ///   for this sign-in.
    public func signIn(
        scopes: [String] = [],
        claimsRequest: MSALClaimsRequest? = nil
    ) async throws(MSALNativeAuthStepError) -> MSALNativeAuthSignInStep {
        let request = NativeAuth.SignInAfterFlowRequest(scopes: scopes, claims: claimsRequest)
        let flow = MSALNativeAuthBrowserHandover.Flow(
            username: finished.username,
            scopes: request.scopes,
            claims: request.claims
        )
        return try await application.nextStep(of: flow) { client throws(NativeAuthFailure) in
            MSALNativeAuthSignInStep(try await client.signIn(request, after: finished), application: application)
        }
    }
}
