// Licensed under the MIT License. See LICENSE.

import MSALBase

extension NativeAuth.Continuation {
    /// The next state: another token, and the correlation ID that the service requested.
    func next<Next: NativeAuth.State>(_ token: Secret, in conversation: Conversation) -> Next {
        var copy = self
        copy.token = token
        copy.correlationID = conversation.correlationID
        return Next(continuation: copy)
    }
}

extension NativeAuth.State {
    /// The next state: another token, and the correlation ID that the service requested.
    func next<Next: NativeAuth.State>(_ token: Secret, in conversation: Conversation) -> Next {
        continuation.next(token, in: conversation)
    }

    /// The failure of a step that ends the flow. If the service was unreachable, the state is still usable; MSAL for
    /// iOS ends the flow even then (docs/reference/NativeAuthentication.md#quirk-network).
    func end(with error: WireError, in conversation: Conversation) -> NativeAuthFailure {
        guard error.isServiceUnavailable else { return error.failure() }
        return error.failure(keeping: retry(in: conversation)).withoutDetails(.state)
    }

    /// The failure, with this state and its used token left for another attempt.
    func retry(in conversation: Conversation) -> NativeAuthFailure.Remaining {
        var copy = continuation
        copy.correlationID = conversation.correlationID
        return .continuation(copy)
    }
}
