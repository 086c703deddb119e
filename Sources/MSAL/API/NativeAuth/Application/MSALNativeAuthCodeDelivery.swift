// Licensed under the MIT License. See LICENSE.

/// The destination of a one-time code, for the text of the form that prompts for it. Linux only.
public struct MSALNativeAuthCodeDelivery: Sendable {
    /// The address or number, masked by the service; when registering a method, as the user entered it.
    public let sentTo: String

    /// The channel of the code.
    public let channelTargetType: MSALNativeAuthChannelType

    /// The number of characters in the code, as announced by the service. The library does not check it.
    public let codeLength: Int

    init(_ delivery: NativeAuth.CodeDelivery) {
        sentTo = delivery.sentTo
        channelTargetType = MSALNativeAuthChannelType(value: delivery.channel)
        codeLength = delivery.codeLength
    }
}
