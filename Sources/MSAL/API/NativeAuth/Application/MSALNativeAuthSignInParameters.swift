// Licensed under the MIT License. See LICENSE.

/// The parameters of a sign-in. They are read when the call begins; later changes have no effect.
public final class MSALNativeAuthSignInParameters: NSObject, RedactedReflection {
    /// The user's email address. An empty one is rejected without a request.
    public var username: String

    /// The password, if the app already has it; sent unchanged. An empty one is rejected without a request.
    ///
    /// The service may require a one-time code instead. The library then neither uses nor keeps the password.
    public var password: String?

    /// The scopes of the first access token; `openid`, `profile` and `offline_access` are added.
    public var scopes: [String]?

    /// Claims that the tokens must contain.
    public var claimsRequest: MSALClaimsRequest?

    /// The id by which the service's logs know the sign-in; a random one if `nil`.
    public var correlationId: UUID?

    /// Creates parameters for a user.
    public init(username: String) { self.username = username }
}
