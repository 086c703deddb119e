// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird

/// A response by name, in the vocabulary of the service that Microsoft's own integration tests ask for responses.
///
/// Continuation tokens in these responses belong to no journey; a test that queues one response queues the rest too.
public enum NamedResponse: String, Sendable, CaseIterable {
    case invalidRequest = "InvalidRequest"
    case invalidToken = "InvalidToken"
    case invalidClient = "InvalidClient"
    case unauthorizedClient = "UnauthorizedClient"
    case invalidGrant = "InvalidGrant"
    case invalidScope = "InvalidScope"
    case expiredToken = "ExpiredToken"
    case authNotSupported = "AuthNotSupported"
    case userAlreadyExists = "UserAlreadyExists"
    case userNotFound = "UserNotFound"
    case slowDown = "SlowDown"
    case invalidPassword = "InvalidPassword"
    case invalidOOBValue = "InvalidOOBValue"
    case passwordTooWeak = "PasswordTooWeak"
    case passwordTooShort = "PasswordTooShort"
    case passwordTooLong = "PasswordTooLong"
    case passwordRecentlyUsed = "PasswordRecentlyUsed"
    case passwordBanned = "PasswordBanned"
    case authorizationPending = "AuthorizationPending"
    case challengeTypePassword = "ChallengeTypePassword"
    case challengeTypeOOB = "ChallengeTypeOOB"
    case challengeTypeRedirect = "ChallengeTypeRedirect"
    case unsupportedChallengeType = "UnsupportedChallengeType"
    case credentialRequired = "CredentialRequired"
    case initiateSuccess = "InitiateSuccess"
    case tokenSuccess = "TokenSuccess"
    case attributesRequired = "AttributesRequired"
    case invalidAttributes = "InvalidAttributes"
    case verificationRequired = "VerificationRequired"
    case attributeValidationFailed = "AttributeValidationFailed"
    case invalidContinuationToken = "InvalidContinuationToken"
    case introspectSuccess = "IntrospectSuccess"
    case mfaRequired = "MFARequired"
    case introspectRequired = "IntrospectRequired"
    case registrationRequired = "RegistrationRequired"
    case invalidUsername = "InvalidUsername"
    case serverError = "ServerError"
    case accessDenied = "AccessDenied"
    case authMethodBlocked = "AuthMethodBlocked"
    case resetStartSuccess = "SSPRStartSuccess"
    case resetContinueSuccess = "SSPRContinueSuccess"
    case resetSubmitSuccess = "SSPRSubmitSuccess"
    case resetPollSuccess = "SSPRPollSuccess"
    case resetPollInProgress = "SSPRPollInProgress"
    case resetPollFailed = "SSPRPollFailed"
    case resetPollNotStarted = "SSPRPollNotStarted"

    /// The meaning of a name: members of a response with status 200, or a failure.
    enum Content {
        case success([String: JSONValue])
        case tokens
        case failure(EntraError)
    }

    var content: Content {
        switch self {
        case .challengeTypePassword: .success(["challenge_type": "password", "continuation_token": Self.token])
        case .challengeTypeOOB: .success(Self.code)
        case .challengeTypeRedirect: .success(["challenge_type": "redirect"])
        case .initiateSuccess, .resetStartSuccess: .success(["continuation_token": Self.token])
        case .introspectSuccess: .success(["continuation_token": Self.token, "methods": Self.methods])
        case .tokenSuccess: .tokens
        case .resetContinueSuccess: .success(["continuation_token": Self.token, "expires_in": 600])
        case .resetSubmitSuccess: .success(["continuation_token": Self.token, "poll_interval": 2])
        case .resetPollSuccess:
            .success(["status": "succeeded", "continuation_token": Self.token, "expires_in": 600])
        case .resetPollInProgress: .success(["status": "in_progress"])
        case .resetPollFailed: .success(["status": "failed", "continuation_token": Self.token])
        case .resetPollNotStarted: .success(["status": "not_started"])
        case .invalidRequest, .invalidToken, .invalidClient, .unauthorizedClient, .invalidGrant, .invalidScope,
            .expiredToken, .authNotSupported, .userAlreadyExists, .userNotFound, .slowDown, .invalidPassword,
            .invalidOOBValue, .passwordTooWeak, .passwordTooShort, .passwordTooLong, .passwordRecentlyUsed,
            .passwordBanned, .authorizationPending, .unsupportedChallengeType, .credentialRequired,
            .attributesRequired, .invalidAttributes, .verificationRequired, .attributeValidationFailed,
            .invalidContinuationToken, .mfaRequired, .introspectRequired, .registrationRequired, .invalidUsername,
            .serverError, .accessDenied, .authMethodBlocked:
            .failure(failure)
        }
    }

    private var failure: EntraError {
        switch self {
        case .invalidToken, .invalidContinuationToken: .invalidContinuation(number: 55_000)
        case .invalidClient: plain("invalid_client", number: 7_000_218)
        case .unauthorizedClient: plain("unauthorized_client", number: 700_016)
        case .invalidGrant: plain("invalid_grant", number: 70_000)
        case .invalidScope: plain("invalid_scope", number: 70_011)
        case .expiredToken: .expiredContinuation(number: 55_112)
        case .authNotSupported: plain("invalid_request", number: 400_002)
        case .userAlreadyExists: .customerExists
        case .userNotFound: .customerNotFound
        case .slowDown: plain("slow_down", number: 70_018)
        case .invalidPassword: .wrongPassword
        case .invalidOOBValue: .wrongCode
        case .passwordTooWeak: .badPassword(.tooWeak)
        case .passwordTooShort: .badPassword(.tooShort)
        case .passwordTooLong: .badPassword(.tooLong)
        case .passwordRecentlyUsed: .badPassword(.recentlyUsed)
        case .passwordBanned: .badPassword(.banned)
        case .authorizationPending: plain("authorization_pending", number: 70_016)
        case .unsupportedChallengeType: plain("unsupported_challenge_type", number: 901_007)
        case .credentialRequired: .credentialRequired.with(["continuation_token": Self.token])
        case .attributesRequired:
            .attributesRequired(number: 55_102).with([
                "continuation_token": Self.token,
                "required_attributes": [AttributeRule(name: "displayName", pattern: ".{1,64}").json],
            ])
        case .invalidAttributes, .attributeValidationFailed: .invalidAttributes(["displayName"])
        case .verificationRequired: .verificationRequired.with(["continuation_token": Self.token])
        case .mfaRequired: .secondFactorRequired.with(["continuation_token": Self.token])
        case .introspectRequired: .introspectionRequired
        case .registrationRequired: .registrationRequired.with(["continuation_token": Self.token])
        case .invalidUsername: .invalidParameter("username")
        case .serverError: plain("server_error", number: 90_033)
        case .accessDenied: plain("access_denied", number: 550_024)
        case .authMethodBlocked: .blockedContact
        case .invalidRequest, .challengeTypePassword, .challengeTypeOOB, .challengeTypeRedirect, .initiateSuccess,
            .tokenSuccess, .introspectSuccess, .resetStartSuccess, .resetContinueSuccess, .resetSubmitSuccess,
            .resetPollSuccess, .resetPollInProgress, .resetPollFailed, .resetPollNotStarted:
            plain("invalid_request", number: 90_100)
        }
    }

    private func plain(_ error: String, number: Int) -> EntraError {
        EntraError(number: number, error: error, message: "This response was asked for by name: \(rawValue).")
    }

    private static var token: JSONValue { .string(Secret.random(bytes: 96).revealed) }

    private static var code: [String: JSONValue] {
        [
            "continuation_token": token, "challenge_type": "oob", "binding_method": "prompt",
            "challenge_channel": "email", "challenge_target_label": "c***r@fa******.example", "code_length": 8,
            "interval": 300,
        ]
    }

    private static var methods: JSONValue {
        [StrongMethod(id: UUID().uuidString.lowercased(), channel: .email, address: "c@fabrikam.example").json]
    }
}
