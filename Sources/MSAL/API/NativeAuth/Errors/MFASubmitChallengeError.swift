// Licensed under the MIT License. See LICENSE.

/// Why the code of a second factor was not accepted.
public final class MFASubmitChallengeError: MSALNativeAuthError, @unchecked Sendable {
    private let kind: NativeAuth.SubmitChallengeKind

    package init<State>(_ failure: NativeAuthFailure<NativeAuth.SubmitChallengeKind, State>) {
        kind = failure.kind
        super.init(failure.facts, defaultText: failure.kind.defaultText)
    }

    /// Whether the code is wrong or empty: ask again, or have another sent.
    public var isInvalidChallenge: Bool { kind == .invalidChallenge }

    /// Whether the user must go on in the browser: call `acquireToken(with:)` of the application.
    public var isBrowserRequired: Bool { kind == .browserRequired }
}
