// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

@testable import MSALBase

/// The same case with the asynchronous API: the same requests, and the steps that the case names.
@MainActor
struct FlowCaseAsyncRun {
    private let testCase: NativeAuthCase
    private let application: MSALNativeAuthPublicClientApplication
    private let transport: CaseTransport
    private var step: MSALNativeAuthFlowStep?
    private var account: MSALNativeAuthUserAccountResult?
    private var authMethods: [MSALAuthMethod] = []

    init(_ testCase: NativeAuthCase) throws {
        self.testCase = testCase
        (application, transport) = try testCase.application(isV2: true)
    }

    /// Makes all calls; returns the differences from what the case expects, each with the number of its call.
    mutating func run() async throws -> [String] {
        var differences: [String] = []
        for (number, call) in testCase.calls.enumerated() {
            transport.expect(call.exchanges)
            let wrong: [String]
            do throws(MSALNativeAuthStepError) {
                wrong = try await make(call)
            } catch {
                wrong = Self.differences(error, expected: call.expected)
            }
            differences += (transport.complaints() + wrong).map { "call \(number + 1), \(call.method): \($0)" }
        }
        return differences
    }

    private static func differences(_ error: MSALNativeAuthStepError, expected: [String: JSONValue]) -> [String] {
        guard !expected.isEmpty else { return ["unexpected error \(error)"] }
        var differences: [String] = []
        if let wanted = expected["async"], wanted != .string("throws") {
            differences.append("\(error) was thrown, not \(wanted.text)")
        }
        let wanted = expected["error"]?.object ?? [:]
        if let codes = wanted["codes"]?.array, codes != error.errorCodes.map({ .integer(Int64($0)) }) {
            differences.append("codes are \(error.errorCodes)")
        }
        for text in wanted["descriptionContains"]?.array?.compactMap(\.string) ?? []
        where !error.localizedDescription.contains(text) {
            differences.append("“\(error.localizedDescription)” lacks “\(text)”")
        }
        for text in wanted["descriptionExcludes"]?.array?.compactMap(\.string) ?? []
        where "\(error.localizedDescription) \(error.userInfo) \(error.serverError.debugDescription)".contains(text) {
            differences.append("the error tells “\(text)”")
        }
        let reason = wanted["flags"]?.array?.compactMap(\.string).sorted().last?.dropFirst(2).lowercased()
        if let reason, !Self.fits(error.reason, flag: reason) {
            differences.append("the reason \(error.reason) does not fit \(reason)")
        }
        return differences
    }

    /// Whether a reason says what the last flag of the delegates' error says.
    private static func fits(_ reason: MSALNativeAuthStepError.Reason, flag: String) -> Bool {
        switch reason {
        case .general, .canceled, .serviceUnavailable, .signInRequired: flag == "generalerror"
        case .userNotFound, .userAlreadyExists, .userDoesNotHavePassword, .invalidUsername, .invalidCredentials,
            .invalidPassword, .invalidCode, .invalidInput, .authMethodBlocked, .verificationContactBlocked,
            .browserRequired, .invalidAttributes:
            flag == "\(reason)".lowercased()
        }
    }

    /// Makes a call; returns how its outcome differs.
    private mutating func make(_ call: NativeAuthCase.Call) async throws(MSALNativeAuthStepError) -> [String] {
        let arguments = CaseArguments(values: call.arguments, authMethods: authMethods)
        var outcome = CaseOutcome(callback: call.expected["callback"]?.string ?? "")
        switch (call.target, call.method) {
        case ("app", "getNativeAuthUserAccount"):
            let account = application.getNativeAuthUserAccount(correlationId: arguments.correlationID)
            outcome = CaseOutcome("return", account: account)
        case ("account", "getAccessToken"):
            guard let account else { return ["nobody is signed in"] }
            let token = try await account.getAccessToken(parameters: arguments.getAccessToken)
            outcome.values["accessToken"] = .string(token.accessToken)
        case ("account", "signOut"):
            account?.signOut()
            outcome.callback = "return"
        default:
            let next: MSALNativeAuthFlowStep?
            switch call.target {
            case "app": next = try await start(call.method, arguments: arguments)
            default: next = try await goOn(call.method, arguments: arguments)
            }
            guard let next else { return ["no call \(call.method) on \(step.debugDescription)"] }
            step = next
            return differences(next, expected: call.expected)
        }
        account = outcome.account ?? account
        var expected = call.expected
        expected["scenario"] = nil
        return expected.isEmpty ? [] : outcome.differences(from: expected)
    }

    private mutating func differences(_ step: MSALNativeAuthFlowStep, expected: [String: JSONValue]) -> [String] {
        let described = DescribedStep(step)
        account = described.account ?? account
        authMethods = described.authMethods ?? authMethods
        var differences: [String] = []
        if let wanted = expected["async"]?.string, wanted != described.name {
            differences.append("the step is \(described.name), not \(wanted)")
        }
        if let wanted = expected["scenario"]?.string, let scenario = described.scenario, "\(scenario)" != wanted {
            differences.append("the scenario is \(scenario), not \(wanted)")
        }
        for (name, wanted) in expected["values"]?.object ?? [:] where described.values[name] != wanted {
            differences.append("\(name) is \(described.values[name]?.text ?? "absent"), not \(wanted.text)")
        }
        return differences
    }

    private func start(
        _ method: String,
        arguments: CaseArguments
    ) async throws(MSALNativeAuthStepError) -> MSALNativeAuthFlowStep? {
        switch method {
        case "signInV2": try await application.signInV2(parameters: arguments.signInV2)
        case "signUpV2": try await application.signUpV2(parameters: arguments.signUpV2)
        case "resetPasswordV2": try await application.resetPasswordV2(parameters: arguments.resetPasswordV2)
        default: nil
        }
    }

    /// The call of the latest step.
    private func goOn(
        _ method: String,
        arguments: CaseArguments
    ) async throws(MSALNativeAuthStepError) -> MSALNativeAuthFlowStep? {
        switch (step, method) {
        case (.codeRequired(let state), "submitCode"): return try await state.submit(code: arguments.text("code"))
        case (.codeRequired(let state), "resendCode"): return try await state.resendCode()
        case (.passwordRequired(let state), "submitPassword"):
            return try await state.submit(password: arguments.text("password"))
        case (.newPasswordRequired(let state), "submitNewPassword"):
            return try await state.submit(newPassword: arguments.text("newPassword"))
        case (.attributesRequired(let state), "submitAttributes"):
            return try await state.submit(attributes: arguments.attributes ?? [:])
        case (.authMethodSelectionRequired(let state), "selectAuthMethod"):
            guard let method = try? arguments.authMethod else { return nil }
            return try await state.select(method)
        case (.mfaCodeRequired(let state), "submitChallenge"):
            return try await state.submit(challenge: arguments.text("challenge"))
        case (.mfaCodeRequired(let state), "resendChallenge"): return try await state.resendChallenge()
        case (.registrationRequired(let state), "selectAuthMethod"):
            guard let method = try? arguments.authMethod else { return nil }
            return try await state.select(method, verificationContact: arguments.contact)
        case (.registrationCodeRequired(let state), "submitChallenge"):
            return try await state.submit(challenge: arguments.text("challenge"))
        case (.registrationCodeRequired(let state), "resendChallenge"): return try await state.resendChallenge()
        case (.signInAfterSignUp(let state), "signIn"), (.signInAfterResetPassword(let state), "signIn"):
            return try await state.signIn(scopes: arguments.scopes ?? [], claimsRequest: arguments.claims)
        default: return nil
        }
    }
}

/// A step as the cases describe it.
@MainActor
private struct DescribedStep {
    let name: String
    var scenario: MSALNativeAuthFlowScenario?
    var values: [String: JSONValue] = [:]
    var authMethods: [MSALAuthMethod]?
    var account: MSALNativeAuthUserAccountResult?

    init(_ step: MSALNativeAuthFlowStep) {
        switch step {
        case .codeRequired(let state):
            (name, scenario, values) = ("codeRequired", state.scenario, FlowCaseValues.code(state.delivery))
        case .passwordRequired(let state):
            (name, scenario) = ("passwordRequired", state.scenario)
        case .newPasswordRequired(let state):
            (name, scenario) = ("newPasswordRequired", state.scenario)
        case .attributesRequired(let state):
            (name, scenario) = ("attributesRequired", state.scenario)
            values = FlowCaseValues.attributes(state.attributes)
        case .authMethodSelectionRequired(let state):
            (name, scenario, authMethods) = ("authMethodSelectionRequired", state.scenario, state.authMethods)
        case .mfaCodeRequired(let state):
            (name, scenario, values) = ("mfaCodeRequired", state.scenario, FlowCaseValues.code(state.delivery))
        case .registrationRequired(let state):
            (name, scenario, authMethods) = ("registrationRequired", state.scenario, state.authMethods)
        case .registrationCodeRequired(let state):
            (name, scenario, values) = ("registrationCodeRequired", state.scenario, FlowCaseValues.code(state.delivery))
        case .signInAfterSignUp(let state):
            (name, scenario) = ("signInAfterSignUp", state.scenario)
        case .signInAfterResetPassword(let state):
            (name, scenario) = ("signInAfterResetPassword", state.scenario)
        case .browserRequired:
            name = "browserRequired"
        case .completed(let user):
            (name, account) = ("completed", user)
            values = CaseOutcome("", account: user).values
        }
        if let authMethods { values["authMethods"] = FlowCaseValues.methods(authMethods) }
    }
}
