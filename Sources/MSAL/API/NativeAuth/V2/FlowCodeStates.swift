// Licensed under the MIT License. See LICENSE.

import MSALBase

/// A flow that waits for the one-time code of a first factor. V2 is a preview at Microsoft.
public final class MSALNativeAuthCodeRequiredState: MSALNativeAuthState, @unchecked Sendable {
    /// The address to which the code went, masked by the service; empty if it does not tell.
    public let sentTo: String

    /// The channel of the code.
    public let channel: MSALNativeAuthChannelType

    /// How many characters the code has, as the service says; 0 if it does not. The library does not check it.
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

    /// Submits the code. A blank one is refused without a request.
    public func submitCode(_ code: String, delegate: any MSALNativeAuthFlowDelegate) {
        go(delegate) { [state] client throws(NativeAuthFailure) in
            try await client.submitCode(Secret(code), in: state)
        }
    }

    /// Has another code sent. The earlier one is void then, and the delegate gets a new state.
    public func resendCode(delegate: any MSALNativeAuthFlowDelegate) {
        go(delegate) { [state] client throws(NativeAuthFailure) in try await client.resendCode(in: state) }
    }
}

/// A flow that waits for the code of a second factor. V2 is a preview at Microsoft.
public final class MSALNativeAuthMFAVerificationRequiredState: MSALNativeAuthState, @unchecked Sendable {
    /// The address to which the code went, masked by the service; empty if it does not tell.
    public let sentTo: String

    /// The channel of the code.
    public let channel: MSALNativeAuthChannelType

    /// How many characters the code has, as the service says; 0 if it does not. The library does not check it.
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

    /// Submits the code. A blank one is refused without a request.
    public func submitChallenge(_ challenge: String, delegate: any MSALNativeAuthFlowDelegate) {
        go(delegate) { [state] client throws(NativeAuthFailure) in
            try await client.submitCode(Secret(challenge), in: state)
        }
    }

    /// Has another code sent. The earlier one is void then, and the delegate gets a new state.
    public func resendChallenge(delegate: any MSALNativeAuthFlowDelegate) {
        go(delegate) { [state] client throws(NativeAuthFailure) in try await client.resendCode(in: state) }
    }
}

/// A registration that waits for the code that was sent to the address. V2 is a preview at Microsoft.
public final class MSALNativeAuthStrongAuthVerificationRequiredState: MSALNativeAuthState, @unchecked Sendable {
    /// The address to which the code went, masked by the service; empty if it does not tell.
    public let sentTo: String

    /// The channel of the code.
    public let channel: MSALNativeAuthChannelType

    /// How many characters the code has, as the service says; 0 if it does not. The library does not check it.
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

    /// Submits the code. A blank one is refused without a request.
    public func submitChallenge(_ challenge: String, delegate: any MSALNativeAuthFlowDelegate) {
        go(delegate) { [state] client throws(NativeAuthFailure) in
            try await client.submitCode(Secret(challenge), in: state)
        }
    }

    /// Has another code sent. The earlier one is void then, and the delegate gets a new state.
    public func resendChallenge(delegate: any MSALNativeAuthFlowDelegate) {
        go(delegate) { [state] client throws(NativeAuthFailure) in try await client.resendCode(in: state) }
    }
}
