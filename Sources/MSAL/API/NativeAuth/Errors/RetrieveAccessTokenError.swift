// Licensed under the MIT License. See LICENSE.

/// The failure to get an access token.
///
/// Every failure is a general one, as in MSAL for iOS: if ``MSALNativeAuthError/underlyingError`` is
/// ``MSALError/interactionRequired``, sign in again.
public final class RetrieveAccessTokenError: MSALNativeAuthError, @unchecked Sendable {
    /// Whether the user must go on in the browser. Never set: every failure of `getAccessToken` is a general one.
    public var isBrowserRequired: Bool { failure.kind == .browserRequired }

    /// Whether the refresh token has ended. Never set: every failure of `getAccessToken` is a general one.
    public var isRefreshTokenExpired: Bool { false }

    /// Whether a scope is not valid. Never set: every failure of `getAccessToken` is a general one.
    public var isInvalidScope: Bool { false }
}
