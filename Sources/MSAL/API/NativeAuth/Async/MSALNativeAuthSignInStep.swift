// Licensed under the MIT License. See LICENSE.

/// The next step of a sign-in. Each case has a state with the calls that continue from there. Linux only.
///
/// ```swift
/// var step = try await application.signIn(parameters: parameters)
/// while true {
///     switch step {
///     case .completed(let user): return user
///     case .codeRequired(let code): step = try await code.submit(code: ask(code.delivery.sentTo))
///     …
///     }
/// }
/// ```
///
/// States are values: one whose call failed with `canRetry` can be used again. Using one twice sends two independent
/// requests.
public enum MSALNativeAuthSignInStep: Sendable {
    /// A one-time code was sent; the password, if any, is not used.
    case codeRequired(CodeRequired)
    /// The service requires the password.
    case passwordRequired(PasswordRequired)
    /// The service requires a second factor: let the user choose a method.
    case mfaRequired(MFARequired)
    /// The code of the second factor was sent.
    case mfaCodeRequired(MFACodeRequired)
    /// The user must register a strong authentication method: let the user choose one and enter an address.
    case registrationRequired(RegistrationRequired)
    /// The code that verifies the address was sent.
    case registrationCodeRequired(RegistrationCodeRequired)
    /// The user must continue in the browser.
    case browserRequired(MSALNativeAuthBrowserHandover)
    /// The user is signed in, and the tokens are stored.
    case completed(MSALNativeAuthUserAccountResult)
}

extension MSALNativeAuthPublicClientApplication {
    /// Starts a sign-in.
    ///
    /// - Returns: The next step, or the user.
    /// - Throws: ``MSALNativeAuthStepError``, for `userNotFound`: offer a sign-up; for `invalidCredentials` and
    ///   `invalidUsername`: ask again and start again.
    public func signIn(
        parameters: MSALNativeAuthSignInParameters
    ) async throws(MSALNativeAuthStepError) -> MSALNativeAuthSignInStep {
        let request = NativeAuth.SignInRequest(parameters)
        let flow = MSALNativeAuthBrowserHandover.Flow(
            username: request.username,
            scopes: request.scopes,
            claims: request.claims
        )
        return try await nextStep(of: flow) { client throws(NativeAuthFailure) in
            switch try await client.signIn(request) {
            case .codeRequired(let state, let delivery):
                .codeRequired(.init(delivery: .init(delivery), state: state, application: self))
            case .passwordRequired(let state):
                .passwordRequired(.init(state: state, application: self))
            case .accepted(let step):
                MSALNativeAuthSignInStep(step, application: self)
            }
        }
    }
}

extension MSALNativeAuthSignInStep: FlowStep {
    static var isSignUp: Bool { false }

    /// A factor was accepted, or another flow finished.
    init(_ step: NativeAuth.CredentialStep, application: MSALNativeAuthPublicClientApplication) {
        switch step {
        case .awaitingMFA(let state, let methods):
            let methods = methods.map(MSALAuthMethod.init)
            self = .mfaRequired(.init(authMethods: methods, state: state, application: application))
        case .registrationRequired(let state, let methods):
            let methods = methods.map(MSALAuthMethod.init)
            self = .registrationRequired(.init(authMethods: methods, state: state, application: application))
        case .completed(let result):
            self = .completed(MSALNativeAuthUserAccountResult(result, application: application))
        }
    }
}
