// Licensed under the MIT License. See LICENSE.

// Several delegates share some optional members. Each shared member, with its one default, is in a protocol of our own,
// whose name is not Microsoft's. With a default in each delegate, a class that adopts several delegates would have to
// implement the shared members. Apps adopt the delegates and not these protocols.

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
