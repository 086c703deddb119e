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

/// The parameters of a sign-in that follows a reset. They are read when the call begins; later changes have no effect.
public final class MSALNativeAuthSignInAfterResetPasswordParameters: NSObject {
    /// The scopes of the first access token; `openid`, `profile` and `offline_access` are added.
    public var scopes: [String]?

    /// Claims that the tokens must contain.
    public var claimsRequest: MSALClaimsRequest?

    /// Creates parameters without scopes or claims.
    public override init() {}
}

/// The parameters of a sign-up. They are read when the call begins; later changes have no effect.
public final class MSALNativeAuthSignUpParameters: NSObject, RedactedReflection {
    /// The email address of the account to create. An empty one is rejected without a request.
    public var username: String

    /// The password, if the user flow has one; sent unchanged. An empty one is rejected without a request.
    ///
    /// Without it, the service asks for it later.
    public var password: String?

    /// The user's attributes by name, such as `displayName`, with values that JSON can represent.
    public var attributes: [String: Any]?

    /// The id by which the service's logs know the sign-up; a random one if `nil`.
    public var correlationId: UUID?

    /// Creates parameters for a new user.
    public init(username: String) { self.username = username }
}

/// The parameters of a password reset. They are read when the call begins; later changes have no effect.
public final class MSALNativeAuthResetPasswordParameters: NSObject {
    /// The user's email address. An empty one is rejected without a request.
    public var username: String

    /// The correlation ID of the reset, which also appears in the service's logs; random if `nil`.
    public var correlationId: UUID?

    /// Creates parameters for a user.
    public init(username: String) { self.username = username }
}

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
