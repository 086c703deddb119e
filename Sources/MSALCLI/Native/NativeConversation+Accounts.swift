// Licensed under the MIT License. See LICENSE.

import CommandOutput
import MSAL

// The flows that create an account or change its password.
extension NativeConversation {
    /// The end of a sign-up or a password change.
    enum End {
        /// The flow ended here. The user can be signed in without another question.
        case done(MSALNativeAuthFollowingSignIn)
        /// A flow of V2 ended here. The user can be signed in without another question.
        case finished(MSALNativeAuthFlowStep.FollowingSignIn)
        /// The flow ended in the browser, and the browser signed the user in too.
        case signedIn(MSALNativeAuthUserAccountResult)
    }

    /// Signs in the user who has just signed up or changed the password. The flow's answers are not asked for again.
    ///
    /// - Parameter end: How the flow ended.
    /// - Returns: Who is signed in.
    /// - Throws: As `signIn()`.
    func signIn(after end: End) async throws -> MSALNativeAuthUserAccountResult {
        let next: MSALNativeAuthFollowingSignIn
        switch end {
        case .signedIn(let user): return user
        case .finished(let following): return try await signInV2(after: following)
        case .done(let following): next = following
        }
        let first: MSALNativeAuthSignInStep
        do throws(MSALNativeAuthStepError) {
            first = try await next.signIn(scopes: scopes)
        } catch {
            guard error.reason == .general else { throw error }
            // The service may give no means to sign in without the password.
            prompter.show("Continuing with a new sign-in: \(error.advice)")
            return try await signIn()
        }
        return try await follow(first)
    }

    /// Creates an account.
    ///
    /// - Parameter attributes: The attributes that are known before the service asks.
    /// - Returns: The way to sign the new user in, or the account if it is signed in already.
    /// - Throws: As `signIn()`.
    func signUp(attributes: [String: String]) async throws -> End {
        let parameters = MSALNativeAuthSignUpParameters(username: user)
        if !attributes.isEmpty { parameters.attributes = attributes }
        var sent: [String: AnswerValue]?
        var step = try await application.signUp(parameters: parameters)
        while true {
            switch step {
            case .completed(let next):
                return .done(next)
            case .codeRequired(let state):
                step = try await enteringCode(state.delivery, submit: state.submit(code:), resend: state.resendCode)
            case .passwordRequired(let state):
                step = try await asking(.newPassword) {
                    try await prompter.newPassword(for: user)
                } submit: {
                    try await state.submit(password: $0.exposed)
                }
            case .attributesRequired(let state):
                let values = try await values(of: state.attributes, after: sent)
                sent = values
                step = try await state.submit(attributes: values.mapValues(\.foundationObject))
            case .attributesInvalid(let refused):
                guard let retry = refused.retry, prompter.canAskAgain(.attributes) else {
                    throw Failure.refusedAttributes(refused.names)
                }
                let wrong = retry.attributes.filter { refused.names.contains($0.name) }
                for attribute in wrong { prompter.show(Self.refusal(of: attribute)) }
                let values = try await values(of: wrong, after: sent)
                sent = values
                step = try await retry.submit(attributes: values.mapValues(\.foundationObject))
            case .browserRequired(let handover):
                return .signedIn(try await continueInBrowser(handover))
            }
        }
    }

    /// Sets a new password for the account.
    ///
    /// - Returns: The way to sign the user in, or the account if it is signed in already.
    /// - Throws: As `signIn()`.
    func resetPassword() async throws -> End {
        let parameters = MSALNativeAuthResetPasswordParameters(username: user)
        var step = try await application.resetPassword(parameters: parameters)
        while true {
            switch step {
            case .completed(let next):
                return .done(next)
            case .codeRequired(let state):
                step = try await enteringCode(state.delivery, submit: state.submit(code:), resend: state.resendCode)
            case .passwordRequired(let state):
                step = try await asking(.newPassword) {
                    try await prompter.newPassword(for: user)
                } submit: {
                    do {
                        return try await state.submit(password: $0.exposed)
                    } catch let error as MSALNativeAuthStepError where error.isUnexplained && !error.canRetry {
                        throw Failure.passwordNotChanged(error)
                    }
                }
            case .browserRequired(let handover):
                return .signedIn(try await continueInBrowser(handover))
            }
        }
    }

    static func refusal(of attribute: MSALNativeAuthRequiredAttribute) -> TerminalText {
        let rule = attribute.regex.map { ", which must match \($0)" } ?? ""
        return "The service rejected the value of \(attribute.name)\(rule)."
    }

    /// All attributes to send: the new answers and the attributes that were sent before. The service forgets those when
    /// it refuses one.
    ///
    /// - Throws: `Failure` if the service would get the same values again because the user was not asked.
    func values(
        of attributes: [MSALNativeAuthRequiredAttribute],
        after sent: [String: AnswerValue]?
    ) async throws -> [String: AnswerValue] {
        var values = sent ?? [:]
        for attribute in attributes {
            let question = AttributePrompt(name: attribute.name, type: attribute.type, isRequired: attribute.required)
            values[attribute.name] = try await prompter.attribute(question)
        }
        let asksPerson = prompter.canAskAgain(.attributes) && !attributes.isEmpty
        guard values != sent || asksPerson else { throw Failure.refusedAttributes(attributes.map(\.name)) }
        return values
    }
}
