// Licensed under the MIT License. See LICENSE.

/// The failure of a sign-up at its start.
public final class SignUpStartError: MSALNativeAuthError, @unchecked Sendable {
    /// Whether the user must go on in the browser: call `acquireToken(with:)` of the application.
    public var isBrowserRequired: Bool { failure.kind == .browserRequired }

    /// Whether the user name is taken: offer a sign-in.
    public var isUserAlreadyExists: Bool { failure.kind == .userAlreadyExists }

    /// Whether the password is empty or against the rules: ask for another.
    public var isInvalidPassword: Bool { failure.kind == .invalidPassword }

    /// Whether the user name is empty or no e-mail address: ask again.
    public var isInvalidUsername: Bool { failure.kind == .invalidUsername }
}
