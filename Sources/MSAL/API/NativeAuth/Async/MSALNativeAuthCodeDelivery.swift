// Licensed under the MIT License. See LICENSE.

/// The destination of a one-time code, for the text of the form that asks for it. Linux only.
public struct MSALNativeAuthCodeDelivery: Sendable {
    /// The address or number, masked by the service; at the registration of a method as the user gave it.
    public let sentTo: String

    /// The channel of the code.
    public let channelTargetType: MSALNativeAuthChannelType

    /// How many characters the code has, as the service says. The library does not check it.
    public let codeLength: Int

    init(_ delivery: NativeAuth.CodeDelivery) {
        sentTo = delivery.sentTo
        channelTargetType = MSALNativeAuthChannelType(value: delivery.channel)
        codeLength = delivery.codeLength
    }
}
