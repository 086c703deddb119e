// Licensed under the MIT License. See LICENSE.

// One table: how each operation names the classes of token answers (spec native-auth 3.6).
extension TokenTrouble {
    /// The failure of a sign-in with a password.
    var signInStart: NativeAuth.SignInStartFailure {
        switch kind {
        case .redirect: NativeAuth.SignInStartFailure(.browserRequired, .nothing, facts)
        case .userNotFound: NativeAuth.SignInStartFailure(.userNotFound, .nothing, facts)
        case .invalidPassword: NativeAuth.SignInStartFailure(.invalidCredentials, .nothing, facts)
        case .notFiled: NativeAuth.SignInStartFailure(.general, .nothing, bareFacts)
        case .invalidCode, .unexplainedGrant, .other: NativeAuth.SignInStartFailure(.general, .nothing, facts)
        }
    }

    /// The failure of a password that was asked for.
    func password(_ state: NativeAuth.SignInPassword) -> NativeAuth.SignInPasswordFailure {
        var facts = facts
        switch kind {
        case .redirect:
            return NativeAuthFailure(.browserRequired, .state(state), facts)
        case .userNotFound:
            facts.message = facts.message ?? NativeAuth.Text.userNotFound
            return NativeAuthFailure(.general, .state(state), facts)
        case .invalidPassword:
            // The reference replaces the service's text (Q10).
            facts.message = NativeAuth.Text.invalidPassword
            return NativeAuthFailure(.invalidPassword, .state(state), facts)
        case .notFiled:
            return NativeAuthFailure(.general, .state(state), bareFacts)
        case .invalidCode, .unexplainedGrant, .other:
            return NativeAuthFailure(.general, .state(state), facts)
        }
    }

    /// The failure of a code, of the first factor or the second.
    func code<State>(_ state: State) -> NativeAuthFailure<NativeAuth.VerifyCodeKind, State> {
        switch kind {
        case .redirect:
            NativeAuthFailure(.browserRequired, .state(state), facts)
        case .invalidCode:
            NativeAuthFailure(.invalidCode, .state(state), facts)
        case .notFiled, .unexplainedGrant:
            // The reference drops what the service said (Q2).
            NativeAuthFailure(.general, .state(state), bareFacts)
        case .userNotFound, .invalidPassword, .other:
            NativeAuthFailure(.general, .state(state), facts)
        }
    }

    /// The failure of a sign-in after a finished flow: the text is the one that a sign-in would have.
    var finishedFlow: NativeAuth.FinishedFlowFailure {
        let failure = signInStart
        var facts = failure.facts
        if kind != .redirect, kind != .notFiled { facts.message = failure.errorDescription }
        return NativeAuthFailure(kind == .redirect ? .browserRequired : .general, .nothing, facts)
    }
}
