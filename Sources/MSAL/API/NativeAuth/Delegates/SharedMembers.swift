// Licensed under the MIT License. See LICENSE.

// The optional members that several delegates share. Each has one default here, so that a class may adopt several
// delegates and implement none of them (decision S10). Apps adopt the delegates, not these.

/// The member of every delegate whose operation can end in a sign-in.
public protocol MSALNativeAuthSignInCompletedDelegate: AnyObject {
    /// Called when the user is signed in; the tokens are stored.
    @MainActor func onSignInCompleted(result: MSALNativeAuthUserAccountResult)
}

extension MSALNativeAuthSignInCompletedDelegate {
    /// Stands in for the missing member: the operation's error member is called instead.
    @MainActor public func onSignInCompleted(result: MSALNativeAuthUserAccountResult) {
        OptionalMember.markMissing()
    }
}

/// The members of every delegate whose operation can ask for a second factor.
public protocol MSALNativeAuthAwaitingMFADelegate: AnyObject {
    /// Called when the service wants a second factor: let the user choose a method, and request its challenge.
    @MainActor func onSignInAwaitingMFA(authMethods: [MSALAuthMethod], newState: AwaitingMFAState)

    /// The form of MSAL 1.6 to 2.4; called if the delegate lacks the one with the methods.
    @MainActor func onSignInAwaitingMFA(newState: AwaitingMFAState)
}

extension MSALNativeAuthAwaitingMFADelegate {
    /// Stands in for the missing member: the operation's error member is called instead.
    @MainActor public func onSignInAwaitingMFA(
        authMethods: [MSALAuthMethod],
        newState: AwaitingMFAState
    ) {
        OptionalMember.markMissing()
    }

    /// Stands in for the missing member: the operation's error member is called instead.
    @MainActor public func onSignInAwaitingMFA(newState: AwaitingMFAState) {
        OptionalMember.markMissing()
    }
}

/// The member of every delegate whose operation can ask for the registration of a method.
public protocol MSALNativeAuthStrongAuthRegistrationDelegate: AnyObject {
    /// Called when the user must register a strong authentication method: let the user choose one and give an address.
    @MainActor func onSignInStrongAuthMethodRegistration(
        authMethods: [MSALAuthMethod],
        newState: RegisterStrongAuthState
    )
}

extension MSALNativeAuthStrongAuthRegistrationDelegate {
    /// Stands in for the missing member: the operation's error member is called instead.
    @MainActor public func onSignInStrongAuthMethodRegistration(
        authMethods: [MSALAuthMethod],
        newState: RegisterStrongAuthState
    ) {
        OptionalMember.markMissing()
    }
}

/// The member of every delegate whose operation can ask for attributes.
public protocol MSALNativeAuthAttributesRequiredDelegate: AnyObject {
    /// Called when the service wants to know more about the user: ask for the attributes and submit them.
    @MainActor func onSignUpAttributesRequired(
        attributes: [MSALNativeAuthRequiredAttribute],
        newState: SignUpAttributesRequiredState
    )
}

extension MSALNativeAuthAttributesRequiredDelegate {
    /// Stands in for the missing member: the operation's error member is called instead.
    @MainActor public func onSignUpAttributesRequired(
        attributes: [MSALNativeAuthRequiredAttribute],
        newState: SignUpAttributesRequiredState
    ) {
        OptionalMember.markMissing()
    }
}

/// The member of every delegate whose operation can end in a new account.
public protocol MSALNativeAuthSignUpCompletedDelegate: AnyObject {
    /// Called when the account is made; the state signs the user in without asking again.
    @MainActor func onSignUpCompleted(newState: SignInAfterSignUpState)
}

extension MSALNativeAuthSignUpCompletedDelegate {
    /// Stands in for the missing member: the operation's error member is called instead.
    @MainActor public func onSignUpCompleted(newState: SignInAfterSignUpState) {
        OptionalMember.markMissing()
    }
}
