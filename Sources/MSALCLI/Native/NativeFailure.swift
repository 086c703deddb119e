// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

extension Failure {
    /// The failure for the error that ended a flow of native authentication.
    init(_ error: MSALNativeAuthStepError) {
        self.init(error as NSError)
        status = error.reason.status ?? status
        let passwordRemedy: String? =
            if error.requiresNewPassword {
                "Set a new password: msal native reset-password USER"
            } else {
                error.refusesNewPassword ? "Choose another password." : nil
            }
        // The remedy for the service's number is more precise than that for the library's reason, unless it is a
        // sign-in.
        let advice = ServiceRemedy(error).flatMap { $0 == .signIn || $0 == .unknownAccount ? nil : $0 }
        remedy = advice?.text(RemedyContext(isNative: true)) ?? passwordRemedy ?? error.reason.remedy ?? remedy
    }

    /// The service requires the browser, but the command may not open it.
    static func browserRequired(_ handover: MSALNativeAuthBrowserHandover, staysSignedOut: Bool) -> Failure {
        Failure(
            status: .interactionRequired,
            code: MSALError.interactionRequired.rawValue,
            message: "The service requires this user to continue in the browser: \(handover.reason)",
            remedy: staysSignedOut ? "Pass --browser without --no-sign-in, or run: msal login" : Remedy.browser,
            correlationID: handover.correlationId.uuidString
        )
    }

    /// The service accepted a password reset but did not finish it.
    static func passwordNotChanged(_ error: MSALNativeAuthStepError) -> Failure {
        var failure = Failure(error)
        failure.message = "The service accepted the new password but did not finish in time."
        failure.remedy = "Try the new password: msal native sign-in USER. If it does not work, start again."
        return failure
    }

    /// The service refused attributes that cannot be asked for again.
    static func refusedAttributes(_ names: [String]) -> Failure {
        .usage(
            "The service rejected the value of \(names.isEmpty ? "an attribute" : names.joined(separator: ", ")).",
            remedy: Remedy.attributes
        )
    }
}

extension MSALNativeAuthStepError {
    /// Whether the password is right, but has expired (AADSTS50055) or has to be changed (AADSTS50142).
    var requiresNewPassword: Bool { errorCodes.contains { [50055, 50142].contains($0) } }

    /// Whether the service refused a new password. A password that was entered to sign in does not count.
    fileprivate var refusesNewPassword: Bool {
        let suberror = userInfo[MSALOAuthSubErrorKey] as? String
        // V1 writes such error words with underscores, V2 in camel case. In a sign-up of V2 the password is an
        // attribute.
        let isRule = suberror?.hasPrefix("password") == true || serverError?.invalidAttributes.isEmpty == false
        return reason == .invalidPassword && isRule
    }

    /// Whether neither the service nor the network gave a cause.
    var isUnexplained: Bool { reason == .general && serverError == nil && underlyingError == nil }

    /// The refusal, and what the user can do at the next question.
    var advice: String {
        let failure = Failure(self)
        return [failure.message, reason.hint].compactMap(\.self).joined(separator: " ")
    }
}

extension MSALNativeAuthStepError.Reason {
    /// The exit status; `nil` if the number of the error decides.
    fileprivate var status: CommandExit? {
        switch self {
        case .general: nil
        case .canceled: .canceled
        case .serviceUnavailable: .network
        case .signInRequired, .browserRequired: .interactionRequired
        case .invalidUsername: .usage
        case .userNotFound, .userAlreadyExists, .userDoesNotHavePassword, .invalidCredentials, .invalidPassword,
            .invalidCode, .invalidInput, .invalidAttributes, .authMethodBlocked, .verificationContactBlocked:
            .failed
        }
    }

    /// The remedy after the command has ended; `nil` if the number of the error decides.
    fileprivate var remedy: String? {
        switch self {
        case .general, .canceled, .serviceUnavailable: nil
        case .signInRequired: "Sign in again: msal native sign-in USER"
        case .userNotFound: "Check the address, or sign up: msal native sign-up USER"
        case .userAlreadyExists: "Sign in: msal native sign-in USER"
        case .userDoesNotHavePassword: "Sign in with a code: msal native sign-in USER"
        case .invalidUsername: "Pass the user's e-mail address."
        case .invalidCredentials, .invalidPassword: "To reset the password: msal native reset-password USER"
        case .invalidCode: "Start again to get a new code."
        case .invalidInput, .verificationContactBlocked: "Start again with another address or number."
        case .invalidAttributes: Remedy.attributes
        case .authMethodBlocked: "Start again with another method."
        case .browserRequired: Remedy.browser
        }
    }

    /// The advice to the user for the next question.
    fileprivate var hint: String? {
        switch self {
        case .invalidCode: "Enter the code in the newest message, or request another one."
        case .invalidPassword, .invalidCredentials: "Try again, or cancel with Ctrl-C."
        case .invalidInput, .verificationContactBlocked: "Enter another one."
        case .invalidAttributes: "Enter other values."
        case .authMethodBlocked: "Choose another."
        case .general, .canceled, .serviceUnavailable, .signInRequired, .userNotFound, .userAlreadyExists,
            .userDoesNotHavePassword, .invalidUsername, .browserRequired:
            nil
        }
    }
}
