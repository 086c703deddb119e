// Licensed under the MIT License. See LICENSE.

import MSALBase

/// A flow that waits for the one-time code of a first factor. V2 is a preview at Microsoft.
public final class MSALNativeAuthCodeRequiredState: MSALNativeAuthState, @unchecked Sendable {
    /// The address to which the code was sent, masked by the service; empty if unknown.
    public let sentTo: String

    /// The channel of the code.
    public let channel: MSALNativeAuthChannelType

    /// The number of characters in the code, as announced by the service; 0 if unknown. The library does not check it.
    public let codeLength: Int

    private let state: NativeAuth.FlowCode

    init(_ state: NativeAuth.FlowCode, application: MSALNativeAuthPublicClientApplication) {
        self.state = state
        sentTo = state.delivery.sentTo
        channel = MSALNativeAuthChannelType(value: state.delivery.channel)
        codeLength = state.delivery.codeLength
        super.init(state.flow, application: application)
    }

    public override var description: String { "codeRequired" }

    /// Submits the code. A blank one is rejected without a request.
    public func submitCode(_ code: String, delegate: any MSALNativeAuthFlowDelegate) {
        go(delegate) { [state] client throws(NativeAuthFailure) in
            try await client.submitCode(Secret(code), in: state)
        }
    }

    /// Requests another code. The previous one becomes invalid, and the delegate receives a new state.
    public func resendCode(delegate: any MSALNativeAuthFlowDelegate) {
        go(delegate) { [state] client throws(NativeAuthFailure) in try await client.resendCode(in: state) }
    }
}

/// A flow that waits for the code of a second factor. V2 is a preview at Microsoft.
public final class MSALNativeAuthMFAVerificationRequiredState: MSALNativeAuthState, @unchecked Sendable {
    /// The address to which the code was sent, masked by the service; empty if unknown.
    public let sentTo: String

    /// The channel of the code.
    public let channel: MSALNativeAuthChannelType

    /// The number of characters in the code, as announced by the service; 0 if unknown. The library does not check it.
    public let codeLength: Int

    private let state: NativeAuth.FlowCode

    init(_ state: NativeAuth.FlowCode, application: MSALNativeAuthPublicClientApplication) {
        self.state = state
        sentTo = state.delivery.sentTo
        channel = MSALNativeAuthChannelType(value: state.delivery.channel)
        codeLength = state.delivery.codeLength
        super.init(state.flow, application: application)
    }

    public override var description: String { "mfaVerificationRequired" }

    /// Submits the code. A blank one is rejected without a request.
    public func submitChallenge(_ challenge: String, delegate: any MSALNativeAuthFlowDelegate) {
        go(delegate) { [state] client throws(NativeAuthFailure) in
            try await client.submitCode(Secret(challenge), in: state)
        }
    }

    /// Requests another code. The previous one becomes invalid, and the delegate receives a new state.
    public func resendChallenge(delegate: any MSALNativeAuthFlowDelegate) {
        go(delegate) { [state] client throws(NativeAuthFailure) in try await client.resendCode(in: state) }
    }
}

/// A registration that waits for the code that was sent to the address. V2 is a preview at Microsoft.
public final class MSALNativeAuthStrongAuthVerificationRequiredState: MSALNativeAuthState, @unchecked Sendable {
    /// The address to which the code was sent, masked by the service; empty if unknown.
    public let sentTo: String

    /// The channel of the code.
    public let channel: MSALNativeAuthChannelType

    /// The number of characters in the code, as announced by the service; 0 if unknown. The library does not check it.
    public let codeLength: Int

    private let state: NativeAuth.FlowCode

    init(_ state: NativeAuth.FlowCode, application: MSALNativeAuthPublicClientApplication) {
        self.state = state
        sentTo = state.delivery.sentTo
        channel = MSALNativeAuthChannelType(value: state.delivery.channel)
        codeLength = state.delivery.codeLength
        super.init(state.flow, application: application)
    }

    public override var description: String { "strongAuthVerificationRequired" }

    /// Submits the code. A blank one is rejected without a request.
    public func submitChallenge(_ challenge: String, delegate: any MSALNativeAuthFlowDelegate) {
        go(delegate) { [state] client throws(NativeAuthFailure) in
            try await client.submitCode(Secret(challenge), in: state)
        }
    }

    /// Requests another code. The previous one becomes invalid, and the delegate receives a new state.
    public func resendChallenge(delegate: any MSALNativeAuthFlowDelegate) {
        go(delegate) { [state] client throws(NativeAuthFailure) in try await client.resendCode(in: state) }
    }
}
