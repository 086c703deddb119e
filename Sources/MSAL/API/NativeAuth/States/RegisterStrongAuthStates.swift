// Licensed under the MIT License. See LICENSE.

import MSALBase

/// A sign-in that waits for the user to register a strong authentication method.
public final class RegisterStrongAuthState: RegisterStrongAuthBaseState, DelegateState, @unchecked Sendable {
    typealias State = NativeAuth.StrongAuthRegistration

    /// Requests a code for the address to verify.
    ///
    /// An empty address is rejected without a request. If the service knows that the address is the user's, this
    /// completes the sign-in.
    public func challengeAuthMethod(
        parameters: MSALNativeAuthChallengeAuthMethodParameters,
        delegate: any RegisterStrongAuthChallengeDelegate
    ) { challengeAuthMethod(parameters, in: state, same: self, delegate: delegate) }
}

/// A registration that waits for the code that was sent to the address.
public final class RegisterStrongAuthVerificationRequiredState: RegisterStrongAuthBaseState, DelegateState,
    @unchecked Sendable
{
    typealias State = NativeAuth.StrongAuthVerification

    /// Requests another code, also for another address or with another method.
    ///
    /// An empty address is rejected without a request.
    public func challengeAuthMethod(
        parameters: MSALNativeAuthChallengeAuthMethodParameters,
        delegate: any RegisterStrongAuthChallengeDelegate
    ) { challengeAuthMethod(parameters, in: state, same: nil, delegate: delegate) }

    /// Submits the code and signs the user in. An empty code is rejected without a request.
    ///
    /// - Parameters:
    ///   - challenge: The user's input.
    ///   - delegate: Receives the outcome.
    public func submitChallenge(challenge: String, delegate: any RegisterStrongAuthSubmitChallengeDelegate) {
        perform(for: delegate) { client, state throws(NativeAuthFailure) in
            try await client.submitChallenge(Secret(challenge), in: state)
        } failed: {
            $0.onRegisterStrongAuthSubmitChallengeError
        } succeeded: { call, delegate, step in
            call.reportEnd(step, to: delegate, repeatedRegistration: NativeAuthFailure.Text.registrationRepeated)
        }
    }
}

extension RegisterStrongAuthBaseState {
    /// Requests a code for an address. Shared by both states.
    fileprivate func challengeAuthMethod(
        _ parameters: MSALNativeAuthChallengeAuthMethodParameters,
        in state: some NativeAuth.RegistrationState,
        same: RegisterStrongAuthState?,
        delegate: any RegisterStrongAuthChallengeDelegate
    ) {
        let (method, contact) = (parameters.authMethod.core, parameters.contact)
        application.perform(for: delegate) { client throws(NativeAuthFailure) in
            try await client.challengeAuthMethod(method, contact: contact, in: state)
        } failed: { [application] delegate, failure in
            delegate.onRegisterStrongAuthChallengeError(
                error: RegisterStrongAuthChallengeError(failure),
                newState: failure.remaining.object(same: same) {
                    RegisterStrongAuthState($0, application: application)
                }
            )
        } succeeded: { call, delegate, step in
            switch step {
            case .verificationRequired(let state, let delivery):
                call.next(state, named: "onRegisterStrongAuthVerificationRequired") { newState in
                    delegate.onRegisterStrongAuthVerificationRequired(
                        result: MSALNativeAuthRegisterStrongAuthVerificationRequiredResult(newState, delivery: delivery)
                    )
                }
            case .registered(let step):
                call.reportEnd(step, to: delegate, repeatedRegistration: NativeAuthFailure.Text.registrationRepeated)
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
        next(state, named: "onSignInStrongAuthMethodRegistration") { newState in
            let methods = methods.map(MSALAuthMethod.init)
            delegate.onSignInStrongAuthMethodRegistration(authMethods: methods, newState: newState)
        }
    }
}

/// The code that registers a method was sent.
public final class MSALNativeAuthRegisterStrongAuthVerificationRequiredResult: NSObject, Sendable {
    /// The state to submit the code to.
    public let newState: RegisterStrongAuthVerificationRequiredState

    /// The address or number to which the code was sent.
    public let sentTo: String

    /// The channel of the code.
    public let channelTargetType: MSALNativeAuthChannelType

    /// The number of characters in the code, as announced by the service.
    public let codeLength: Int

    init(_ newState: RegisterStrongAuthVerificationRequiredState, delivery: NativeAuth.CodeDelivery) {
        self.newState = newState
        sentTo = delivery.sentTo
        channelTargetType = MSALNativeAuthChannelType(value: delivery.channel)
        codeLength = delivery.codeLength
    }
}
