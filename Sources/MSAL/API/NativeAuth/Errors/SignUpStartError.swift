// Licensed under the MIT License. See LICENSE.

/// Why a sign-up failed at its start.
public final class SignUpStartError: MSALNativeAuthError, @unchecked Sendable {
    private let kind: NativeAuth.SignUpStartKind

    package init<State>(_ failure: NativeAuthFailure<NativeAuth.SignUpStartKind, State>) {
        kind = failure.kind
        super.init(failure.facts, defaultText: failure.kind.defaultText)
    }

    /// Whether the user must go on in the browser: call `acquireToken(with:)` of the application.
    public var isBrowserRequired: Bool { kind == .browserRequired }

    /// Whether the user name is taken: offer a sign-in.
    public var isUserAlreadyExists: Bool { kind == .userAlreadyExists }

    /// Whether the password is empty or against the rules: ask for another.
    public var isInvalidPassword: Bool { kind == .invalidPassword }

    /// Whether the user name is empty or no e-mail address: ask again.
    public var isInvalidUsername: Bool { kind == .invalidUsername }
}
