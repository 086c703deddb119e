// Licensed under the MIT License. See LICENSE.

/// The failure of a password.
public final class PasswordRequiredError: MSALNativeAuthError, @unchecked Sendable {
    /// Whether the user must go on in the browser: call `acquireToken(with:)` of the application.
    public var isBrowserRequired: Bool { failure.kind == .browserRequired }

    /// Whether the password is wrong, empty or against the rules: ask again.
    public var isInvalidPassword: Bool { failure.kind == .invalidPassword }
}
