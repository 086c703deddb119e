// Licensed under the MIT License. See LICENSE.

/// An authentication method that the service offers for a second factor, or for registration.
public final class MSALAuthMethod: NSObject, MSALCertainLoginHint, Sendable {
    /// The service's id of the method; it goes back when the method is chosen.
    public let id: String

    /// How the method challenges the user, such as `oob` for a one-time code.
    public let challengeType: String

    /// The channel of the code.
    public let channelTargetType: MSALNativeAuthChannelType

    /// The address or number, masked; `nil` if the service does not tell.
    public let loginHint: String?

    package init(id: String, challengeType: String, channelTargetType: MSALNativeAuthChannelType, loginHint: String?) {
        self.id = id
        self.challengeType = challengeType
        self.channelTargetType = channelTargetType
        self.loginHint = loginHint
    }

    /// A method as the service offers it.
    convenience init(_ method: NativeAuth.AuthMethod) {
        self.init(
            id: method.id,
            challengeType: method.challengeType,
            channelTargetType: MSALNativeAuthChannelType(value: method.channel),
            loginHint: method.loginHint
        )
    }

    /// The method as the flow takes it back.
    var core: NativeAuth.AuthMethod {
        NativeAuth.AuthMethod(
            id: id,
            challengeType: challengeType,
            channel: channelTargetType.value,
            loginHint: loginHint
        )
    }
}

/// Lets code of MSAL 1.6 to 2.4 treat `loginHint` as a `String`, while by itself it is optional.
public protocol MSALCertainLoginHint {}

extension MSALCertainLoginHint where Self: MSALAuthMethod {
    /// The masked address or number, as MSAL declared it up to 2.4; empty if the service does not tell.
    public var loginHint: String { (self as MSALAuthMethod).loginHint ?? "" }
}
