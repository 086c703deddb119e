// Licensed under the MIT License. See LICENSE.

/// A request for a token without the user's help.
public final class MSALSilentTokenParameters: MSALTokenParameters {
    /// Whether stored access tokens are passed over; `false` by default.
    public var forceRefresh = false

    /// Whether the own refresh token may be used when a broker fails; `true` by default. This version has no broker
    /// and always uses the own refresh token.
    public var allowUsingLocalCachedRtWhenSsoExtFailed = true

    /// - Parameters:
    ///   - scopes: The scopes wanted.
    ///   - account: The account of the token; `nil` makes the request fail with ``MSALError/interactionRequired``.
    public init(scopes: [String], account: MSALAccount?) {
        super.init(scopes: scopes)
        self.account = account
    }
}
