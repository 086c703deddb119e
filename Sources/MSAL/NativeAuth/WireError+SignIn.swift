// Licensed under the MIT License. See LICENSE.

// Maps a grant's error to the failure of each sign-in operation, in one table
// (docs/reference/NativeAuthentication.md#token-failures). The request for the methods may follow a grant. Its errors
// have no specific kind.
extension WireError {
    /// The classes of token endpoint errors that the operations distinguish.
    private enum GrantError {
        case userNotFound
        case wrongPassword
        case wrongCode
        /// An `invalid_grant` that neither a suberror nor a number explains.
        case unexplainedGrant
        case other
    }

    private var grantError: GrantError {
        if reason == .incomplete { return .unexplainedGrant }
        if isNamed("user_not_found") { return .userNotFound }
        guard isNamed("invalid_grant") else { return .other }
        if isAboutCode { return .wrongCode }
        return switch refusal?.codes.first {
        case 50034: .userNotFound
        case 50126: .wrongPassword
        default: .unexplainedGrant
        }
    }

    /// The failure of a grant, with the kind that the operation assigns to it.
    private func grantFailure(
        _ kind: NativeAuthFailure.Kind? = nil,
        keeping remaining: NativeAuthFailure.Remaining = .nothing
    ) -> NativeAuthFailure {
        let failure = failure(kind, keeping: remaining)
        let mustChangePassword = isNamed("invalid_request") && refusal?.codes.contains(50142) == true
        return mustChangePassword ? failure.prefixed(NativeAuthFailure.Text.passwordChangeRequired) : failure
    }

    /// The failure of a sign-in with a password, and of one that follows another flow or a registration.
    var signInStartFailure: NativeAuthFailure {
        guard endpoint == .token else { return failure() }
        return switch grantError {
        case .userNotFound: grantFailure(.userNotFound)
        case .wrongPassword: grantFailure(.invalidCredentials)
        case .wrongCode, .unexplainedGrant, .other: grantFailure()
        }
    }

    /// The failure of a requested password.
    func passwordFailure(_ state: NativeAuth.SignInPassword) -> NativeAuthFailure {
        guard endpoint == .token else { return failure() }
        let remaining = NativeAuthFailure.Remaining.continuation(state.continuation)
        switch grantError {
        case .userNotFound:
            return grantFailure(.userNotFound, keeping: remaining)
        case .wrongPassword:
            // docs/reference/NativeAuthentication.md#quirk-password-text.
            return grantFailure(.invalidPassword, keeping: remaining).withoutDetails(.words())
        case .wrongCode, .unexplainedGrant, .other:
            return grantFailure(keeping: remaining)
        }
    }

    /// The failure of a code.
    func codeFailure(_ state: NativeAuth.SignInCode) -> NativeAuthFailure {
        codeFailure(.invalidCode, keeping: state.continuation)
    }

    /// The failure of a second factor's code. If the service returns no text, the first factor's text is used.
    func codeFailure(_ state: NativeAuth.MFAChallenge) -> NativeAuthFailure {
        var failure = codeFailure(.invalidChallenge, keeping: state.continuation)
        if failure.kind == .invalidChallenge {
            failure.message = failure.message ?? NativeAuthFailure.Kind.invalidCode.defaultText
        }
        return failure
    }

    private func codeFailure(
        _ kind: NativeAuthFailure.Kind,
        keeping continuation: NativeAuth.Continuation
    ) -> NativeAuthFailure {
        guard endpoint == .token else { return failure() }
        return switch grantError {
        case .wrongCode: grantFailure(kind, keeping: .continuation(continuation))
        // docs/reference/NativeAuthentication.md#quirk-lost-words.
        case .unexplainedGrant: grantFailure(keeping: .continuation(continuation)).withoutDetails(.words(), .codes)
        case .userNotFound, .wrongPassword, .other: grantFailure(keeping: .continuation(continuation))
        }
    }
}
