// Licensed under the MIT License. See LICENSE.

/// The code that registers a method was sent.
public final class MSALNativeAuthRegisterStrongAuthVerificationRequiredResult: NSObject, Sendable {
    /// The state to submit the code to.
    public let newState: RegisterStrongAuthVerificationRequiredState

    /// The address or number to which the code was sent.
    public let sentTo: String

    /// The channel of the code.
    public let channelTargetType: MSALNativeAuthChannelType

    /// The number of characters in the code, as announced by the service.
    public let codeLength: Int

    init(_ newState: RegisterStrongAuthVerificationRequiredState, delivery: NativeAuth.CodeDelivery) {
        self.newState = newState
        sentTo = delivery.sentTo
        channelTargetType = MSALNativeAuthChannelType(value: delivery.channel)
        codeLength = delivery.codeLength
    }
}
