// Licensed under the MIT License. See LICENSE.

import MSALBase

/// A sign-in that waits for the user to register a strong authentication method.
public final class RegisterStrongAuthState: RegisterStrongAuthBaseState, @unchecked Sendable {
    let state: NativeAuth.StrongAuthRegistration

    init(_ state: NativeAuth.StrongAuthRegistration, application: MSALNativeAuthPublicClientApplication) {
        self.state = state
        super.init(application)
    }

    /// Has a code sent to the address that is to be verified.
    ///
    /// An empty address is refused without a request. If the service knows that the address is the user's, the
    /// sign-in ends here.
    public func challengeAuthMethod(
        parameters: MSALNativeAuthChallengeAuthMethodParameters,
        delegate: any RegisterStrongAuthChallengeDelegate
    ) {
        let (client, state) = (client, state)
        let (method, contact) = (parameters.authMethod.core, parameters.contact)
        challengeAuthMethod(delegate: delegate, same: self) { () throws(NativeAuthFailure) in
            try await client.challengeAuthMethod(method, contact: contact, in: state)
        }
    }
}

/// A registration that waits for the code that was sent to the address.
public final class RegisterStrongAuthVerificationRequiredState: RegisterStrongAuthBaseState, @unchecked Sendable {
    let state: NativeAuth.StrongAuthVerification

    init(_ state: NativeAuth.StrongAuthVerification, application: MSALNativeAuthPublicClientApplication) {
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
        challengeAuthMethod(delegate: delegate, same: nil) { () throws(NativeAuthFailure) in
            try await client.challengeAuthMethod(method, contact: contact, in: state)
        }
    }

    /// Submits the code and signs the user in. An empty code is refused without a request.
    ///
    /// - Parameters:
    ///   - challenge: The user's input.
    ///   - delegate: Learns how it ended.
    public func submitChallenge(challenge: String, delegate: any RegisterStrongAuthSubmitChallengeDelegate) {
        let (client, state) = (client, state)
        perform(for: delegate) { () throws(NativeAuthFailure) in
            try await client.submitChallenge(Secret(challenge), in: state)
        } report: { [self, application] delegate, outcome in
            let call = DelegateCall(application: application) { failure in
                delegate.onRegisterStrongAuthSubmitChallengeError(
                    error: RegisterStrongAuthSubmitChallengeError(failure),
                    newState: failure.remaining.object(same: self) {
                        RegisterStrongAuthVerificationRequiredState($0, application: application)
                    }
                )
            }
            switch outcome {
            case .success(let step):
                call.reportEnd(
                    step,
                    to: delegate,
                    repeatedRegistration: NativeAuthFailure.Text.registrationRepeated
                )
            case .failure(let failure): call.fail(failure)
            }
        }
    }
}

extension RegisterStrongAuthBaseState {
    /// Has a code sent to an address, for both states.
    fileprivate func challengeAuthMethod(
        delegate: any RegisterStrongAuthChallengeDelegate,
        same: RegisterStrongAuthState?,
        operation:
            @escaping @Sendable () async throws(NativeAuthFailure) ->
            NativeAuth.RegistrationStep
    ) {
        perform(for: delegate, operation: operation) { [application] delegate, outcome in
            let call = DelegateCall(application: application) { failure in
                delegate.onRegisterStrongAuthChallengeError(
                    error: RegisterStrongAuthChallengeError(failure),
                    newState: failure.remaining.object(same: same) {
                        RegisterStrongAuthState($0, application: application)
                    }
                )
            }
            switch outcome {
            case .success(.verificationRequired(let state, let delivery)):
                call("onRegisterStrongAuthVerificationRequired", correlationID: state.continuation.correlationID) {
                    delegate.onRegisterStrongAuthVerificationRequired(
                        result: MSALNativeAuthRegisterStrongAuthVerificationRequiredResult(
                            RegisterStrongAuthVerificationRequiredState(state, application: application),
                            delivery: delivery
                        )
                    )
                }
            case .success(.registered(let step)):
                call.reportEnd(
                    step,
                    to: delegate,
                    repeatedRegistration: NativeAuthFailure.Text.registrationRepeated
                )
            case .failure(let failure): call.fail(failure)
            }
        }
    }
}

extension DelegateCall {
    /// Reports that the user must register a strong authentication method.
    func registrationRequired(
        _ state: NativeAuth.StrongAuthRegistration,
        methods: [NativeAuth.AuthMethod],
        to delegate: any MSALNativeAuthStrongAuthRegistrationDelegate
    ) {
        self("onSignInStrongAuthMethodRegistration", correlationID: state.continuation.correlationID) {
            delegate.onSignInStrongAuthMethodRegistration(
                authMethods: methods.map(MSALAuthMethod.init),
                newState: RegisterStrongAuthState(state, application: application)
            )
        }
    }
}
