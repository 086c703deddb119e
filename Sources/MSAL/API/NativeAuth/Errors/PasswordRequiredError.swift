// Licensed under the MIT License. See LICENSE.

/// Why a password was not accepted.
public final class PasswordRequiredError: MSALNativeAuthError, @unchecked Sendable {
    private let kind: NativeAuth.PasswordKind

    package init<State>(_ failure: NativeAuthFailure<NativeAuth.PasswordKind, State>) {
        kind = failure.kind
        super.init(failure.facts, defaultText: failure.kind.defaultText)
    }

    /// Whether the user must go on in the browser: call `acquireToken(with:)` of the application.
    public var isBrowserRequired: Bool { kind == .browserRequired }

    /// Whether the password is wrong, empty or against the rules: ask again.
    public var isInvalidPassword: Bool { kind == .invalidPassword }
}
