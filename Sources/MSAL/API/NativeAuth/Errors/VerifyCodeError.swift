// Licensed under the MIT License. See LICENSE.

/// Why a one-time code was not accepted.
public final class VerifyCodeError: MSALNativeAuthError, @unchecked Sendable {
    /// Whether the user must go on in the browser: call `acquireToken(with:)` of the application.
    public var isBrowserRequired: Bool { failure.kind == .browserRequired }

    /// Whether the code is wrong or empty: ask again, or have another sent.
    public var isInvalidCode: Bool { failure.kind == .invalidCode }
}
