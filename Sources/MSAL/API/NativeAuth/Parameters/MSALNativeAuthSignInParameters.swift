// Licensed under the MIT License. See LICENSE.

/// The parameters of a sign-in. They are read when the call begins; later changes have no effect on it.
public final class MSALNativeAuthSignInParameters: NSObject, ClosedMirror {
    /// The user's e-mail address. An empty one is refused without a request.
    public var username: String

    /// The password, if the app has it already; sent as it is. An empty one is refused without a request.
    ///
    /// The service may want a one-time code instead. The library does not use or keep the password then.
    public var password: String?

    /// The scopes of the first access token; `openid`, `profile` and `offline_access` are added.
    public var scopes: [String]?

    /// Claims that the tokens must carry.
    public var claimsRequest: MSALClaimsRequest?

    /// The id by which the service's logs know the sign-in; a random one if `nil`.
    public var correlationId: UUID?

    /// Parameters for a user.
    public init(username: String) {
        self.username = username
    }
}
