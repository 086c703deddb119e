// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSAL
import TestSupport

@testable import MSALBase

/// One case with the public API: a new application with an empty store, and a service that follows the case.
@MainActor
struct CaseRun {
    /// A call that the runner cannot make.
    struct Unplayable: Error, CustomStringConvertible {
        let description: String
    }

    private let testCase: NativeAuthCase
    private let application: MSALNativeAuthPublicClientApplication
    private let transport: CaseTransport
    private let delegate: CaseDelegate
    private var state: NSObject?
    private var account: MSALNativeAuthUserAccountResult?
    private var authMethods: [MSALAuthMethod] = []

    init(_ testCase: NativeAuthCase) throws {
        self.testCase = testCase
        (application, transport) = try testCase.application()
        delegate = CaseDelegate(missing: testCase.missingMembers)
    }

    /// Makes all calls; returns the differences from what the case expects, each with the number of its call.
    mutating func run() async throws -> [String] {
        var differences: [String] = []
        var reports = 0
        for (number, call) in testCase.calls.enumerated() {
            transport.expect(call.exchanges)
            let outcome = try await make(call)
            if outcome.callback != "return" { reports += 1 }
            let wrong = transport.complaints() + (call.expected.isEmpty ? [] : outcome.differences(from: call.expected))
            differences += wrong.map { "call \(number + 1), \(call.method): \($0)" }
            if case .some(.some(let next)) = outcome.state { state = next }
            account = outcome.account ?? account
            authMethods = outcome.authMethods ?? authMethods
        }
        if delegate.calls != reports { differences.append("\(delegate.calls) reports for \(reports) calls") }
        return differences
    }

    private func make(_ call: NativeAuthCase.Call) async throws -> CaseOutcome {
        let arguments = CaseArguments(values: call.arguments, authMethods: authMethods)
        switch (call.target, call.method) {
        case ("app", "signIn"):
            return await delegate.outcome { application.signIn(parameters: arguments.signIn, delegate: delegate) }
        case ("app", "signUp"):
            return await delegate.outcome { application.signUp(parameters: arguments.signUp, delegate: delegate) }
        case ("app", "resetPassword"):
            return await delegate.outcome {
                application.resetPassword(parameters: arguments.resetPassword, delegate: delegate)
            }
        case ("app", "getNativeAuthUserAccount"):
            return CaseOutcome(
                "return",
                account: application.getNativeAuthUserAccount(correlationId: arguments.correlationID)
            )
        case ("account", "getAccessToken"):
            guard let account else { throw Unplayable(description: "nobody is signed in") }
            return await delegate.outcome {
                account.getAccessToken(parameters: arguments.getAccessToken, delegate: delegate)
            }
        case ("account", "signOut"):
            guard let account else { throw Unplayable(description: "nobody is signed in") }
            account.signOut()
            return CaseOutcome(callback: "return")
        case ("state", _):
            let operation = try operation(call.method, arguments: arguments)
            return await delegate.outcome(of: operation)
        default:
            throw Unplayable(description: "unknown call \(call.method) on \(call.target)")
        }
    }

    /// The call of the latest state.
    private func operation(_ method: String, arguments: CaseArguments) throws -> () -> Void {
        switch (state, method) {
        case (let state as SignInCodeRequiredState, "submitCode"):
            return { state.submitCode(code: arguments.text("code"), delegate: delegate) }
        case (let state as SignInCodeRequiredState, "resendCode"):
            return { state.resendCode(delegate: delegate) }
        case (let state as SignInPasswordRequiredState, "submitPassword"):
            return { state.submitPassword(password: arguments.text("password"), delegate: delegate) }
        case (let state as AwaitingMFAState, "requestChallenge"):
            let method = try arguments.authMethod
            return { state.requestChallenge(authMethod: method, delegate: delegate) }
        case (let state as MFARequiredState, "requestChallenge"):
            let method = try arguments.authMethod
            return { state.requestChallenge(authMethod: method, delegate: delegate) }
        case (let state as MFARequiredState, "submitChallenge"):
            return { state.submitChallenge(challenge: arguments.text("challenge"), delegate: delegate) }
        case (let state as RegisterStrongAuthState, "challengeAuthMethod"):
            let parameters = try arguments.challengeAuthMethod
            return { state.challengeAuthMethod(parameters: parameters, delegate: delegate) }
        case (let state as RegisterStrongAuthVerificationRequiredState, "challengeAuthMethod"):
            let parameters = try arguments.challengeAuthMethod
            return { state.challengeAuthMethod(parameters: parameters, delegate: delegate) }
        case (let state as RegisterStrongAuthVerificationRequiredState, "submitChallenge"):
            return { state.submitChallenge(challenge: arguments.text("challenge"), delegate: delegate) }
        case (let state as SignUpCodeRequiredState, "submitCode"):
            return { state.submitCode(code: arguments.text("code"), delegate: delegate) }
        case (let state as SignUpCodeRequiredState, "resendCode"):
            return { state.resendCode(delegate: delegate) }
        case (let state as SignUpPasswordRequiredState, "submitPassword"):
            return { state.submitPassword(password: arguments.text("password"), delegate: delegate) }
        case (let state as SignUpAttributesRequiredState, "submitAttributes"):
            return { state.submitAttributes(attributes: arguments.attributes ?? [:], delegate: delegate) }
        case (let state as SignInAfterSignUpState, "signIn"):
            return { state.signIn(parameters: arguments.signInAfterSignUp, delegate: delegate) }
        case (let state as SignInAfterResetPasswordState, "signIn"):
            return { state.signIn(parameters: arguments.signInAfterResetPassword, delegate: delegate) }
        case (let state as ResetPasswordCodeRequiredState, "submitCode"):
            return { state.submitCode(code: arguments.text("code"), delegate: delegate) }
        case (let state as ResetPasswordCodeRequiredState, "resendCode"):
            return { state.resendCode(delegate: delegate) }
        case (let state as ResetPasswordRequiredState, "submitPassword"):
            return { state.submitPassword(password: arguments.text("password"), delegate: delegate) }
        default:
            throw Unplayable(description: "no call \(method) on \(state.map { "\(type(of: $0))" } ?? "no state")")
        }
    }
}
