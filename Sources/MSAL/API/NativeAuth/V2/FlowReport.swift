// Licensed under the MIT License. See LICENSE.

extension MSALNativeAuthPublicClientApplication {
    /// Runs a V2 call in a separate task, and reports its outcome to the delegate.
    func runFlow(
        _ scenario: NativeAuth.Scenario,
        delegate: any MSALNativeAuthFlowDelegate,
        operation: @escaping @Sendable (NativeAuthClient) async throws(NativeAuthFailure) -> NativeAuth.FlowStep
    ) {
        perform(for: delegate, operation: operation) { [self] delegate, outcome in
            FlowReport(application: self, scenario: MSALNativeAuthFlowScenario(scenario), delegate: delegate)
                .report(outcome)
        }
    }
}

/// The outcome of a V2 call, for one delegate.
@MainActor
private struct FlowReport {
    let application: MSALNativeAuthPublicClientApplication
    let scenario: MSALNativeAuthFlowScenario
    let delegate: any MSALNativeAuthFlowDelegate

    /// Calls exactly one member of the delegate.
    func report(_ outcome: Result<NativeAuth.FlowStep, NativeAuthFailure>) {
        switch outcome {
        case .success(let step): report(step)
        case .failure(let failure): fail(failure)
        }
    }

    private func fail(_ failure: NativeAuthFailure) {
        delegate.onFlowError(error: MSALNativeAuthFlowError(failure), scenario: scenario)
    }

    private func report(_ step: NativeAuth.FlowStep) {
        switch step {
        case .codeRequired(let state):
            hand(state, to: (any MSALNativeAuthCodeRequiredDelegate).self) {
                $0.onCodeRequired(state: .init(state, application: application), scenario: scenario)
            }
        case .passwordRequired(let state):
            hand(state, to: (any MSALNativeAuthPasswordRequiredDelegate).self) {
                $0.onPasswordRequired(state: .init(state, application: application), scenario: scenario)
            }
        case .newPasswordRequired(let state):
            hand(state, to: (any MSALNativeAuthNewPasswordRequiredDelegate).self) {
                $0.onNewPasswordRequired(state: .init(state, application: application), scenario: scenario)
            }
        case .attributesRequired(let state):
            hand(state, to: (any MSALNativeAuthAttributesRequiredDelegate).self) {
                $0.onAttributesRequired(state: .init(state, application: application), scenario: scenario)
            }
        case .methodSelectionRequired(let state):
            selectMethod(state)
        case .secondFactorCodeRequired(let state):
            hand(state, to: (any MSALNativeAuthMFAVerificationRequiredDelegate).self) {
                $0.onMFAVerificationRequired(state: .init(state, application: application), scenario: scenario)
            }
        case .registrationRequired(let state):
            hand(state, to: (any MSALNativeAuthStrongAuthRegistrationRequiredDelegate).self) {
                $0.onStrongAuthRegistrationRequired(state: .init(state, application: application), scenario: scenario)
            }
        case .registrationCodeRequired(let state):
            hand(state, to: (any MSALNativeAuthStrongAuthVerificationRequiredDelegate).self) {
                $0.onStrongAuthVerificationRequired(state: .init(state, application: application), scenario: scenario)
            }
        case .finished(let state) where state.flow.scenario == .passwordReset:
            hand(state, to: (any MSALNativeAuthSignInAfterResetPasswordRequiredDelegate).self) {
                $0.onSignInAfterResetPasswordRequired(state: .init(state, application: application), scenario: scenario)
            }
        case .finished(let state):
            hand(state, to: (any MSALNativeAuthSignInAfterSignUpRequiredDelegate).self) {
                $0.onSignInAfterSignUpRequired(state: .init(state, application: application), scenario: scenario)
            }
        case .completed(let result):
            delegate.onFlowCompleted(
                result: MSALNativeAuthUserAccountResult(result, application: application),
                scenario: scenario
            )
        }
    }

    /// A second factor is passed to the older protocol if the delegate conforms only to that one.
    private func selectMethod(_ state: NativeAuth.FlowMethods) {
        if state.isSecondFactor, !(delegate is any MSALNativeAuthAuthMethodSelectionRequiredDelegate),
            let older = delegate as? any MSALNativeAuthMFARequiredDelegate
        {
            return older.onMFARequired(state: .init(state, application: application), scenario: scenario)
        }
        hand(state, to: (any MSALNativeAuthAuthMethodSelectionRequiredDelegate).self) {
            $0.onAuthMethodSelectionRequired(state: .init(state, application: application), scenario: scenario)
        }
    }

    /// Calls the member of a protocol. If the delegate does not conform to it, the error names the protocol.
    private func hand<Wanted>(_ state: some NativeAuth.FlowState, to wanted: Wanted.Type, member: (Wanted) -> Void) {
        if let delegate = delegate as? Wanted { return member(delegate) }
        let name = String(describing: wanted).split(separator: " ").last.map(String.init) ?? ""
        fail(
            NativeAuthFailure(
                .notImplemented,
                message: "The delegate does not adopt \(name), which this outcome needs.",
                correlationID: state.flow.continuation.correlationID
            )
        )
    }
}
