// Licensed under the MIT License. See LICENSE.

/// The parameters of a sign-in that follows a sign-up. They are read when the call begins; later changes have no
/// effect.
public final class MSALNativeAuthSignInAfterSignUpParameters: NSObject {
    /// The scopes of the first access token; `openid`, `profile` and `offline_access` are added.
    public var scopes: [String]?

    /// Claims that the tokens must contain.
    public var claimsRequest: MSALClaimsRequest?

    /// Creates parameters without scopes or claims.
    public override init() {}
}
