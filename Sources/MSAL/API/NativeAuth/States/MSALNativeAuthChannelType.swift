// Licensed under the MIT License. See LICENSE.

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
