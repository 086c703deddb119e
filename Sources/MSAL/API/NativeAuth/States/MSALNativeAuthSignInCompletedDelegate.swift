// Licensed under the MIT License. See LICENSE.

// Several delegates share some optional members. Each shared member, with its default, is in a separate protocol whose
// name is not Microsoft's. With a default in each delegate, a class that conforms to several delegates would have to
// implement the shared members. Apps conform to the delegates and not to these protocols.

/// The member of every delegate whose operation can complete a sign-in.
public protocol MSALNativeAuthSignInCompletedDelegate: AnyObject {
    /// Called when the user is signed in; the tokens are stored.
    @MainActor func onSignInCompleted(result: MSALNativeAuthUserAccountResult)
}

extension MSALNativeAuthSignInCompletedDelegate {
    /// The default for delegates that do not implement the member: the operation's error member is called instead.
    @MainActor public func onSignInCompleted(result: MSALNativeAuthUserAccountResult) {
        OptionalMember.markMissing()
    }
}
