// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

@testable import MSALBase

/// Whether a delegate adopts a protocol.
protocol Adoption: Sendable {}
enum Adopts: Adoption {}
enum Lacks: Adoption {}

/// The requirements of a case's run on its delegate.
@MainActor
protocol FlowCaseReporter: MSALNativeAuthFlowDelegate, CredentialsDelegate {
    var inbox: FlowCaseInbox { get }
}

/// Holds the one call that a delegate gets.
@MainActor
final class FlowCaseInbox {
    private var waiting: CheckedContinuation<Void, Never>?
    private var reported: FlowCaseOutcome?
    private(set) var calls = 0

    /// Starts an operation and waits until it reports.
    func outcome(of operation: () -> Void) async -> FlowCaseOutcome {
        reported = nil
        await withCheckedContinuation { continuation in
            waiting = continuation
            operation()
        }
        return reported ?? FlowCaseOutcome(CaseOutcome(callback: "none"))
    }

    func note(_ outcome: CaseOutcome, scenario: MSALNativeAuthFlowScenario? = nil) {
        calls += 1
        reported = FlowCaseOutcome(outcome, scenario: scenario)
        waiting?.resume()
        waiting = nil
    }
}

/// A delegate that adopts the protocols of the states that its parameters say. A class cannot drop a protocol at run time,
/// but its conformance may depend on a parameter.
@MainActor
final class FlowCaseDelegate<
    Code: Adoption,
    Password: Adoption,
    NewPassword: Adoption,
    Attributes: Adoption,
    Selection: Adoption,
    OlderMFA: Adoption,
    MFACode: Adoption,
    Registration: Adoption,
    RegistrationCode: Adoption,
    AfterSignUp: Adoption,
    AfterReset: Adoption
>: FlowCaseReporter {
    let inbox = FlowCaseInbox()

    func onFlowCompleted(result: MSALNativeAuthUserAccountResult, scenario: MSALNativeAuthFlowScenario) {
        inbox.note(CaseOutcome("onFlowCompleted", account: result), scenario: scenario)
    }

    func onFlowError(error: MSALNativeAuthFlowError, scenario: MSALNativeAuthFlowScenario) {
        inbox.note(CaseOutcome(callback: "onFlowError", error: error), scenario: scenario)
    }

    func onAccessTokenRetrieveError(error: RetrieveAccessTokenError) {
        inbox.note(CaseOutcome(callback: "onAccessTokenRetrieveError", error: error))
    }

    func onAccessTokenRetrieveCompleted(result: MSALNativeAuthTokenResult) {
        inbox.note(
            CaseOutcome(
                callback: "onAccessTokenRetrieveCompleted",
                values: [
                    "accessToken": .string(result.accessToken), "scopes": .array(result.scopes.map(JSONValue.string)),
                ]
            )
        )
    }

    fileprivate func note(
        _ callback: String,
        state: MSALNativeAuthState,
        scenario: MSALNativeAuthFlowScenario,
        values: [String: JSONValue] = [:],
        methods: [MSALAuthMethod]? = nil
    ) {
        var outcome = CaseOutcome(callback: callback, state: .some(state), values: values)
        outcome.authMethods = methods
        if let methods { outcome.values["authMethods"] = FlowCaseValues.methods(methods) }
        inbox.note(outcome, scenario: scenario)
    }
}

/// The values of an outcome in the form of the cases.
enum FlowCaseValues {
    static func code(sentTo: String, channel: MSALNativeAuthChannelType, length: Int) -> [String: JSONValue] {
        ["sentTo": .string(sentTo), "channel": .string(channel.value), "codeLength": .integer(Int64(length))]
    }

    static func code(_ delivery: MSALNativeAuthCodeDelivery) -> [String: JSONValue] {
        code(sentTo: delivery.sentTo, channel: delivery.channelTargetType, length: delivery.codeLength)
    }

    static func methods(_ methods: [MSALAuthMethod]) -> JSONValue {
        .array(
            methods.map { method in
                .object([
                    "id": .string(method.id), "challengeType": .string(method.challengeType),
                    "channelTargetType": .string(method.channelTargetType.value),
                    "loginHint": method.loginHint.map(JSONValue.string) ?? .null,
                ])
            }
        )
    }

    static func attributes(_ attributes: [MSALNativeAuthRequiredAttribute]) -> [String: JSONValue] {
        [
            "attributes": .array(
                attributes.map { attribute in
                    .object([
                        "name": .string(attribute.name), "type": .string(attribute.type),
                        "required": .bool(attribute.required), "regex": attribute.regex.map(JSONValue.string) ?? .null,
                    ])
                }
            )
        ]
    }
}

extension FlowCaseDelegate: MSALNativeAuthCodeRequiredDelegate where Code == Adopts {
    func onCodeRequired(state: MSALNativeAuthCodeRequiredState, scenario: MSALNativeAuthFlowScenario) {
        let values = FlowCaseValues.code(sentTo: state.sentTo, channel: state.channel, length: state.codeLength)
        note("onCodeRequired", state: state, scenario: scenario, values: values)
    }
}

extension FlowCaseDelegate: MSALNativeAuthPasswordRequiredDelegate where Password == Adopts {
    func onPasswordRequired(state: MSALNativeAuthPasswordRequiredState, scenario: MSALNativeAuthFlowScenario) {
        note("onPasswordRequired", state: state, scenario: scenario)
    }
}

extension FlowCaseDelegate: MSALNativeAuthNewPasswordRequiredDelegate where NewPassword == Adopts {
    func onNewPasswordRequired(state: MSALNativeAuthNewPasswordRequiredState, scenario: MSALNativeAuthFlowScenario) {
        note("onNewPasswordRequired", state: state, scenario: scenario)
    }
}

extension FlowCaseDelegate: MSALNativeAuthAttributesRequiredDelegate where Attributes == Adopts {
    func onAttributesRequired(state: MSALNativeAuthAttributesRequiredState, scenario: MSALNativeAuthFlowScenario) {
        let values = FlowCaseValues.attributes(state.attributes)
        note("onAttributesRequired", state: state, scenario: scenario, values: values)
    }
}

extension FlowCaseDelegate: MSALNativeAuthAuthMethodSelectionRequiredDelegate where Selection == Adopts {
    func onAuthMethodSelectionRequired(
        state: MSALNativeAuthAuthMethodSelectionRequiredState,
        scenario: MSALNativeAuthFlowScenario
    ) {
        note("onAuthMethodSelectionRequired", state: state, scenario: scenario, methods: state.authMethods)
    }
}

extension FlowCaseDelegate: MSALNativeAuthMFARequiredDelegate where OlderMFA == Adopts {
    func onMFARequired(state: MSALNativeAuthMFARequiredState, scenario: MSALNativeAuthFlowScenario) {
        note("onMFARequired", state: state, scenario: scenario, methods: state.authMethods)
    }
}

extension FlowCaseDelegate: MSALNativeAuthMFAVerificationRequiredDelegate where MFACode == Adopts {
    func onMFAVerificationRequired(
        state: MSALNativeAuthMFAVerificationRequiredState,
        scenario: MSALNativeAuthFlowScenario
    ) {
        let values = FlowCaseValues.code(sentTo: state.sentTo, channel: state.channel, length: state.codeLength)
        note("onMFAVerificationRequired", state: state, scenario: scenario, values: values)
    }
}

extension FlowCaseDelegate: MSALNativeAuthStrongAuthRegistrationRequiredDelegate where Registration == Adopts {
    func onStrongAuthRegistrationRequired(
        state: MSALNativeAuthStrongAuthRegistrationRequiredState,
        scenario: MSALNativeAuthFlowScenario
    ) {
        note("onStrongAuthRegistrationRequired", state: state, scenario: scenario, methods: state.authMethods)
    }
}

extension FlowCaseDelegate: MSALNativeAuthStrongAuthVerificationRequiredDelegate where RegistrationCode == Adopts {
    func onStrongAuthVerificationRequired(
        state: MSALNativeAuthStrongAuthVerificationRequiredState,
        scenario: MSALNativeAuthFlowScenario
    ) {
        let values = FlowCaseValues.code(sentTo: state.sentTo, channel: state.channel, length: state.codeLength)
        note("onStrongAuthVerificationRequired", state: state, scenario: scenario, values: values)
    }
}

extension FlowCaseDelegate: MSALNativeAuthSignInAfterSignUpRequiredDelegate where AfterSignUp == Adopts {
    func onSignInAfterSignUpRequired(
        state: MSALNativeAuthSignInAfterSignUpState,
        scenario: MSALNativeAuthFlowScenario
    ) {
        note("onSignInAfterSignUpRequired", state: state, scenario: scenario)
    }
}

extension FlowCaseDelegate: MSALNativeAuthSignInAfterResetPasswordRequiredDelegate where AfterReset == Adopts {
    func onSignInAfterResetPasswordRequired(
        state: MSALNativeAuthSignInAfterResetPasswordState,
        scenario: MSALNativeAuthFlowScenario
    ) {
        note("onSignInAfterResetPasswordRequired", state: state, scenario: scenario)
    }
}

/// The delegates that lack the named protocols.
@MainActor
enum FlowCaseDelegates {
    /// The protocols in the order of the delegate's parameters.
    private static let protocols = [
        "CodeRequired", "PasswordRequired", "NewPasswordRequired", "AttributesRequired", "AuthMethodSelectionRequired",
        "MFARequired", "MFAVerificationRequired", "StrongAuthRegistrationRequired", "StrongAuthVerificationRequired",
        "SignInAfterSignUpRequired", "SignInAfterResetPasswordRequired",
    ].map { "MSALNativeAuth\($0)Delegate" }

    /// - Throws: `Unplayable` for a protocol that does not exist.
    static func delegate(lacking names: Set<String>) throws -> any FlowCaseReporter {
        let unknown = names.subtracting(protocols)
        guard unknown.isEmpty else { throw CaseRun.Unplayable(description: "no protocols \(unknown)") }
        let (lacks, adopts): (any Adoption.Type, any Adoption.Type) = (Lacks.self, Adopts.self)
        let all = protocols.map { names.contains($0) ? lacks : adopts }
        return make(all[0], all[1], all[2], all[3], all[4], all[5], all[6], all[7], all[8], all[9], all[10])
    }

    private static func make<
        A: Adoption,
        B: Adoption,
        C: Adoption,
        D: Adoption,
        E: Adoption,
        F: Adoption,
        G: Adoption,
        H: Adoption,
        I: Adoption,
        J: Adoption,
        K: Adoption
    >(
        _: A.Type,
        _: B.Type,
        _: C.Type,
        _: D.Type,
        _: E.Type,
        _: F.Type,
        _: G.Type,
        _: H.Type,
        _: I.Type,
        _: J.Type,
        _: K.Type
    ) -> any FlowCaseReporter {
        FlowCaseDelegate<A, B, C, D, E, F, G, H, I, J, K>()
    }
}
