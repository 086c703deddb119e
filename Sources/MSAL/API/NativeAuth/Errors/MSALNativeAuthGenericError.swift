// Licensed under the MIT License. See LICENSE.

/// Why an operation failed that tells only one thing apart: whether the browser is needed.
public class MSALNativeAuthGenericError: MSALNativeAuthError, @unchecked Sendable {
    /// Whether the user must go on in the browser: call `acquireToken(with:)` of the application.
    public var isBrowserRequired: Bool { failure.kind == .browserRequired }
}

/// Why no new code was sent.
public final class ResendCodeError: MSALNativeAuthGenericError, @unchecked Sendable {}

/// Why a sign-up failed when attributes were submitted.
public final class AttributesRequiredError: MSALNativeAuthGenericError, @unchecked Sendable {}

/// Why the sign-in after a sign-up failed. The account exists: sign in as any user does.
public final class SignInAfterSignUpError: MSALNativeAuthGenericError, @unchecked Sendable {}

/// Why the sign-in after the reset of a password failed. The new password holds: sign in as any user does.
public final class SignInAfterResetPasswordError: MSALNativeAuthGenericError, @unchecked Sendable {}

/// Why the methods of a second factor were not known, in MSAL 1.6 to 2.4.
@available(*, deprecated, message: "The methods come with onSignInAwaitingMFA(authMethods:newState:).")
public final class MFAGetAuthMethodsError: MSALNativeAuthGenericError, @unchecked Sendable {}
