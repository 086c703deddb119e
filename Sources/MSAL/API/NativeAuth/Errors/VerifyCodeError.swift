// Licensed under the MIT License. See LICENSE.

/// Why a one-time code was not accepted.
public final class VerifyCodeError: MSALNativeAuthError, @unchecked Sendable {
    private let kind: NativeAuth.VerifyCodeKind

    package init<State>(_ failure: NativeAuthFailure<NativeAuth.VerifyCodeKind, State>) {
        kind = failure.kind
        super.init(failure.facts, defaultText: failure.kind.defaultText)
    }

    /// Whether the user must go on in the browser: call `acquireToken(with:)` of the application.
    public var isBrowserRequired: Bool { kind == .browserRequired }

    /// Whether the code is wrong or empty: ask again, or have another sent.
    public var isInvalidCode: Bool { kind == .invalidCode }
}
