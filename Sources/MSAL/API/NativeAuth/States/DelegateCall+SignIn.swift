// Licensed under the MIT License. See LICENSE.

// The outcomes that several operations share.
extension DelegateCall {
    /// A first factor was accepted.
    func report(
        _ step: NativeAuth.CredentialStep,
        _ application: MSALNativeAuthPublicClientApplication,
        to delegate: any MSALNativeAuthAwaitingMFADelegate & MSALNativeAuthStrongAuthRegistrationDelegate
            & MSALNativeAuthSignInCompletedDelegate
    ) {
        switch step {
        case .awaitingMFA(let state, let methods):
            awaitingMFA(state, methods, application, to: delegate)
        case .registrationRequired(let state, let methods):
            registrationRequired(state, methods, application, to: delegate)
        case .completed(let result):
            completed(result, application, to: delegate)
        }
    }

    /// The sign-in after another flow went on.
    func report(
        _ step: NativeAuth.FinishedFlowStep,
        _ application: MSALNativeAuthPublicClientApplication,
        to delegate: any MSALNativeAuthStrongAuthRegistrationDelegate & MSALNativeAuthSignInCompletedDelegate
    ) {
        switch step {
        case .registrationRequired(let state, let methods):
            registrationRequired(state, methods, application, to: delegate)
        case .completed(let result):
            completed(result, application, to: delegate)
        }
    }

    func awaitingMFA(
        _ state: NativeAuth.AwaitingMFA,
        _ methods: [NativeAuth.AuthMethod],
        _ application: MSALNativeAuthPublicClientApplication,
        to delegate: any MSALNativeAuthAwaitingMFADelegate
    ) {
        let methods = methods.map(MSALAuthMethod.init)
        let newState = AwaitingMFAState(application, state, methods)
        let hasMember = OptionalMember.isPresent {
            delegate.onSignInAwaitingMFA(authMethods: methods, newState: newState)
        }
        guard !hasMember else { return }
        // An app of MSAL 1.6 to 2.4 has the form without the methods.
        self("onSignInAwaitingMFA", state.continuation.correlationID) {
            delegate.onSignInAwaitingMFA(newState: newState)
        }
    }

    func registrationRequired(
        _ state: NativeAuth.StrongAuthRegistration,
        _ methods: [NativeAuth.AuthMethod],
        _ application: MSALNativeAuthPublicClientApplication,
        to delegate: any MSALNativeAuthStrongAuthRegistrationDelegate
    ) {
        self("onSignInStrongAuthMethodRegistration", state.continuation.correlationID) {
            delegate.onSignInStrongAuthMethodRegistration(
                authMethods: methods.map(MSALAuthMethod.init),
                newState: RegisterStrongAuthState(application, state)
            )
        }
    }

    func completed(
        _ result: TokenResult,
        _ application: MSALNativeAuthPublicClientApplication,
        to delegate: any MSALNativeAuthSignInCompletedDelegate
    ) {
        self("onSignInCompleted", result.correlationID) {
            delegate.onSignInCompleted(
                result: MSALNativeAuthUserAccountResult(NativeAuth.UserAccount(result), application)
            )
        }
    }
}

extension MSALAuthMethod {
    /// A method as the service offers it.
    convenience init(_ method: NativeAuth.AuthMethod) {
        self.init(
            id: method.id,
            challengeType: method.challengeType,
            channelTargetType: MSALNativeAuthChannelType(value: method.channel),
            loginHint: method.loginHint
        )
    }

    /// The method as the flow takes it back.
    var core: NativeAuth.AuthMethod {
        NativeAuth.AuthMethod(
            id: id,
            challengeType: challengeType,
            channel: channelTargetType.value,
            loginHint: loginHint
        )
    }
}
