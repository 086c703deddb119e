// Licensed under the MIT License. See LICENSE.

import MSALBase

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

    /// A sign-in that waits for the one-time code that was sent.
    public struct CodeRequired: Sendable, RedactedReflection {
        /// The destination of the code.
        public let delivery: MSALNativeAuthCodeDelivery

        let state: NativeAuth.SignInCode
        let application: MSALNativeAuthPublicClientApplication

        /// Submits the code.
        ///
        /// - Parameter code: The user's input; an empty one is rejected without a request.
        /// - Returns: The next step, or the user.
        /// - Throws: ``MSALNativeAuthStepError``, for `invalidCode`: ask again, or request another code.
        public func submit(code: String) async throws(MSALNativeAuthStepError) -> MSALNativeAuthSignInStep {
            try await application.nextStep(of: state.continuation) { client throws(NativeAuthFailure) in
                MSALNativeAuthSignInStep(try await client.submitCode(Secret(code), in: state), application: application)
            }
        }

        /// Requests another code. The previous one becomes invalid.
        ///
        /// - Returns: Usually `codeRequired`, with the new delivery.
        /// - Throws: ``MSALNativeAuthStepError``; with `canRetry` the previous code can still be submitted.
        public func resendCode() async throws(MSALNativeAuthStepError) -> MSALNativeAuthSignInStep {
            try await application.nextStep(of: state.continuation) { client throws(NativeAuthFailure) in
                let sent = try await client.resendCode(in: state)
                return .codeRequired(
                    CodeRequired(delivery: .init(sent.delivery), state: sent.state, application: application)
                )
            }
        }
    }

    /// A sign-in that waits for the password.
    public struct PasswordRequired: Sendable, RedactedReflection {
        let state: NativeAuth.SignInPassword
        let application: MSALNativeAuthPublicClientApplication

        /// Submits the password.
        ///
        /// - Parameter password: The user's input, sent unchanged; an empty one is rejected without a request.
        /// - Returns: The next step, or the user.
        /// - Throws: ``MSALNativeAuthStepError``, for `invalidPassword`: ask again.
        public func submit(password: String) async throws(MSALNativeAuthStepError) -> MSALNativeAuthSignInStep {
            try await application.nextStep(of: state.continuation) { client throws(NativeAuthFailure) in
                MSALNativeAuthSignInStep(
                    try await client.submitPassword(Secret(password), in: state),
                    application: application
                )
            }
        }
    }

    /// A sign-in that waits for the user to choose a second factor.
    public struct MFARequired: Sendable, RedactedReflection {
        /// The methods to choose from, in the service's order.
        public let authMethods: [MSALAuthMethod]

        let state: NativeAuth.AwaitingMFA
        let application: MSALNativeAuthPublicClientApplication

        /// Requests the code of a method.
        ///
        /// - Returns: Usually `mfaCodeRequired`.
        /// - Throws: ``MSALNativeAuthStepError``, for `authMethodBlocked`: let the user choose another.
        public func requestChallenge(
            authMethod: MSALAuthMethod
        ) async throws(MSALNativeAuthStepError) -> MSALNativeAuthSignInStep {
            try await application.requestChallenge(authMethod, of: authMethods, in: state)
        }
    }

    /// A sign-in that waits for the code of a second factor.
    public struct MFACodeRequired: Sendable, RedactedReflection {
        /// The destination of the code.
        public let delivery: MSALNativeAuthCodeDelivery

        /// The methods to choose from, if the code does not arrive.
        public let authMethods: [MSALAuthMethod]

        let state: NativeAuth.MFAChallenge
        let application: MSALNativeAuthPublicClientApplication

        /// Submits the code.
        ///
        /// - Parameter challenge: The user's input; an empty one is rejected without a request.
        /// - Returns: Usually `completed`.
        /// - Throws: ``MSALNativeAuthStepError``, for `invalidCode`: ask again, or request another code.
        public func submit(challenge: String) async throws(MSALNativeAuthStepError) -> MSALNativeAuthSignInStep {
            try await application.nextStep(of: state.continuation) { client throws(NativeAuthFailure) in
                MSALNativeAuthSignInStep(
                    try await client.submitChallenge(Secret(challenge), in: state),
                    application: application
                )
            }
        }

        /// Requests another code, or the code of another method.
        ///
        /// - Returns: Usually `mfaCodeRequired`.
        /// - Throws: The same errors as ``MFARequired/requestChallenge(authMethod:)``.
        public func requestChallenge(
            authMethod: MSALAuthMethod
        ) async throws(MSALNativeAuthStepError) -> MSALNativeAuthSignInStep {
            try await application.requestChallenge(authMethod, of: authMethods, in: state)
        }
    }

    /// A sign-in that waits for the user to register a strong authentication method.
    public struct RegistrationRequired: Sendable, RedactedReflection {
        /// The methods to choose from, in the service's order.
        public let authMethods: [MSALAuthMethod]

        let state: NativeAuth.StrongAuthRegistration
        let application: MSALNativeAuthPublicClientApplication

        /// Requests a code for the address to verify.
        ///
        /// - Parameters:
        ///   - authMethod: One of the methods.
        ///   - verificationContact: The address or number; an empty one is rejected without a request.
        /// - Returns: Usually `registrationCodeRequired`; `completed` if the service knows that the address is the
        ///   user's.
        /// - Throws: ``MSALNativeAuthStepError``, for `invalidInput` and `verificationContactBlocked`: ask for another
        ///   address.
        public func challengeAuthMethod(
            _ authMethod: MSALAuthMethod,
            verificationContact: String
        ) async throws(MSALNativeAuthStepError) -> MSALNativeAuthSignInStep {
            try await application.challengeAuthMethod(
                authMethod,
                of: authMethods,
                contact: verificationContact,
                in: state
            )
        }
    }

    /// A registration that waits for the code that was sent to the address.
    public struct RegistrationCodeRequired: Sendable, RedactedReflection {
        /// The destination of the code.
        public let delivery: MSALNativeAuthCodeDelivery

        /// The methods to choose from, if the code does not arrive.
        public let authMethods: [MSALAuthMethod]

        let state: NativeAuth.StrongAuthVerification
        let application: MSALNativeAuthPublicClientApplication

        /// Submits the code and signs the user in.
        ///
        /// - Parameter challenge: The user's input; an empty one is rejected without a request.
        /// - Returns: Usually `completed`.
        /// - Throws: ``MSALNativeAuthStepError``, for `invalidCode`: ask again, or request another code.
        public func submit(challenge: String) async throws(MSALNativeAuthStepError) -> MSALNativeAuthSignInStep {
            try await application.nextStep(of: state.continuation) { client throws(NativeAuthFailure) in
                MSALNativeAuthSignInStep(
                    try await client.submitChallenge(Secret(challenge), in: state),
                    application: application
                )
            }
        }

        /// Requests another code, also for another address or with another method.
        ///
        /// - Parameters:
        ///   - authMethod: One of the methods.
        ///   - verificationContact: The address or number; an empty one is rejected without a request.
        /// - Returns: Usually `registrationCodeRequired`.
        /// - Throws: The same errors as ``RegistrationRequired/challengeAuthMethod(_:verificationContact:)``.
        public func challengeAuthMethod(
            _ authMethod: MSALAuthMethod,
            verificationContact: String
        ) async throws(MSALNativeAuthStepError) -> MSALNativeAuthSignInStep {
            try await application.challengeAuthMethod(
                authMethod,
                of: authMethods,
                contact: verificationContact,
                in: state
            )
        }
    }
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

    /// Requests the code of one of the methods. Shared by both steps.
    fileprivate func requestChallenge(
        _ authMethod: MSALAuthMethod,
        of authMethods: [MSALAuthMethod],
        in state: some NativeAuth.MFAState
    ) async throws(MSALNativeAuthStepError) -> MSALNativeAuthSignInStep {
        try await nextStep(of: state.continuation) { client throws(NativeAuthFailure) in
            let sent = try await client.requestChallenge(authMethod.core, in: state)
            let delivery = MSALNativeAuthCodeDelivery(sent.delivery)
            return .mfaCodeRequired(
                .init(delivery: delivery, authMethods: authMethods, state: sent.state, application: self)
            )
        }
    }

    /// Registers a contact with one of the methods. Shared by both steps.
    fileprivate func challengeAuthMethod(
        _ authMethod: MSALAuthMethod,
        of authMethods: [MSALAuthMethod],
        contact: String,
        in state: some NativeAuth.RegistrationState
    ) async throws(MSALNativeAuthStepError) -> MSALNativeAuthSignInStep {
        try await nextStep(of: state.continuation) { client throws(NativeAuthFailure) in
            switch try await client.challengeAuthMethod(authMethod.core, contact: contact, in: state) {
            case .verificationRequired(let state, let delivery):
                .registrationCodeRequired(
                    .init(delivery: .init(delivery), authMethods: authMethods, state: state, application: self)
                )
            case .registered(let step):
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
