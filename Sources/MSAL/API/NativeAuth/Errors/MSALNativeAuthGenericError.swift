// Licensed under the MIT License. See LICENSE.

/// The failure of an operation that tells only one thing apart: whether the browser is needed.
public class MSALNativeAuthGenericError: MSALNativeAuthError, @unchecked Sendable {
    /// Whether the user must go on in the browser: call `acquireToken(with:)` of the application.
    public var isBrowserRequired: Bool { failure.kind == .browserRequired }
}

/// The failure to send another code.
public final class ResendCodeError: MSALNativeAuthGenericError, @unchecked Sendable {}

/// The failure of a sign-up when attributes were submitted.
public final class AttributesRequiredError: MSALNativeAuthGenericError, @unchecked Sendable {}

/// The failure of the sign-in after a sign-up. The account exists: sign in as any user does.
public final class SignInAfterSignUpError: MSALNativeAuthGenericError, @unchecked Sendable {}

/// The failure of the sign-in after the reset of a password. The new password holds: sign in as any user does.
public final class SignInAfterResetPasswordError: MSALNativeAuthGenericError, @unchecked Sendable {}

/// The failure to list the methods of a second factor, in MSAL 1.6 to 2.4.
@available(*, deprecated, message: "The methods come with onSignInAwaitingMFA(authMethods:newState:).")
public final class MFAGetAuthMethodsError: MSALNativeAuthGenericError, @unchecked Sendable {}
