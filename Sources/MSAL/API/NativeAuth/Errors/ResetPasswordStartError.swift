// Licensed under the MIT License. See LICENSE.

/// Why the reset of a password failed at its start.
public final class ResetPasswordStartError: MSALNativeAuthError, @unchecked Sendable {
    private let kind: NativeAuth.ResetPasswordStartKind

    package init<State>(_ failure: NativeAuthFailure<NativeAuth.ResetPasswordStartKind, State>) {
        kind = failure.kind
        super.init(failure.facts, defaultText: failure.kind.defaultText)
    }

    /// Whether the user must go on in the browser: call `acquireToken(with:)` of the application.
    public var isBrowserRequired: Bool { kind == .browserRequired }

    /// Whether the account has no password: let the user sign in with a code.
    public var isUserDoesNotHavePassword: Bool { kind == .userDoesNotHavePassword }

    /// Whether there is no such user: offer a sign-up.
    public var isUserNotFound: Bool { kind == .userNotFound }

    /// Whether the user name is empty: ask for it.
    public var isInvalidUsername: Bool { kind == .invalidUsername }
}
