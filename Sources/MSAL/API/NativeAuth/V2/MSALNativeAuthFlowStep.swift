// Licensed under the MIT License. See LICENSE.

import MSALBase

/// The next step of a V2 flow: a sign-in, a sign-up, or a password reset. Each case has a state with the calls that
/// continue from there. Linux only.
///
/// ```swift
/// var step = try await application.signInV2(parameters: parameters)
/// while true {
///     switch step {
///     case .completed(let user): return user
///     case .codeRequired(let code): step = try await code.submit(code: ask(code.delivery.sentTo))
///     …
///     }
/// }
/// ```
///
/// States are values: after an error, the same one can be used again. Using one twice sends two independent requests.
///
/// V2 is a preview at Microsoft: a minor version may add a case, and the changelog names it.
public enum MSALNativeAuthFlowStep: Sendable {
    /// A one-time code was sent.
    case codeRequired(CodeRequired)
    /// The service requires the password: the user's own, or one for a new account.
    case passwordRequired(PasswordRequired)
    /// The user was verified: ask for the new password.
    case newPasswordRequired(NewPasswordRequired)
    /// The service requires attributes of a new user.
    case attributesRequired(AttributesRequired)
    /// The user must choose a method for the first or second factor.
    case authMethodSelectionRequired(AuthMethodSelectionRequired)
    /// The code of the second factor was sent.
    case mfaCodeRequired(MFACodeRequired)
    /// The user must register a strong authentication method: let the user choose one and enter an address.
    case registrationRequired(RegistrationRequired)
    /// The code that verifies the address was sent.
    case registrationCodeRequired(RegistrationCodeRequired)
    /// The account has been created; its user can be signed in without further input.
    case signInAfterSignUp(FollowingSignIn)
    /// The new password is in effect; its user can be signed in without further input.
    case signInAfterResetPassword(FollowingSignIn)
    /// The user must continue in the browser.
    case browserRequired(MSALNativeAuthBrowserHandover)
    /// The user is signed in, and the tokens are stored.
    case completed(MSALNativeAuthUserAccountResult)
}

extension MSALNativeAuthFlowStep {
    init(_ step: NativeAuth.FlowStep, application: MSALNativeAuthPublicClientApplication) {
        switch step {
        case .codeRequired(let state):
            self = .codeRequired(CodeRequired(state, application: application))
        case .passwordRequired(let state):
            self = .passwordRequired(PasswordRequired(point: FlowPoint(state: state, application: application)))
        case .newPasswordRequired(let state):
            self = .newPasswordRequired(NewPasswordRequired(point: FlowPoint(state: state, application: application)))
        case .attributesRequired(let state):
            self = .attributesRequired(AttributesRequired(state, application: application))
        case .methodSelectionRequired(let state):
            self = .authMethodSelectionRequired(AuthMethodSelectionRequired(state, application: application))
        case .secondFactorCodeRequired(let state):
            self = .mfaCodeRequired(MFACodeRequired(state, application: application))
        case .registrationRequired(let state):
            self = .registrationRequired(RegistrationRequired(state, application: application))
        case .registrationCodeRequired(let state):
            self = .registrationCodeRequired(RegistrationCodeRequired(state, application: application))
        case .finished(let state):
            let following = FollowingSignIn(point: FlowPoint(state: state, application: application))
            self =
                state.flow.scenario == .passwordReset
                ? .signInAfterResetPassword(following) : .signInAfterSignUp(following)
        case .completed(let result):
            self = .completed(MSALNativeAuthUserAccountResult(result, application: application))
        }
    }

    /// A flow that waits for the choice of a method for the first or second factor.
    public struct AuthMethodSelectionRequired: Sendable, RedactedReflection {
        private let choice: MethodChoice
        private let point: FlowPoint<NativeAuth.FlowMethods>

        init(_ state: NativeAuth.FlowMethods, application: MSALNativeAuthPublicClientApplication) {
            choice = MethodChoice(state)
            point = FlowPoint(state: state, application: application)
        }

        /// The flow that this belongs to.
        public var scenario: MSALNativeAuthFlowScenario { point.scenario }

        /// The methods to choose from, in the service's order.
        public var authMethods: [MSALAuthMethod] { choice.methods }

        /// Whether this is a second factor, which is offered even if there is only one.
        public var isSecondFactor: Bool { point.state.isSecondFactor }

        /// Chooses a method.
        ///
        /// - Parameter authMethod: One of ``authMethods``.
        /// - Returns: The next step.
        /// - Throws: ``MSALNativeAuthStepError``, for `authMethodBlocked`: let the user choose another; for
        ///   `invalidInput`: the method is not in this list.
        public func select(
            _ authMethod: MSALAuthMethod
        ) async throws(MSALNativeAuthStepError) -> MSALNativeAuthFlowStep {
            try await point.next { client, _ throws(NativeAuthFailure) in
                try await choice.select(authMethod, client: client)
            }
        }
    }

    /// A flow that waits for the user to register a strong authentication method.
    public struct RegistrationRequired: Sendable, RedactedReflection {
        private let choice: MethodChoice
        private let point: FlowPoint<NativeAuth.FlowMethods>

        init(_ state: NativeAuth.FlowMethods, application: MSALNativeAuthPublicClientApplication) {
            choice = MethodChoice(state)
            point = FlowPoint(state: state, application: application)
        }

        /// The flow that this belongs to.
        public var scenario: MSALNativeAuthFlowScenario { point.scenario }

        /// The methods to choose from, in the service's order.
        public var authMethods: [MSALAuthMethod] { choice.methods }

        /// Registers a method.
        ///
        /// - Parameters:
        ///   - authMethod: One of ``authMethods``.
        ///   - verificationContact: The address or number; a blank one is rejected without a request. `nil` uses the
        ///     one that the service already knows.
        /// - Returns: Usually `registrationCodeRequired`.
        /// - Throws: ``MSALNativeAuthStepError``, for `invalidInput` and `verificationContactBlocked`: ask for another
        ///   address.
        public func select(
            _ authMethod: MSALAuthMethod,
            verificationContact: String? = nil
        ) async throws(MSALNativeAuthStepError) -> MSALNativeAuthFlowStep {
            try await point.next { client, _ throws(NativeAuthFailure) in
                try await choice.select(authMethod, contact: verificationContact, client: client)
            }
        }
    }

    /// A flow that waits for the one-time code of a first factor.
    public struct CodeRequired: Sendable, RedactedReflection {
        /// The destination of the code.
        public let delivery: MSALNativeAuthCodeDelivery

        private let point: FlowPoint<NativeAuth.FlowCode>

        init(_ state: NativeAuth.FlowCode, application: MSALNativeAuthPublicClientApplication) {
            delivery = MSALNativeAuthCodeDelivery(state.delivery)
            point = FlowPoint(state: state, application: application)
        }

        /// The flow that this belongs to.
        public var scenario: MSALNativeAuthFlowScenario { point.scenario }

        /// Submits the code.
        ///
        /// - Parameter code: The user's input; a blank one is rejected without a request.
        /// - Returns: The next step.
        /// - Throws: ``MSALNativeAuthStepError``, for `invalidCode`: ask again, or request another code.
        public func submit(code: String) async throws(MSALNativeAuthStepError) -> MSALNativeAuthFlowStep {
            try await point.next { client, state throws(NativeAuthFailure) in
                try await client.submitCode(Secret(code), in: state)
            }
        }

        /// Requests another code. The previous one becomes invalid.
        ///
        /// - Returns: Usually `codeRequired`, with the new delivery.
        /// - Throws: ``MSALNativeAuthStepError``, also if the service offers no other code.
        public func resendCode() async throws(MSALNativeAuthStepError) -> MSALNativeAuthFlowStep {
            try await point.next { client, state throws(NativeAuthFailure) in try await client.resendCode(in: state) }
        }
    }

    /// A flow that waits for the code of a second factor.
    public struct MFACodeRequired: Sendable, RedactedReflection {
        /// The destination of the code.
        public let delivery: MSALNativeAuthCodeDelivery

        private let point: FlowPoint<NativeAuth.FlowCode>

        init(_ state: NativeAuth.FlowCode, application: MSALNativeAuthPublicClientApplication) {
            delivery = MSALNativeAuthCodeDelivery(state.delivery)
            point = FlowPoint(state: state, application: application)
        }

        /// The flow that this belongs to.
        public var scenario: MSALNativeAuthFlowScenario { point.scenario }

        /// Submits the code.
        ///
        /// - Parameter challenge: The user's input; a blank one is rejected without a request.
        /// - Returns: The next step.
        /// - Throws: ``MSALNativeAuthStepError``, for `invalidCode`: ask again, or request another code.
        public func submit(challenge: String) async throws(MSALNativeAuthStepError) -> MSALNativeAuthFlowStep {
            try await point.next { client, state throws(NativeAuthFailure) in
                try await client.submitCode(Secret(challenge), in: state)
            }
        }

        /// Requests another code. The previous one becomes invalid.
        ///
        /// - Returns: Usually `mfaCodeRequired`, with the new delivery.
        /// - Throws: ``MSALNativeAuthStepError``, for `authMethodBlocked`: let the user choose another method.
        public func resendChallenge() async throws(MSALNativeAuthStepError) -> MSALNativeAuthFlowStep {
            try await point.next { client, state throws(NativeAuthFailure) in try await client.resendCode(in: state) }
        }
    }

    /// A registration that waits for the code that was sent to the address.
    public struct RegistrationCodeRequired: Sendable, RedactedReflection {
        /// The destination of the code.
        public let delivery: MSALNativeAuthCodeDelivery

        private let point: FlowPoint<NativeAuth.FlowCode>

        init(_ state: NativeAuth.FlowCode, application: MSALNativeAuthPublicClientApplication) {
            delivery = MSALNativeAuthCodeDelivery(state.delivery)
            point = FlowPoint(state: state, application: application)
        }

        /// The flow that this belongs to.
        public var scenario: MSALNativeAuthFlowScenario { point.scenario }

        /// Submits the code.
        ///
        /// - Parameter challenge: The user's input; a blank one is rejected without a request.
        /// - Returns: The next step.
        /// - Throws: ``MSALNativeAuthStepError``, for `invalidCode`: ask again, or request another code.
        public func submit(challenge: String) async throws(MSALNativeAuthStepError) -> MSALNativeAuthFlowStep {
            try await point.next { client, state throws(NativeAuthFailure) in
                try await client.submitCode(Secret(challenge), in: state)
            }
        }

        /// Requests another code. The previous one becomes invalid.
        ///
        /// - Returns: Usually `registrationCodeRequired`, with the new delivery.
        /// - Throws: ``MSALNativeAuthStepError``, for `verificationContactBlocked`: register another address.
        public func resendChallenge() async throws(MSALNativeAuthStepError) -> MSALNativeAuthFlowStep {
            try await point.next { client, state throws(NativeAuthFailure) in try await client.resendCode(in: state) }
        }
    }

    /// A flow that waits for the password: the user's own, or the one for a new account.
    public struct PasswordRequired: Sendable, RedactedReflection {
        let point: FlowPoint<NativeAuth.FlowPassword>

        /// The flow that this belongs to.
        public var scenario: MSALNativeAuthFlowScenario { point.scenario }

        /// Submits the password.
        ///
        /// - Parameter password: The user's input, sent unchanged; a blank one is rejected without a request.
        /// - Returns: The next step.
        /// - Throws: ``MSALNativeAuthStepError``, for `invalidPassword`: ask again.
        public func submit(password: String) async throws(MSALNativeAuthStepError) -> MSALNativeAuthFlowStep {
            try await point.next { client, state throws(NativeAuthFailure) in
                try await client.submitPassword(Secret(password), in: state)
            }
        }
    }

    /// A password reset that waits for the new password.
    public struct NewPasswordRequired: Sendable, RedactedReflection {
        let point: FlowPoint<NativeAuth.FlowNewPassword>

        /// The flow that this belongs to.
        public var scenario: MSALNativeAuthFlowScenario { point.scenario }

        /// Submits the new password and waits until the service has stored it.
        ///
        /// The service is polled up to five times, at the interval that it specifies. Cancel the task to stop waiting.
        ///
        /// - Parameter newPassword: The user's choice, sent unchanged; a blank one is rejected without a request.
        /// - Returns: Usually `signInAfterResetPassword`.
        /// - Throws: ``MSALNativeAuthStepError``, for `invalidPassword`: ask for another; `serverError` shows which
        ///   rule it violates.
        public func submit(newPassword: String) async throws(MSALNativeAuthStepError) -> MSALNativeAuthFlowStep {
            try await point.next { client, state throws(NativeAuthFailure) in
                try await client.submitNewPassword(Secret(newPassword), in: state)
            }
        }
    }

    /// A sign-up that waits for attributes.
    public struct AttributesRequired: Sendable, RedactedReflection {
        /// The attributes that the service requires and does not have yet.
        public let attributes: [MSALNativeAuthRequiredAttribute]

        private let point: FlowPoint<NativeAuth.FlowAttributes>

        init(_ state: NativeAuth.FlowAttributes, application: MSALNativeAuthPublicClientApplication) {
            attributes = state.attributes.map(MSALNativeAuthRequiredAttribute.init)
            point = FlowPoint(state: state, application: application)
        }

        /// The flow that this belongs to.
        public var scenario: MSALNativeAuthFlowScenario { point.scenario }

        /// Submits attributes.
        ///
        /// - Parameter attributes: Values that JSON can represent, by name. They may include more than the required
        ///   ones.
        /// - Returns: The next step.
        /// - Throws: ``MSALNativeAuthStepError``, for `invalidAttributes`: ask again for those in `attributeNames`.
        public func submit(attributes: [String: Any]) async throws(MSALNativeAuthStepError) -> MSALNativeAuthFlowStep {
            let values = NativeAuth.attributes(attributes)
            return try await point.next { client, state throws(NativeAuthFailure) in
                guard let values else {
                    throw NativeAuthFailure.unusableAttributes(correlationID: state.flow.continuation.correlationID)
                }
                return try await client.submitAttributes(values, in: state)
            }
        }
    }

    /// A finished sign-up or reset, whose user can be signed in without further input.
    public struct FollowingSignIn: Sendable, RedactedReflection {
        let point: FlowPoint<NativeAuth.FlowEnd>

        /// The flow that this belongs to.
        public var scenario: MSALNativeAuthFlowScenario { point.scenario }

        /// Signs the user in.
        ///
        /// - Parameters:
        ///   - scopes: The scopes of the first access token; if empty, those from the start of the flow.
        ///   - claimsRequest: Claims that the tokens must contain; if `nil`, those from the start of the flow.
        /// - Returns: Usually `completed`.
        /// - Throws: ``MSALNativeAuthStepError``: try again, or let the user sign in as usual.
        public func signIn(
            scopes: [String] = [],
            claimsRequest: MSALClaimsRequest? = nil
        ) async throws(MSALNativeAuthStepError) -> MSALNativeAuthFlowStep {
            let request = NativeAuth.SignInAfterFlowRequest(scopes: scopes, claims: claimsRequest)
            return try await point.next { client, state throws(NativeAuthFailure) in
                try await client.signIn(request, after: state)
            }
        }
    }
}

/// A state of a flow, and the application that continues from there.
struct FlowPoint<State: NativeAuth.FlowState>: Sendable {
    let state: State
    let application: MSALNativeAuthPublicClientApplication

    var scenario: MSALNativeAuthFlowScenario { MSALNativeAuthFlowScenario(state.flow.scenario) }

    /// Makes the call that continues from this state.
    nonisolated(nonsending) func next(
        _ operation:
            nonisolated(nonsending) (NativeAuthClient, State) async throws(NativeAuthFailure) ->
            NativeAuth.FlowStep
    ) async throws(MSALNativeAuthStepError) -> MSALNativeAuthFlowStep {
        try await application.flowStep(of: state.flow) { client throws(NativeAuthFailure) in
            try await operation(client, state)
        }
    }
}

extension MSALNativeAuthPublicClientApplication {
    /// Runs one call of the asynchronous API, in which the need for the browser is a step.
    nonisolated(nonsending) func flowStep(
        of flow: NativeAuth.Flow,
        operation: nonisolated(nonsending) (NativeAuthClient) async throws(NativeAuthFailure) -> NativeAuth.FlowStep
    ) async throws(MSALNativeAuthStepError) -> MSALNativeAuthFlowStep {
        do throws(NativeAuthFailure) {
            return MSALNativeAuthFlowStep(try await operation(native), application: self)
        } catch {
            let continued = MSALNativeAuthBrowserHandover.Flow(flow.continuation)
            return .browserRequired(try handover(after: error, flow: continued, isSignUp: flow.scenario == .signUp))
        }
    }
}
