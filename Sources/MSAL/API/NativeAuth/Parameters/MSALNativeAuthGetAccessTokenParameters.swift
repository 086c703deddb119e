// Licensed under the MIT License. See LICENSE.

/// The parameters of a request for an access token. They are read when the call begins; later changes have no effect
/// on it.
public final class MSALNativeAuthGetAccessTokenParameters: NSObject {
    /// Whether the library ignores stored access tokens and fetches a new one; `false` by default.
    public var forceRefresh = false

    /// Whether the result carries the refresh token; `false` by default. Few apps have a use for it.
    public var returnRefreshToken = false

    /// The scopes wanted, of one API. With `nil`, the call returns any token of the account. The library adds `openid`,
    /// `profile` and `offline_access` itself, and refuses them here.
    public var scopes: [String]?

    /// Claims that the token must carry. If there is one, the library ignores stored access tokens.
    public var claimsRequest: MSALClaimsRequest?

    /// The id by which the service's logs know the request; a random one if `nil`.
    public var correlationId: UUID?

    /// Parameters for any token of the account.
    public override init() {}
}
