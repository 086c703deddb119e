// Licensed under the MIT License. See LICENSE.

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
