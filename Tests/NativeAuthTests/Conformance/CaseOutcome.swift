// Licensed under the MIT License. See LICENSE.

import Foundation

@testable import MSAL
@testable import MSALBase

/// The outcome of a call, as the delegate saw it.
struct CaseOutcome {
    var callback: String
    var error: MSALNativeAuthError?
    /// The new state; `.some(nil)` if the member has one and it is nil.
    var state: NSObject??
    var values: [String: JSONValue] = [:]
    var account: MSALNativeAuthUserAccountResult?
    var authMethods: [MSALAuthMethod]?

    /// The differences from what a case expects; empty if there are none.
    func differences(from expected: [String: JSONValue]) -> [String] {
        var differences: [String] = []
        func compare(_ name: String, actual: JSONValue?, wanted: JSONValue?) {
            if actual != wanted {
                differences.append("\(name) is \(actual?.text ?? "absent"), not \(wanted?.text ?? "absent")")
            }
        }
        compare("callback", actual: .string(callback), wanted: expected["callback"])
        if let error = expected["error"]?.object {
            differences += errorDifferences(from: error)
        } else if let error {
            differences.append("unexpected error \(error.errorDescription ?? "")")
        }
        if let wanted = expected["state"] {
            switch state {
            case .none: differences.append("the member has no state")
            case .some(let state):
                compare(
                    "state",
                    actual: state.map { .string(String(describing: type(of: $0))) } ?? .null,
                    wanted: wanted
                )
            }
        }
        if let wanted = expected["stateToken"] {
            compare(
                "stateToken",
                actual: state.flatMap(\.self).flatMap(CaseOutcome.token).map(JSONValue.string),
                wanted: wanted
            )
        }
        for (name, wanted) in expected["values"]?.object ?? [:] { compare(name, actual: values[name], wanted: wanted) }
        return differences
    }

    private func errorDifferences(from expected: [String: JSONValue]) -> [String] {
        guard let error else { return ["there is no error"] }
        var differences: [String] = []
        func compare(_ name: String, actual: JSONValue, wanted: JSONValue?) {
            guard let wanted, actual != wanted else { return }
            differences.append("\(name) is \(actual.text), not \(wanted.text)")
        }
        let text = error.errorDescription ?? ""
        compare("class", actual: .string(String(describing: type(of: error))), wanted: expected["class"])
        if let flags = expected["flags"]?.array {
            let wanted = Set(flags.compactMap(\.string))
            if error.raisedFlags != wanted { differences.append("flags are \(error.raisedFlags), not \(wanted)") }
        }
        compare("description", actual: .string(text), wanted: expected["description"])
        for part in expected["descriptionContains"]?.array?.compactMap(\.string) ?? [] where !text.contains(part) {
            differences.append("description “\(text)” lacks “\(part)”")
        }
        for part in expected["descriptionExcludes"]?.array?.compactMap(\.string) ?? [] where text.contains(part) {
            differences.append("description “\(text)” has “\(part)”")
        }
        if expected["descriptionNot"] == .string(text) { differences.append("description is “\(text)”") }
        compare("codes", actual: .array(error.errorCodes.map { .integer(Int64($0)) }), wanted: expected["codes"])
        if let wanted = expected["correlationId"]?.string, UUID(uuidString: wanted) != error.correlationId {
            differences.append("correlationId is \(error.correlationId)")
        }
        return differences
    }

    /// The continuation token of a state.
    static func token(of state: NSObject) -> String? {
        if let state = state as? MSALNativeAuthState { return state.flow.continuation.token.exposed }
        if let state = state as? SignInAfterPreviousFlowBaseState { return state.finished.token?.exposed }
        return (state as? MSALNativeAuthBaseState)?.continuation.token.exposed
    }
}

extension MSALNativeAuthError {
    /// The names of the flags that are set.
    var raisedFlags: Set<String> {
        let flags: [String: Bool] =
            switch self {
            case let error as SignInStartError:
                [
                    "isBrowserRequired": error.isBrowserRequired, "isUserNotFound": error.isUserNotFound,
                    "isInvalidCredentials": error.isInvalidCredentials, "isInvalidUsername": error.isInvalidUsername,
                ]
            case let error as SignUpStartError:
                [
                    "isBrowserRequired": error.isBrowserRequired, "isUserAlreadyExists": error.isUserAlreadyExists,
                    "isInvalidPassword": error.isInvalidPassword, "isInvalidUsername": error.isInvalidUsername,
                ]
            case let error as ResetPasswordStartError:
                [
                    "isBrowserRequired": error.isBrowserRequired,
                    "isUserDoesNotHavePassword": error.isUserDoesNotHavePassword,
                    "isUserNotFound": error.isUserNotFound, "isInvalidUsername": error.isInvalidUsername,
                ]
            case let error as VerifyCodeError:
                ["isBrowserRequired": error.isBrowserRequired, "isInvalidCode": error.isInvalidCode]
            case let error as PasswordRequiredError:
                ["isBrowserRequired": error.isBrowserRequired, "isInvalidPassword": error.isInvalidPassword]
            case let error as MFARequestChallengeError:
                ["isBrowserRequired": error.isBrowserRequired, "isAuthMethodBlocked": error.isAuthMethodBlocked]
            case let error as MFASubmitChallengeError:
                ["isBrowserRequired": error.isBrowserRequired, "isInvalidChallenge": error.isInvalidChallenge]
            case let error as RegisterStrongAuthChallengeError:
                [
                    "isBrowserRequired": error.isBrowserRequired, "isInvalidInput": error.isInvalidInput,
                    "isVerificationContactBlocked": error.isVerificationContactBlocked,
                ]
            case let error as RegisterStrongAuthSubmitChallengeError:
                ["isBrowserRequired": error.isBrowserRequired, "isInvalidChallenge": error.isInvalidChallenge]
            case let error as RetrieveAccessTokenError:
                [
                    "isBrowserRequired": error.isBrowserRequired, "isRefreshTokenExpired": error.isRefreshTokenExpired,
                    "isInvalidScope": error.isInvalidScope,
                ]
            case let error as MSALNativeAuthFlowError:
                [
                    "isNotImplemented": error.isNotImplemented, "isUserNotFound": error.isUserNotFound,
                    "isInvalidCode": error.isInvalidCode, "isInvalidPassword": error.isInvalidPassword,
                    "isInvalidUsername": error.isInvalidUsername,
                    "isUserDoesNotHavePassword": error.isUserDoesNotHavePassword,
                    "isUserAlreadyExists": error.isUserAlreadyExists, "isInvalidChallenge": error.isInvalidChallenge,
                    "isAuthMethodBlocked": error.isAuthMethodBlocked,
                    "isVerificationContactBlocked": error.isVerificationContactBlocked,
                    "isInvalidInput": error.isInvalidInput, "isInvalidAttributes": error.isInvalidAttributes,
                    "isBrowserRequired": error.isBrowserRequired, "isGeneralError": error.isGeneralError,
                ]
            case let error as MSALNativeAuthGenericError:
                ["isBrowserRequired": error.isBrowserRequired]
            default:
                [:]
            }
        return Set(flags.filter(\.value).keys)
    }
}
