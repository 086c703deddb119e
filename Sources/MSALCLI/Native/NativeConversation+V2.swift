// Licensed under the MIT License. See LICENSE.

import CommandOutput
import MSAL

// The flows of V2. One loop answers the steps of all three.
extension NativeConversation {
    /// Signs the user in.
    ///
    /// - Throws: As `signIn()`.
    func signInV2() async throws -> MSALNativeAuthUserAccountResult {
        let parameters = MSALNativeAuthSignInParametersV2(username: user)
        parameters.scopes = scopes
        return try await account(at: try await followV2(try await application.signInV2(parameters: parameters)))
    }

    /// Makes an account.
    ///
    /// - Parameter attributes: What is known of the user before the service asks.
    /// - Returns: The way to sign the new user in, or who is signed in already.
    /// - Throws: As `signIn()`.
    func signUpV2(attributes: [String: String]) async throws -> End {
        let parameters = MSALNativeAuthSignUpParametersV2(username: user)
        parameters.attributes = attributes
        parameters.scopes = scopes
        return try await followV2(try await application.signUpV2(parameters: parameters))
    }

    /// Gives the account a new password.
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

    /// The account at the end of a sign-in. The library gives a sign-in no other end.
    private func account(at end: End) async throws -> MSALNativeAuthUserAccountResult {
        switch end {
        case .signedIn(let account): account
        case .done, .finished: try await signIn(after: end)
        }
    }

    /// Answers the steps of a flow up to its end.
    private func followV2(_ first: MSALNativeAuthFlowStep) async throws -> End {
        var step = first
        while true {
            switch step {
            case .completed(let account):
                return .signedIn(account)
            case .signInAfterSignUp(let following), .signInAfterResetPassword(let following):
                return .finished(following)
            case .browserRequired(let handover):
                return .signedIn(try await goOn(handover))
            case .codeRequired(let state):
                step = try await enteringCode(state.delivery) {
                    try await state.submit(code: $0)
                } resend: {
                    try await state.resendCode()
                }
            case .mfaCodeRequired(let state):
                step = try await enteringCode(state.delivery) {
                    try await state.submit(challenge: $0)
                } resend: {
                    try await state.resendChallenge()
                }
            case .registrationCodeRequired(let state):
                step = try await enteringCode(state.delivery) {
                    try await state.submit(challenge: $0)
                } resend: {
                    try await state.resendChallenge()
                }
            case .passwordRequired(let state):
                let isNew = state.scenario == .signUp
                step = try await asking(isNew ? .newPassword : .password) {
                    try await isNew ? interviewer.newPassword(for: user) : interviewer.password(of: user)
                } submit: {
                    try await state.submit(password: $0.exposed)
                }
            case .newPasswordRequired(let state):
                step = try await asking(.newPassword) {
                    try await interviewer.newPassword(for: user)
                } submit: {
                    do throws(MSALNativeAuthStepError) {
                        return try await state.submit(newPassword: $0.exposed)
                    } catch {
                        throw error.isUnexplained ? Failure.passwordNotChanged(error) : error
                    }
                }
            case .attributesRequired(let state):
                step = try await fillingIn(state)
            case .authMethodSelectionRequired(let state) where state.isSecondFactor:
                step = try await secondFactor(state.authMethods) { try await state.select($0) }
            case .authMethodSelectionRequired(let state):
                step = try await asking(.method) {
                    try await choice(of: state.authMethods, for: "Go on with:")
                } submit: {
                    try await state.select($0)
                }
            case .registrationRequired(let state):
                step = try await registering(state.authMethods) { method, contact in
                    // The service has verified the user's own address already, and takes it without being told.
                    let isKnown = method.channelTargetType.isEmailType && contact == user
                    return try await state.select(method, verificationContact: isKnown ? nil : contact)
                }
            }
        }
    }

    /// Asks for attributes, and once more for those that the service refuses.
    private func fillingIn(_ state: MSALNativeAuthFlowStep.AttributesRequired) async throws -> MSALNativeAuthFlowStep {
        var sent = try await values(of: state.attributes, after: nil)
        while true {
            do throws(MSALNativeAuthStepError) {
                return try await state.submit(attributes: sent.mapValues(\.foundationObject))
            } catch {
                guard error.reason == .invalidAttributes else { throw error }
                let wrong = state.attributes.filter { error.attributeNames.contains($0.name) }
                guard error.canRetry, !wrong.isEmpty, interviewer.canAskAgain(.attributes) else {
                    throw Failure.refusedAttributes(error.attributeNames)
                }
                for attribute in wrong { interviewer.tell(Self.refusal(of: attribute)) }
                sent = try await values(of: wrong, after: sent)
            }
        }
    }
}
