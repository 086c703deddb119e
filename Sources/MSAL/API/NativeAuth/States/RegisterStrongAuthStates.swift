// Licensed under the MIT License. See LICENSE.

/// A sign-in that waits for the user to register a strong authentication method.
public final class RegisterStrongAuthState: RegisterStrongAuthBaseState, @unchecked Sendable {
    private let state: NativeAuth.StrongAuthRegistration

    init(_ application: MSALNativeAuthPublicClientApplication, _ state: NativeAuth.StrongAuthRegistration) {
        self.state = state
        super.init(application)
    }

    /// Has a code sent to the address that is to be verified (spec native-auth 5.1).
    ///
    /// An empty address is refused without a request. If the service knows that the address is the user's, the
    /// sign-in ends here.
    public func challengeAuthMethod(
        parameters: MSALNativeAuthChallengeAuthMethodParameters,
        delegate: any RegisterStrongAuthChallengeDelegate
    ) {
        let (client, state) = (client, state)
        let (method, contact) = (parameters.authMethod.core, parameters.contact)
        challengeAuthMethod(delegate, same: self) { () throws(NativeAuth.RegistrationChallengeFailure) in
            try await client.challengeAuthMethod(method, contact: contact, state)
        }
    }
}

/// A registration that waits for the code that was sent to the address.
public final class RegisterStrongAuthVerificationRequiredState: RegisterStrongAuthBaseState, @unchecked Sendable {
    private let state: NativeAuth.StrongAuthVerification

    init(_ application: MSALNativeAuthPublicClientApplication, _ state: NativeAuth.StrongAuthVerification) {
        self.state = state
        super.init(application)
    }

    /// Has another code sent, or one to another address or with another method.
    ///
    /// An empty address is refused without a request.
    public func challengeAuthMethod(
        parameters: MSALNativeAuthChallengeAuthMethodParameters,
        delegate: any RegisterStrongAuthChallengeDelegate
    ) {
        let (client, state) = (client, state)
        let (method, contact) = (parameters.authMethod.core, parameters.contact)
        challengeAuthMethod(delegate, same: nil) { () throws(NativeAuth.RegistrationChallengeFailure) in
            try await client.challengeAuthMethod(method, contact: contact, state)
        }
    }

    /// Submits the code (spec native-auth 5.2) and signs the user in, with the default scopes: ask for the token of an
    /// API afterwards. An empty code is refused without a request.
    ///
    /// - Parameters:
    ///   - challenge: What the user typed.
    ///   - delegate: Learns how it ended.
    public func submitChallenge(challenge: String, delegate: any RegisterStrongAuthSubmitChallengeDelegate) {
        let (client, state) = (client, state)
        perform(for: delegate) { () throws(NativeAuth.RegistrationSubmitFailure) in
            try await client.submitChallenge(Secret(challenge), state)
        } report: { [self, application] delegate, outcome in
            let call = DelegateCall<NativeAuth.SubmitChallengeKind, NativeAuth.StrongAuthVerification> { failure in
                delegate.onRegisterStrongAuthSubmitChallengeError(
                    error: RegisterStrongAuthSubmitChallengeError(failure),
                    newState: failure.remaining.object(self) {
                        RegisterStrongAuthVerificationRequiredState(application, $0)
                    }
                )
            }
            switch outcome {
            case .success(let result): call.completed(result, application, to: delegate)
            case .failure(let failure): call.fail(failure)
            }
        }
    }
}

extension RegisterStrongAuthBaseState {
    /// What both states do when an address is challenged.
    fileprivate func challengeAuthMethod(
        _ delegate: any RegisterStrongAuthChallengeDelegate,
        same: RegisterStrongAuthState?,
        _ operation:
            @escaping @Sendable () async throws(NativeAuth.RegistrationChallengeFailure) ->
            NativeAuth.RegistrationStep
    ) {
        perform(for: delegate, operation) { [application] delegate, outcome in
            let call = DelegateCall<NativeAuth.RegistrationChallengeKind, NativeAuth.StrongAuthRegistration> {
                failure in
                delegate.onRegisterStrongAuthChallengeError(
                    error: RegisterStrongAuthChallengeError(failure),
                    newState: failure.remaining.object(same) { RegisterStrongAuthState(application, $0) }
                )
            }
            switch outcome {
            case .success(.verificationRequired(let state, let delivery)):
                call("onRegisterStrongAuthVerificationRequired", state.continuation.correlationID) {
                    delegate.onRegisterStrongAuthVerificationRequired(
                        result: MSALNativeAuthRegisterStrongAuthVerificationRequiredResult(
                            RegisterStrongAuthVerificationRequiredState(application, state),
                            delivery
                        )
                    )
                }
            case .success(.completed(let result)): call.completed(result, application, to: delegate)
            case .failure(let failure): call.fail(failure)
            }
        }
    }
}
