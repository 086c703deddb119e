// Licensed under the MIT License. See LICENSE.

extension NativeAuth.Continuation {
    /// What follows: another token, and the correlation id that the service wants.
    func next<Next: NativeAuth.State>(_ token: Secret, _ talk: Conversation) -> Next {
        var copy = self
        copy.token = token
        copy.correlationID = talk.correlationID
        return Next(copy)
    }
}

extension NativeAuth.State {
    /// What follows: another token, and the correlation id that the service wants.
    func next<Next: NativeAuth.State>(_ token: Secret, _ talk: Conversation) -> Next {
        continuation.next(token, talk)
    }

    /// The same place with the token that was used, for another try.
    func corrected<Next: NativeAuth.State>(_ talk: Conversation) -> Next {
        continuation.next(continuation.token, talk)
    }
}
