// Licensed under the MIT License. See LICENSE.

import CommandOutput
import MSAL

// The flows of V2. One loop handles the steps of all three flows.
extension NativeConversation {
    /// Signs the user in.
    ///
    /// - Throws: As `signIn()`.
    func signInV2() async throws -> MSALNativeAuthUserAccountResult {
        let parameters = MSALNativeAuthSignInParametersV2(username: user)
        parameters.scopes = scopes
        return try await account(at: try await followV2(try await application.signInV2(parameters: parameters)))
    }

    /// Creates an account.
    ///
    /// - Parameter attributes: The attributes that are known before the service asks.
    /// - Returns: The way to sign the new user in, or the account if it is signed in already.
    /// - Throws: As `signIn()`.
    func signUpV2(attributes: [String: String]) async throws -> End {
        let parameters = MSALNativeAuthSignUpParametersV2(username: user)
        parameters.attributes = attributes
        parameters.scopes = scopes
        return try await followV2(try await application.signUpV2(parameters: parameters))
    }

    /// Sets a new password for the account.
    func resetPasswordV2() async throws -> End {
        let parameters = MSALNativeAuthResetPasswordParametersV2(username: user)
        parameters.scopes = scopes
        return try await followV2(try await application.resetPasswordV2(parameters: parameters))
    }

    /// Signs in the user who has just signed up or changed the password.
    func signInV2(
        after following: MSALNativeAuthFlowStep.FollowingSignIn
    ) async throws -> MSALNativeAuthUserAccountResult {
        try await account(at: try await followV2(try await following.signIn(scopes: scopes)))
    }

    /// The account at the end of a sign-in. The library never ends a sign-in otherwise.
    private func account(at end: End) async throws -> MSALNativeAuthUserAccountResult {
        switch end {
        case .signedIn(let account): account
        case .done, .finished: try await signIn(after: end)
        }
    }

    /// Handles the steps of a flow until it ends.
    private func followV2(_ first: MSALNativeAuthFlowStep) async throws -> End {
        var step = first
        var form: AttributeForm?
        var password: PrivateText?
        while true {
            switch step {
            case .completed(let account):
                return .signedIn(account)
            case .signInAfterSignUp(let following), .signInAfterResetPassword(let following):
                return .finished(following)
            case .browserRequired(let handover):
                return .signedIn(try await continueInBrowser(handover))
            case .codeRequired(let state):
                step = try await enteringCode(state.delivery, submit: state.submit(code:), resend: state.resendCode)
            case .mfaCodeRequired(let state):
                step = try await enteringCode(
                    state.delivery,
                    submit: state.submit(challenge:),
                    resend: state.resendChallenge
                )
            case .registrationCodeRequired(let state):
                step = try await enteringCode(
                    state.delivery,
                    submit: state.submit(challenge:),
                    resend: state.resendChallenge
                )
            case .passwordRequired(let state):
                do {
                    step = try await entering(&password, of: state)
                } catch let error as MSALNativeAuthStepError {
                    // The service checks the attributes only when the password comes with them.
                    guard error.reason == .invalidAttributes, var refused = form else { throw error }
                    step = try await refused.correct(error.attributeNames, in: self)
                    form = refused
                }
            case .newPasswordRequired(let state):
                step = try await asking(.newPassword) {
                    try await prompter.newPassword(for: user)
                } submit: {
                    do throws(MSALNativeAuthStepError) {
                        return try await state.submit(newPassword: $0.exposed)
                    } catch {
                        throw error.isUnexplained ? Failure.passwordNotChanged(error) : error
                    }
                }
            case .attributesRequired(let state):
                var new = AttributeForm(state: state)
                step = try await new.fillIn(in: self)
                form = new
            case .authMethodSelectionRequired(let state) where state.isSecondFactor:
                step = try await secondFactor(state.authMethods, submit: state.select(_:))
            case .authMethodSelectionRequired(let state):
                step = try await asking(.method) {
                    try await choice(of: state.authMethods, for: "Continue with:")
                } submit: {
                    try await state.select($0)
                }
            case .registrationRequired(let state):
                step = try await registering(state.authMethods) { method, contact in
                    // The service has already verified the user's own address, so this answer needs no question.
                    let isKnown = method.channelTargetType.isEmailType && contact == user
                    return try await state.select(method, verificationContact: isKnown ? nil : contact)
                }
            }
        }
    }

    /// Asks for the password. A new password is asked for only once, even if the service refuses the attributes that
    /// were sent with it.
    ///
    /// `password`: Before the call, the password that was entered earlier; after it, the one that was entered now.
    private func entering(
        _ password: inout PrivateText?,
        of state: MSALNativeAuthFlowStep.PasswordRequired
    ) async throws -> MSALNativeAuthFlowStep {
        let isNew = state.scenario == .signUp
        var known = password
        var entered: PrivateText?
        defer { password = entered }
        return try await asking(isNew ? .newPassword : .password) {
            if let again = known, isNew {
                known = nil
                return again
            }
            return try await isNew ? prompter.newPassword(for: user) : prompter.password(of: user)
        } submit: {
            entered = $0
            return try await state.submit(password: $0.exposed)
        }
    }
}

/// The attributes that the service asked for, and the answers so far.
private struct AttributeForm {
    let state: MSALNativeAuthFlowStep.AttributesRequired
    private var sent: [String: AnswerValue] = [:]

    init(state: MSALNativeAuthFlowStep.AttributesRequired) { self.state = state }

    /// Asks for all attributes.
    mutating func fillIn(in conversation: NativeConversation) async throws -> MSALNativeAuthFlowStep {
        sent = try await conversation.values(of: state.attributes, after: nil)
        return try await submit(in: conversation)
    }

    /// Asks again for the attributes that the service refuses.
    mutating func correct(
        _ names: [String],
        in conversation: NativeConversation
    ) async throws -> MSALNativeAuthFlowStep {
        let wrong = state.attributes.filter { names.contains($0.name) }
        guard !wrong.isEmpty, conversation.prompter.canAskAgain(.attributes) else {
            throw Failure.refusedAttributes(names)
        }
        for attribute in wrong { conversation.prompter.show(NativeConversation.refusal(of: attribute)) }
        sent = try await conversation.values(of: wrong, after: sent)
        return try await submit(in: conversation)
    }

    private mutating func submit(in conversation: NativeConversation) async throws -> MSALNativeAuthFlowStep {
        do throws(MSALNativeAuthStepError) {
            return try await state.submit(attributes: sent.mapValues(\.foundationObject))
        } catch {
            guard error.reason == .invalidAttributes, error.canRetry else { throw error }
            return try await correct(error.attributeNames, in: conversation)
        }
    }
}
