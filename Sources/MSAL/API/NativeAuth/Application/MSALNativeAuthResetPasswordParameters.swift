// Licensed under the MIT License. See LICENSE.

/// The parameters of a password reset. They are read when the call begins; later changes have no effect.
public final class MSALNativeAuthResetPasswordParameters: NSObject {
    /// The user's email address. An empty one is rejected without a request.
    public var username: String

    /// The correlation ID of the reset, which also appears in the service's logs; random if `nil`.
    public var correlationId: UUID?

    /// Creates parameters for a user.
    public init(username: String) { self.username = username }
}
