// Licensed under the MIT License. See LICENSE.

/// The failure of a sign-in at its start.
public final class SignInStartError: MSALNativeAuthError, @unchecked Sendable {
    /// Whether the user must go on in the browser: call `acquireToken(with:)` of the application.
    public var isBrowserRequired: Bool { failure.kind == .browserRequired }

    /// Whether there is no such user: offer a sign-up.
    public var isUserNotFound: Bool { failure.kind == .userNotFound }

    /// Whether the password is wrong or empty: ask again.
    public var isInvalidCredentials: Bool { failure.kind == .invalidCredentials }

    /// Whether the user name is empty: ask for it.
    public var isInvalidUsername: Bool { failure.kind == .invalidUsername }
}
