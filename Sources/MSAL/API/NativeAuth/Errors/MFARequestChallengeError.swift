// Licensed under the MIT License. See LICENSE.

/// Why the code of a second factor was not sent.
public final class MFARequestChallengeError: MSALNativeAuthError, @unchecked Sendable {
    private let kind: NativeAuth.MFARequestChallengeKind

    package init<State>(_ failure: NativeAuthFailure<NativeAuth.MFARequestChallengeKind, State>) {
        kind = failure.kind
        super.init(failure.facts, defaultText: failure.kind.defaultText)
    }

    /// Whether the service has blocked the method: choose another.
    public var isAuthMethodBlocked: Bool { kind == .authMethodBlocked }

    /// Whether the user must go on in the browser: call `acquireToken(with:)` of the application.
    public var isBrowserRequired: Bool { kind == .browserRequired }
}
