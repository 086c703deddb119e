// Licensed under the MIT License. See LICENSE.

import MSAL

// The flows that make an account or change its password.
extension NativeConversation {
    /// Makes an account.
    ///
    /// - Parameter attributes: What is known of the user before the service asks.
    /// - Returns: The way to sign the new user in; `nil` if the browser did so already.
    /// - Throws: As `signIn()`.
    func signUp(attributes: [String: String]) async throws -> MSALNativeAuthFollowingSignIn? {
        let parameters = MSALNativeAuthSignUpParameters(username: user)
        if !attributes.isEmpty { parameters.attributes = attributes }
        var step = try await application.signUp(parameters: parameters)
        while true {
            switch step {
            case .completed(let next):
                return next
            case .codeRequired(let place):
                step = try await enteringCode(place.delivery) {
                    try await place.submit(code: $0)
                } resend: {
                    try await place.resendCode()
                }
            case .passwordRequired(let place):
                step = try await asking(.newPassword) {
                    try await interviewer.newPassword(for: user)
                } submit: {
                    try await place.submit(password: $0.exposed)
                }
            case .attributesRequired(let place):
                step = try await place.submit(attributes: try await values(of: place.attributes))
            case .attributesInvalid(let refused):
                guard let retry = refused.retry, interviewer.canAskAgain(.attributes) else {
                    throw Failure.refusedAttributes(refused.names)
                }
                interviewer.tell("The service refused these values; give others.")
                let wrong = retry.attributes.filter { refused.names.contains($0.name) }
                step = try await retry.submit(attributes: try await values(of: wrong))
            case .browserRequired(let handover):
                _ = try await goOn(handover)
                return nil
            }
        }
    }

    /// Gives the account a new password.
    ///
    /// - Returns: The way to sign the user in; `nil` if the browser did so already.
    /// - Throws: As `signIn()`.
    func resetPassword() async throws -> MSALNativeAuthFollowingSignIn? {
        let parameters = MSALNativeAuthResetPasswordParameters(username: user)
        var step = try await application.resetPassword(parameters: parameters)
        while true {
            switch step {
            case .completed(let next):
                return next
            case .codeRequired(let place):
                step = try await enteringCode(place.delivery) {
                    try await place.submit(code: $0)
                } resend: {
                    try await place.resendCode()
                }
            case .passwordRequired(let place):
                step = try await asking(.newPassword) {
                    try await interviewer.newPassword(for: user)
                } submit: {
                    try await place.submit(password: $0.exposed)
                }
            case .browserRequired(let handover):
                _ = try await goOn(handover)
                return nil
            }
        }
    }

    private func values(of attributes: [MSALNativeAuthRequiredAttribute]) async throws -> [String: Any] {
        var values: [String: Any] = [:]
        for attribute in attributes {
            let question = AttributeQuestion(
                name: attribute.name,
                type: attribute.type,
                isRequired: attribute.required,
                pattern: attribute.regex
            )
            values[attribute.name] = try await interviewer.attribute(question)?.foundationObject
        }
        return values
    }
}
