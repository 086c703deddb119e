// Licensed under the MIT License. See LICENSE.

/// What a sign-in that follows a reset needs to know. It is read when the call begins; later changes do not touch it.
public final class MSALNativeAuthSignInAfterResetPasswordParameters: NSObject {
    /// The scopes of the first access token; `openid`, `profile` and `offline_access` are added.
    public var scopes: [String]?

    /// Claims that the tokens must carry.
    public var claimsRequest: MSALClaimsRequest?

    /// Parameters without scopes or claims.
    public override init() {}
}
