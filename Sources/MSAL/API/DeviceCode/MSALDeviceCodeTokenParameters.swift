// Licensed under the MIT License. See LICENSE.

/// A request for a token with a code that the user types in a browser elsewhere (RFC 8628). Linux only.
///
/// `account` is not used: the user may sign in with any. Compare the result's account.
public final class MSALDeviceCodeTokenParameters: MSALTokenParameters {
    /// Gets the states of the sign-in, on any thread: show the code of the first one.
    ///
    /// ``MSALDeviceCodeState/Kind/signedIn`` is not among them, because the call returns the result.
    public var onState: (@Sendable (MSALDeviceCodeState) -> Void)?

    /// The time the user has; `nil`, the default, is the life of the code. Then the call ends with
    /// ``MSALError/userCanceled``.
    public var timeout: Duration?

    /// Parameters for these scopes.
    ///
    /// `onState` gets the code to show.
    public init(scopes: [String], onState: (@Sendable (MSALDeviceCodeState) -> Void)? = nil) {
        self.onState = onState
        super.init(scopes: scopes)
    }
}
