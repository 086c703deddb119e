// Licensed under the MIT License. See LICENSE.

/// The failure of the reset of a password at its start.
public final class ResetPasswordStartError: MSALNativeAuthError, @unchecked Sendable {
    /// Whether the user must go on in the browser: call `acquireToken(with:)` of the application.
    public var isBrowserRequired: Bool { failure.kind == .browserRequired }

    /// Whether the account has no password: let the user sign in with a code.
    public var isUserDoesNotHavePassword: Bool { failure.kind == .userDoesNotHavePassword }

    /// Whether there is no such user: offer a sign-up.
    public var isUserNotFound: Bool { failure.kind == .userNotFound }

    /// Whether the user name is empty: ask for it.
    public var isInvalidUsername: Bool { failure.kind == .invalidUsername }
}
