// Licensed under the MIT License. See LICENSE.

/// The failure of the code of a second factor.
public final class MFASubmitChallengeError: MSALNativeAuthError, @unchecked Sendable {
    /// Whether the code is wrong or empty: ask again, or have another sent.
    public var isInvalidChallenge: Bool { failure.kind == .invalidChallenge }

    /// Whether the user must go on in the browser: call `acquireToken(with:)` of the application.
    public var isBrowserRequired: Bool { failure.kind == .browserRequired }
}
