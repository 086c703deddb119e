// Licensed under the MIT License. See LICENSE.

/// A request for a token with a code that the user enters in a browser on another device (RFC 8628). Linux only.
///
/// `account` is not used: the user may sign in with any account. Compare the result's account.
public final class MSALDeviceCodeTokenParameters: MSALTokenParameters {
    /// Receives the states of the sign-in, on any thread: show the code of the first one.
    ///
    /// ``MSALDeviceCodeState/Kind/signedIn`` is not passed because the call returns the result.
    public var onState: (@Sendable (MSALDeviceCodeState) -> Void)?

    /// How long the user may take; `nil`, the default, means the lifetime of the code. Then the call ends with
    /// ``MSALError/userCanceled``.
    public var timeout: Duration?

    /// Creates parameters for these scopes.
    ///
    /// `onState` receives the code to show.
    public init(scopes: [String], onState: (@Sendable (MSALDeviceCodeState) -> Void)? = nil) {
        self.onState = onState
        super.init(scopes: scopes)
    }
}
