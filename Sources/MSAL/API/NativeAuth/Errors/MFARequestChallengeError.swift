// Licensed under the MIT License. See LICENSE.

/// The failure to send the code of a second factor.
public final class MFARequestChallengeError: MSALNativeAuthError, @unchecked Sendable {
    /// Whether the service has blocked the method: choose another.
    public var isAuthMethodBlocked: Bool { failure.kind == .authMethodBlocked }

    /// Whether the user must go on in the browser: call `acquireToken(with:)` of the application.
    public var isBrowserRequired: Bool { failure.kind == .browserRequired }
}
