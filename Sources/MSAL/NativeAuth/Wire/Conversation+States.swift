// Licensed under the MIT License. See LICENSE.

import MSALSupport

extension NativeAuth.Continuation {
    /// The next state: another token, and the correlation id that the service wants.
    func next<Next: NativeAuth.State>(_ token: Secret, in conversation: Conversation) -> Next {
        var copy = self
        copy.token = token
        copy.correlationID = conversation.correlationID
        return Next(copy)
    }
}

extension NativeAuth.State {
    /// The next state: another token, and the correlation id that the service wants.
    func next<Next: NativeAuth.State>(_ token: Secret, in conversation: Conversation) -> Next {
        continuation.next(token, in: conversation)
    }

    /// This state with the token that was used, for another try.
    func retry(in conversation: Conversation) -> NativeAuthFailure.Remaining {
        var copy = continuation
        copy.correlationID = conversation.correlationID
        return .continuation(copy)
    }
}
