// Licensed under the MIT License. See LICENSE.

/// An authentication method that the service offers for a second factor, or for registration.
public final class MSALAuthMethod: NSObject, MSALCertainLoginHint, Sendable {
    /// The service's ID of the method. The library sends it back when the user has chosen the method.
    public let id: String

    /// How the method challenges the user, such as `oob` for a one-time code.
    public let challengeType: String

    /// The channel of the code.
    public let channelTargetType: MSALNativeAuthChannelType

    /// The address or number, masked; `nil` if the service does not send one.
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

    /// The method as a value of the core.
    var core: NativeAuth.AuthMethod {
        NativeAuth.AuthMethod(
            id: id,
            challengeType: challengeType,
            channel: channelTargetType.value,
            loginHint: loginHint
        )
    }
}

/// Lets code for MSAL 1.6 to 2.4 use `loginHint` as a `String`. In other code, `loginHint` is optional.
public protocol MSALCertainLoginHint {}

extension MSALCertainLoginHint where Self: MSALAuthMethod {
    /// The masked address or number, with its type in MSAL up to 2.4. It is empty if the service does not send one.
    public var loginHint: String { (self as MSALAuthMethod).loginHint ?? "" }
}

/// The channel through which a one-time code reaches the user.
public final class MSALNativeAuthChannelType: NSObject, Sendable {
    /// The channel's name as the service sent it, such as `email`.
    public let value: String

    package init(value: String) { self.value = value }

    /// Whether the code is sent by email.
    public var isEmailType: Bool { value.lowercased() == "email" }

    /// Whether the code is sent by SMS.
    public var isSMSType: Bool { value.lowercased() == "sms" }

    /// Whether the code is sent to a phone.
    @available(*, deprecated, renamed: "isSMSType")
    public var isPhoneType: Bool { isSMSType }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? MSALNativeAuthChannelType)?.value == value
    }

    public override var hash: Int { value.hashValue }

    public override var description: String { value }
}
