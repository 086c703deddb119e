// Licensed under the MIT License. See LICENSE.

/// The parameters of a request for an access token. They are read when the call begins; later changes have no effect.
public final class MSALNativeAuthGetAccessTokenParameters: NSObject {
    /// Whether the library ignores stored access tokens and fetches a new one; `false` by default.
    public var forceRefresh = false

    /// Whether the result includes the refresh token; `false` by default. Few apps need it.
    public var returnRefreshToken = false

    /// The requested scopes, of one API. With `nil`, the call returns any token of the account. The library adds
    /// `openid`, `profile`, and `offline_access` itself, and rejects them here.
    public var scopes: [String]?

    /// Claims that the token must contain. If there are any, the library ignores stored access tokens.
    public var claimsRequest: MSALClaimsRequest?

    /// The correlation ID of the request, which also appears in the service's logs; random if `nil`.
    public var correlationId: UUID?

    /// Creates parameters for any token of the account.
    public override init() {}
}
