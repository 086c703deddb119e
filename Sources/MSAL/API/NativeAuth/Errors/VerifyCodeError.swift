// Licensed under the MIT License. See LICENSE.

/// The failure of a one-time code.
public final class VerifyCodeError: MSALNativeAuthError, @unchecked Sendable {
    /// Whether the user must go on in the browser: call `acquireToken(with:)` of the application.
    public var isBrowserRequired: Bool { failure.kind == .browserRequired }

    /// Whether the code is wrong or empty: ask again, or have another sent.
    public var isInvalidCode: Bool { failure.kind == .invalidCode }
}
