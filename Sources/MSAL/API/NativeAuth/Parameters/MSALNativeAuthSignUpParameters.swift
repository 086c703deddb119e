// Licensed under the MIT License. See LICENSE.

/// The parameters of a sign-up. They are read when the call begins; later changes have no effect on it.
public final class MSALNativeAuthSignUpParameters: NSObject, ClosedMirror {
    /// The e-mail address of the account to be made. An empty one is refused without a request.
    public var username: String

    /// The password, where the user flow has one; sent as it is. An empty one is refused without a request.
    ///
    /// Without it the service asks later.
    public var password: String?

    /// The user's attributes by name, such as `displayName`, with values that JSON can express.
    public var attributes: [String: Any]?

    /// The id by which the service's logs know the sign-up; a random one if `nil`.
    public var correlationId: UUID?

    /// Parameters for a new user.
    public init(username: String) {
        self.username = username
    }
}
