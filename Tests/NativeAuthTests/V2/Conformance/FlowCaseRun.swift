// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

@testable import MSALBase

/// One case of V2 with the delegate API.
@MainActor
struct FlowCaseRun {
    private let testCase: NativeAuthCase
    private let application: MSALNativeAuthPublicClientApplication
    private let transport: CaseTransport
    private let delegate: any FlowCaseReporter
    private var state: MSALNativeAuthState?
    private var account: MSALNativeAuthUserAccountResult?
    private var authMethods: [MSALAuthMethod] = []

    init(_ testCase: NativeAuthCase) throws {
        self.testCase = testCase
        (application, transport) = try testCase.application(isV2: true)
        delegate = try FlowCaseDelegates.delegate(lacking: testCase.missingMembers)
    }

    /// Makes all calls; returns the differences from what the case expects, each with the number of its call.
    mutating func run() async throws -> [String] {
        var differences: [String] = []
        var reports = 0
        for (number, call) in testCase.calls.enumerated() {
            transport.expect(call.exchanges)
            let outcome = try await make(call)
            if outcome.outcome.callback != "return" { reports += 1 }
            let wrong = call.expected.isEmpty ? [] : outcome.differences(from: call.expected)
            differences += (transport.complaints() + wrong).map { "call \(number + 1), \(call.method): \($0)" }
            if case .some(.some(let next)) = outcome.outcome.state { state = next as? MSALNativeAuthState }
            account = outcome.outcome.account ?? account
            authMethods = outcome.outcome.authMethods ?? authMethods
        }
        if delegate.inbox.calls != reports {
            differences.append("\(delegate.inbox.calls) reports for \(reports) calls")
        }
        return differences
    }

    private func make(_ call: NativeAuthCase.Call) async throws -> FlowCaseOutcome {
        let arguments = CaseArguments(values: call.arguments, authMethods: authMethods)
        switch (call.target, call.method) {
        case ("app", "signInV2"):
            return await delegate.inbox.outcome {
                application.signInV2(parameters: arguments.signInV2, delegate: delegate)
            }
        case ("app", "signUpV2"):
            return await delegate.inbox.outcome {
                application.signUpV2(parameters: arguments.signUpV2, delegate: delegate)
            }
        case ("app", "resetPasswordV2"):
            return await delegate.inbox.outcome {
                application.resetPasswordV2(parameters: arguments.resetPasswordV2, delegate: delegate)
            }
        case ("app", "getNativeAuthUserAccount"):
            let account = application.getNativeAuthUserAccount(correlationId: arguments.correlationID)
            return FlowCaseOutcome(CaseOutcome("return", account: account))
        case ("account", "getAccessToken"):
            guard let account else { throw CaseRun.Unplayable(description: "nobody is signed in") }
            return await delegate.inbox.outcome {
                account.getAccessToken(parameters: arguments.getAccessToken, delegate: delegate)
            }
        case ("account", "signOut"):
            guard let account else { throw CaseRun.Unplayable(description: "nobody is signed in") }
            account.signOut()
            return FlowCaseOutcome(CaseOutcome(callback: "return"))
        case ("state", _):
            let operation = try operation(call.method, arguments: arguments)
            return await delegate.inbox.outcome(of: operation)
        default:
            throw CaseRun.Unplayable(description: "unknown call \(call.method) on \(call.target)")
        }
    }

    /// The call of the latest state.
    private func operation(_ method: String, arguments: CaseArguments) throws -> () -> Void {
        switch (state, method) {
        case (let state as MSALNativeAuthCodeRequiredState, "submitCode"):
            return { state.submitCode(arguments.text("code"), delegate: delegate) }
        case (let state as MSALNativeAuthCodeRequiredState, "resendCode"):
            return { state.resendCode(delegate: delegate) }
        case (let state as MSALNativeAuthPasswordRequiredState, "submitPassword"):
            return { state.submitPassword(arguments.text("password"), delegate: delegate) }
        case (let state as MSALNativeAuthNewPasswordRequiredState, "submitNewPassword"):
            return { state.submitNewPassword(arguments.text("newPassword"), delegate: delegate) }
        case (let state as MSALNativeAuthAttributesRequiredState, "submitAttributes"):
            return { state.submitAttributes(arguments.attributes ?? [:], delegate: delegate) }
        case (let state as MSALNativeAuthAuthMethodSelectionRequiredState, "selectAuthMethod"):
            let method = try arguments.authMethod
            return { state.selectAuthMethod(method, delegate: delegate) }
        case (let state as MSALNativeAuthMFARequiredState, "selectAuthMethod"):
            let (method, contact) = (try arguments.authMethod, arguments.contact)
            return { state.selectAuthMethod(method, verificationContact: contact, delegate: delegate) }
        case (let state as MSALNativeAuthStrongAuthRegistrationRequiredState, "selectAuthMethod"):
            let method = try arguments.authMethod
            guard let contact = arguments.contact else {
                return { state.selectAuthMethod(method, delegate: delegate) }
            }
            return { state.selectAuthMethod(method, verificationContact: contact, delegate: delegate) }
        case (let state as MSALNativeAuthMFAVerificationRequiredState, "submitChallenge"):
            return { state.submitChallenge(arguments.text("challenge"), delegate: delegate) }
        case (let state as MSALNativeAuthMFAVerificationRequiredState, "resendChallenge"):
            return { state.resendChallenge(delegate: delegate) }
        case (let state as MSALNativeAuthStrongAuthVerificationRequiredState, "submitChallenge"):
            return { state.submitChallenge(arguments.text("challenge"), delegate: delegate) }
        case (let state as MSALNativeAuthStrongAuthVerificationRequiredState, "resendChallenge"):
            return { state.resendChallenge(delegate: delegate) }
        case (let state as MSALNativeAuthSignInAfterSignUpState, "signIn"):
            return { state.signIn(parameters: arguments.signInAfterSignUp, delegate: delegate) }
        case (let state as MSALNativeAuthSignInAfterResetPasswordState, "signIn"):
            return { state.signIn(parameters: arguments.signInAfterResetPassword, delegate: delegate) }
        default:
            let holder = state.map { "\($0)" } ?? "no state"
            throw CaseRun.Unplayable(description: "no call \(method) on \(holder)")
        }
    }
}

extension CaseArguments {
    var contact: String? { values["verificationContact"]?.string }

    var signInV2: MSALNativeAuthSignInParametersV2 {
        let parameters = MSALNativeAuthSignInParametersV2(username: text("username"))
        parameters.scopes = scopes
        parameters.claimsRequest = claims
        parameters.correlationId = correlationID
        return parameters
    }

    var signUpV2: MSALNativeAuthSignUpParametersV2 {
        let parameters = MSALNativeAuthSignUpParametersV2(username: text("username"))
        parameters.attributes = attributes
        parameters.scopes = scopes
        parameters.claimsRequest = claims
        parameters.correlationId = correlationID
        return parameters
    }

    var resetPasswordV2: MSALNativeAuthResetPasswordParametersV2 {
        let parameters = MSALNativeAuthResetPasswordParametersV2(username: text("username"))
        parameters.scopes = scopes
        parameters.claimsRequest = claims
        parameters.correlationId = correlationID
        return parameters
    }
}
