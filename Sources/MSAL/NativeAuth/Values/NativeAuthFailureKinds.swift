// Licensed under the MIT License. See LICENSE.

/// The failures that one operation tells apart (spec native-auth 10.1).
package protocol NativeAuthFailureKind: Sendable, Hashable {
    static var general: Self { get }
    /// The user has to go on in the browser.
    static var browserRequired: Self { get }
    /// The text where the service gave none.
    var defaultText: String { get }
}

extension NativeAuth {
    package enum SignInStartKind: NativeAuthFailureKind {
        case general, browserRequired, userNotFound, invalidCredentials, invalidUsername

        package var defaultText: String {
            switch self {
            case .general: Text.general
            case .browserRequired: Text.browserRequired
            case .userNotFound: Text.userNotFound
            case .invalidCredentials: Text.invalidCredentials
            case .invalidUsername: Text.invalidUsername
            }
        }
    }

    package enum SignUpStartKind: NativeAuthFailureKind {
        case general, browserRequired, userAlreadyExists, invalidPassword, invalidUsername

        package var defaultText: String {
            switch self {
            case .general: Text.general
            case .browserRequired: Text.browserRequired
            case .userAlreadyExists: Text.userAlreadyExists
            case .invalidPassword: Text.invalidPassword
            case .invalidUsername: Text.invalidUsername
            }
        }
    }

    package enum ResetPasswordStartKind: NativeAuthFailureKind {
        case general, browserRequired, userDoesNotHavePassword, userNotFound, invalidUsername

        package var defaultText: String {
            switch self {
            case .general: Text.general
            case .browserRequired: Text.browserRequired
            case .userDoesNotHavePassword: Text.userDoesNotHavePassword
            case .userNotFound: Text.userNotFound
            case .invalidUsername: Text.invalidUsername
            }
        }
    }

    package enum VerifyCodeKind: NativeAuthFailureKind {
        case general, browserRequired, invalidCode

        package var defaultText: String {
            switch self {
            case .general: Text.general
            case .browserRequired: Text.browserRequired
            case .invalidCode: Text.invalidCode
            }
        }
    }

    package enum PasswordKind: NativeAuthFailureKind {
        case general, browserRequired, invalidPassword

        package var defaultText: String {
            switch self {
            case .general: Text.general
            case .browserRequired: Text.browserRequired
            case .invalidPassword: Text.invalidPassword
            }
        }
    }

    package enum MFARequestChallengeKind: NativeAuthFailureKind {
        case general, browserRequired, authMethodBlocked

        package var defaultText: String {
            switch self {
            case .general: Text.general
            case .browserRequired: Text.browserRequired
            case .authMethodBlocked: Text.authMethodBlocked
            }
        }
    }

    /// Also the failures of the code that registers a strong method.
    package enum SubmitChallengeKind: NativeAuthFailureKind {
        case general, browserRequired, invalidChallenge

        package var defaultText: String {
            switch self {
            case .general: Text.general
            case .browserRequired: Text.browserRequired
            case .invalidChallenge: Text.invalidChallenge
            }
        }
    }

    package enum RegistrationChallengeKind: NativeAuthFailureKind {
        case general, browserRequired, invalidInput, verificationContactBlocked

        package var defaultText: String {
            switch self {
            case .general: Text.general
            case .browserRequired: Text.browserRequired
            case .invalidInput: Text.invalidInput
            case .verificationContactBlocked: Text.verificationContactBlocked
            }
        }
    }

    package enum AccessTokenKind: NativeAuthFailureKind {
        case general, browserRequired, refreshTokenExpired, invalidScope

        package var defaultText: String {
            switch self {
            case .general: Text.general
            case .browserRequired: Text.browserRequired
            case .refreshTokenExpired: Text.refreshTokenExpired
            case .invalidScope: Text.invalidScope
            }
        }
    }

    /// Of the operations that tell nothing else apart: resending, attributes, sign-in after another flow.
    package enum GenericKind: NativeAuthFailureKind {
        case general, browserRequired

        package var defaultText: String {
            switch self {
            case .general: Text.general
            case .browserRequired: Text.browserRequired
            }
        }
    }
}

// The failures by operation.
extension NativeAuth {
    package typealias SignInStartFailure = NativeAuthFailure<SignInStartKind, Never>
    package typealias SignInCodeFailure = NativeAuthFailure<VerifyCodeKind, SignInCode>
    package typealias SignInPasswordFailure = NativeAuthFailure<PasswordKind, SignInPassword>
    package typealias SignInResendFailure = NativeAuthFailure<GenericKind, SignInCode>
    package typealias MFARequestChallengeFailure = NativeAuthFailure<MFARequestChallengeKind, MFAChallenge>
    package typealias MFASubmitChallengeFailure = NativeAuthFailure<SubmitChallengeKind, MFAChallenge>
    package typealias RegistrationChallengeFailure = NativeAuthFailure<
        RegistrationChallengeKind, StrongAuthRegistration
    >
    package typealias RegistrationSubmitFailure = NativeAuthFailure<SubmitChallengeKind, StrongAuthVerification>
    package typealias SignUpStartFailure = NativeAuthFailure<SignUpStartKind, Never>
    package typealias SignUpCodeFailure = NativeAuthFailure<VerifyCodeKind, SignUpCode>
    package typealias SignUpResendFailure = NativeAuthFailure<GenericKind, SignUpCode>
    package typealias SignUpPasswordFailure = NativeAuthFailure<PasswordKind, SignUpPassword>
    package typealias SignUpAttributesFailure = NativeAuthFailure<GenericKind, Never>
    package typealias ResetPasswordStartFailure = NativeAuthFailure<ResetPasswordStartKind, Never>
    package typealias ResetPasswordCodeFailure = NativeAuthFailure<VerifyCodeKind, ResetPasswordCode>
    package typealias ResetPasswordResendFailure = NativeAuthFailure<GenericKind, ResetPasswordCode>
    package typealias NewPasswordFailure = NativeAuthFailure<PasswordKind, NewPassword>
    package typealias FinishedFlowFailure = NativeAuthFailure<GenericKind, Never>
    package typealias AccessTokenFailure = NativeAuthFailure<AccessTokenKind, Never>
}
