// Licensed under the MIT License. See LICENSE.

/// The parameters of a request for an access token. They are read when the call begins; later changes have no effect
/// on it.
public final class MSALNativeAuthGetAccessTokenParameters: NSObject {
    /// Whether a stored access token is passed over and a new one fetched; `false` by default.
    public var forceRefresh = false

    /// Whether the result carries the refresh token; `false` by default. Few apps have a use for it.
    public var returnRefreshToken = false

    /// The scopes wanted, of one API; `nil` takes whatever token there is. `openid`, `profile` and `offline_access` are
    /// added by the library and not allowed here.
    public var scopes: [String]?

    /// Claims that the token must carry; with one, stored access tokens are passed over.
    public var claimsRequest: MSALClaimsRequest?

    /// The id by which the service's logs know the request; a random one if `nil`.
    public var correlationId: UUID?

    /// Parameters for any token of the account.
    public override init() {}
}
