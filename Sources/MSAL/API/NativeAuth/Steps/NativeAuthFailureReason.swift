// Licensed under the MIT License. See LICENSE.

/// The failures of one operation in the words of the asynchronous face, which has one list for all of them.
package protocol NativeAuthFailureReason: NativeAuthFailureKind {
    /// What to do about a failure of this kind.
    var reason: MSALNativeAuthFlowError.Reason { get }
}

extension NativeAuthFailure where Kind: NativeAuthFailureReason {
    /// What to do; a general failure tells more if one lies beneath it.
    package var reason: MSALNativeAuthFlowError.Reason {
        guard kind == .general, let cause = facts.underlying else { return kind.reason }
        if case .canceled = cause.kind { return .canceled }
        if case .interactionRequired = cause.kind { return .signInRequired }
        return cause.isServiceUnavailable ? .serviceUnavailable : .general
    }
}

extension NativeAuthFailure {
    /// Whether the reference gives a state back, and the user did not end the flow.
    package var canRetry: Bool {
        guard !isCanceled else { return false }
        return switch remaining {
        case .nothing: false
        case .same, .state: true
        }
    }
}

extension NativeAuth.SignInStartKind: NativeAuthFailureReason {
    package var reason: MSALNativeAuthFlowError.Reason {
        switch self {
        case .general: .general
        case .browserRequired: .browserRequired
        case .userNotFound: .userNotFound
        case .invalidCredentials: .invalidCredentials
        case .invalidUsername: .invalidUsername
        }
    }
}

extension NativeAuth.SignUpStartKind: NativeAuthFailureReason {
    package var reason: MSALNativeAuthFlowError.Reason {
        switch self {
        case .general: .general
        case .browserRequired: .browserRequired
        case .userAlreadyExists: .userAlreadyExists
        case .invalidPassword: .invalidPassword
        case .invalidUsername: .invalidUsername
        }
    }
}

extension NativeAuth.ResetPasswordStartKind: NativeAuthFailureReason {
    package var reason: MSALNativeAuthFlowError.Reason {
        switch self {
        case .general: .general
        case .browserRequired: .browserRequired
        case .userDoesNotHavePassword: .userDoesNotHavePassword
        case .userNotFound: .userNotFound
        case .invalidUsername: .invalidUsername
        }
    }
}

extension NativeAuth.VerifyCodeKind: NativeAuthFailureReason {
    package var reason: MSALNativeAuthFlowError.Reason {
        switch self {
        case .general: .general
        case .browserRequired: .browserRequired
        case .invalidCode: .invalidCode
        }
    }
}

extension NativeAuth.PasswordKind: NativeAuthFailureReason {
    package var reason: MSALNativeAuthFlowError.Reason {
        switch self {
        case .general: .general
        case .browserRequired: .browserRequired
        case .invalidPassword: .invalidPassword
        }
    }
}

extension NativeAuth.MFARequestChallengeKind: NativeAuthFailureReason {
    package var reason: MSALNativeAuthFlowError.Reason {
        switch self {
        case .general: .general
        case .browserRequired: .browserRequired
        case .authMethodBlocked: .authMethodBlocked
        }
    }
}

extension NativeAuth.SubmitChallengeKind: NativeAuthFailureReason {
    package var reason: MSALNativeAuthFlowError.Reason {
        switch self {
        case .general: .general
        case .browserRequired: .browserRequired
        case .invalidChallenge: .invalidCode
        }
    }
}

extension NativeAuth.RegistrationChallengeKind: NativeAuthFailureReason {
    package var reason: MSALNativeAuthFlowError.Reason {
        switch self {
        case .general: .general
        case .browserRequired: .browserRequired
        case .invalidInput: .invalidInput
        case .verificationContactBlocked: .verificationContactBlocked
        }
    }
}

extension NativeAuth.AccessTokenKind: NativeAuthFailureReason {
    package var reason: MSALNativeAuthFlowError.Reason {
        switch self {
        case .general: .general
        case .browserRequired: .browserRequired
        case .refreshTokenExpired: .signInRequired
        case .invalidScope: .general
        }
    }
}

extension NativeAuth.GenericKind: NativeAuthFailureReason {
    package var reason: MSALNativeAuthFlowError.Reason {
        switch self {
        case .general: .general
        case .browserRequired: .browserRequired
        }
    }
}
