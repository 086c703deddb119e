// Licensed under the MIT License. See LICENSE.

import MSALBase

extension NativeAuth.Continuation {
    /// The next state: another token, and the correlation id that the service wants.
    func next<Next: NativeAuth.State>(_ token: Secret, in conversation: Conversation) -> Next {
        var copy = self
        copy.token = token
        copy.correlationID = conversation.correlationID
        return Next(continuation: copy)
    }
}

extension NativeAuth.State {
    /// The next state: another token, and the correlation id that the service wants.
    func next<Next: NativeAuth.State>(_ token: Secret, in conversation: Conversation) -> Next {
        continuation.next(token, in: conversation)
    }

    /// The failure of a step that ends the flow. If the service was not reached, the state is as good as before; MSAL for
    /// iOS ends the flow then, too (docs/reference/NativeAuthentication.md#quirk-network).
    func end(with error: WireError, in conversation: Conversation) -> NativeAuthFailure {
        guard error.isServiceUnavailable else { return error.failure() }
        return error.failure(keeping: retry(in: conversation)).losing(.state)
    }

    /// The failure, with this state and its used token left for another try.
    func retry(in conversation: Conversation) -> NativeAuthFailure.Remaining {
        var copy = continuation
        copy.correlationID = conversation.correlationID
        return .continuation(copy)
    }
}
