// Licensed under the MIT License. See LICENSE.

/// The parameters of the reset of a password. They are read when the call begins; later changes have no effect on it.
public final class MSALNativeAuthResetPasswordParameters: NSObject {
    /// The user's e-mail address. An empty one is refused without a request.
    public var username: String

    /// The id by which the service's logs know the reset; a random one if `nil`.
    public var correlationId: UUID?

    /// Parameters for a user.
    public init(username: String) {
        self.username = username
    }
}
