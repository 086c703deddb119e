// Licensed under the MIT License. See LICENSE.

/// Receives the outcome of `requestChallenge`.
public protocol MFARequestChallengeDelegate: AnyObject {
    /// Called when no code was sent. If there is a `newState`, it can ask for a code again, also with another method.
    @MainActor func onMFARequestChallengeError(error: MFARequestChallengeError, newState: MFARequiredState?)

    /// Optional. Called when a one-time code was sent; ask for it and submit it to the state.
    @MainActor func onMFARequestChallengeVerificationRequired(
        newState: MFARequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    )

    /// Optional. Only called by the deprecated `requestChallenge(delegate:)`, if the user must choose a method.
    @MainActor func onMFARequestChallengeSelectionRequired(authMethods: [MSALAuthMethod], newState: MFARequiredState)
}

extension MFARequestChallengeDelegate {
    /// The default for delegates that do not implement the member: the error member is called instead.
    @MainActor public func onMFARequestChallengeVerificationRequired(
        newState: MFARequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    ) {
        OptionalMember.markMissing()
    }

    /// The default for delegates that do not implement the member: the error member is called instead.
    @MainActor public func onMFARequestChallengeSelectionRequired(
        authMethods: [MSALAuthMethod],
        newState: MFARequiredState
    ) {
        OptionalMember.markMissing()
    }
}

/// Receives the outcome of `submitChallenge` of a second factor.
public protocol MFASubmitChallengeDelegate: MSALNativeAuthSignInCompletedDelegate {
    /// Called when the code was not accepted, or anything else failed. If there is a `newState`, submit a code to it.
    @MainActor func onMFASubmitChallengeError(error: MFASubmitChallengeError, newState: MFARequiredState?)

    /// Optional. Called when the user is signed in; the tokens are stored.
    @MainActor func onSignInCompleted(result: MSALNativeAuthUserAccountResult)
}

/// The delegate that received the methods of the second factor in MSAL 1.6 to 2.4.
@available(*, deprecated, message: "The methods come with onSignInAwaitingMFA(authMethods:newState:).")
public protocol MFAGetAuthMethodsDelegate: AnyObject {
    /// Called if the methods are unavailable. If there is a `newState`, another method can be tried with it.
    @MainActor func onMFAGetAuthMethodsError(error: MFAGetAuthMethodsError, newState: MFARequiredState?)

    /// Optional. Called with the methods; request the challenge of one.
    @MainActor func onMFAGetAuthMethodsSelectionRequired(authMethods: [MSALAuthMethod], newState: MFARequiredState)
}

@available(*, deprecated, message: "The methods come with onSignInAwaitingMFA(authMethods:newState:).")
extension MFAGetAuthMethodsDelegate {
    /// The default for delegates that do not implement the member: the error member is called instead.
    @MainActor public func onMFAGetAuthMethodsSelectionRequired(
        authMethods: [MSALAuthMethod],
        newState: MFARequiredState
    ) {
        OptionalMember.markMissing()
    }
}

// MARK: - Shared by several delegates

/// The members of every delegate whose operation can require a second factor.
public protocol MSALNativeAuthAwaitingMFADelegate: AnyObject {
    /// Called when the service requires a second factor: let the user choose a method, and request its challenge.
    @MainActor func onSignInAwaitingMFA(authMethods: [MSALAuthMethod], newState: AwaitingMFAState)

    /// The member of MSAL 1.6 to 2.4. It is called if the delegate lacks the member with the methods.
    @MainActor func onSignInAwaitingMFA(newState: AwaitingMFAState)
}

extension MSALNativeAuthAwaitingMFADelegate {
    /// The default for delegates that do not implement the member: the operation's error member is called instead.
    @MainActor public func onSignInAwaitingMFA(authMethods: [MSALAuthMethod], newState: AwaitingMFAState) {
        OptionalMember.markMissing()
    }

    /// The default for delegates that do not implement the member: the operation's error member is called instead.
    @MainActor public func onSignInAwaitingMFA(newState: AwaitingMFAState) {
        OptionalMember.markMissing()
    }
}
