// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALBase

/// A named response. Microsoft's own integration tests use these names to request responses from the service.
///
/// Continuation tokens in these responses do not belong to a flow, so a test that requests one response has to request
/// all following ones, too.
public enum NamedResponse: String, Sendable, CaseIterable {
    /// A malformed request, without a more specific reason: `invalid_request`, AADSTS90100.
    case invalidRequest = "InvalidRequest"
    /// An invalid continuation token: `invalid_request`, AADSTS55000.
    case invalidToken = "InvalidToken"
    /// An application that has not authenticated: `invalid_client`, AADSTS7000218.
    case invalidClient = "InvalidClient"
    /// An application that is unknown in the tenant: `unauthorized_client`, AADSTS700016.
    case unauthorizedClient = "UnauthorizedClient"
    /// An invalid grant, without a more specific reason: `invalid_grant`, AADSTS70000.
    case invalidGrant = "InvalidGrant"
    /// Scopes that do not exist: `invalid_scope`, AADSTS70011.
    case invalidScope = "InvalidScope"
    /// An expired continuation token: `expired_token`, AADSTS55112. The flow has to start again.
    case expiredToken = "ExpiredToken"
    /// An unsupported authentication method: `invalid_request`, AADSTS400002.
    case authNotSupported = "AuthNotSupported"
    /// A sign-up with the address of an existing account: `user_already_exists`, AADSTS1003037.
    case userAlreadyExists = "UserAlreadyExists"
    /// An address without an account: `user_not_found`, AADSTS50034.
    case userNotFound = "UserNotFound"
    /// A client that polls too often: `slow_down`, AADSTS70018.
    case slowDown = "SlowDown"
    /// A wrong password: `invalid_grant`, AADSTS50126.
    case invalidPassword = "InvalidPassword"
    /// A wrong one-time code: `invalid_grant` with the suberror `invalid_oob_value`, AADSTS50181.
    case invalidOOBValue = "InvalidOOBValue"
    /// A new password with too few types of characters: AADSTS399246 with the suberror `password_too_weak`.
    case passwordTooWeak = "PasswordTooWeak"
    /// A new password that is too short: AADSTS399246 with the suberror `password_too_short`.
    case passwordTooShort = "PasswordTooShort"
    /// A new password that is too long: AADSTS399246 with the suberror `password_too_long`.
    case passwordTooLong = "PasswordTooLong"
    /// A new password that the user has used recently: AADSTS399246 with the suberror `password_recently_used`.
    case passwordRecentlyUsed = "PasswordRecentlyUsed"
    /// A new password with a forbidden word: AADSTS399246 with the suberror `password_banned`.
    case passwordBanned = "PasswordBanned"
    /// A user who has not finished on the other page or device: `authorization_pending`, AADSTS70016.
    case authorizationPending = "AuthorizationPending"
    /// A challenge that requires the password.
    case challengeTypePassword = "ChallengeTypePassword"
    /// A challenge whose code of eight digits was sent by email. The outbox contains no code.
    case challengeTypeOOB = "ChallengeTypeOOB"
    /// A challenge that the app cannot handle: the user continues in the browser.
    case challengeTypeRedirect = "ChallengeTypeRedirect"
    /// Challenge types that the service does not support: `unsupported_challenge_type`, AADSTS901007.
    case unsupportedChallengeType = "UnsupportedChallengeType"
    /// A sign-up that continues with a password: `credential_required`, AADSTS55103.
    case credentialRequired = "CredentialRequired"
    /// The first step of a flow, with a continuation token.
    case initiateSuccess = "InitiateSuccess"
    /// The tokens of the first user of the first External ID tenant.
    case tokenSuccess = "TokenSuccess"
    /// A sign-up that continues with the attribute `displayName`: `attributes_required`, AADSTS55102.
    case attributesRequired = "AttributesRequired"
    /// An invalid attribute `displayName`: `invalid_grant` with `attribute_validation_failed`, AADSTS55104.
    case invalidAttributes = "InvalidAttributes"
    /// A user name that has to be verified first: `verification_required`, AADSTS55105.
    case verificationRequired = "VerificationRequired"
    /// Another name of ``invalidAttributes``: the response is the same.
    case attributeValidationFailed = "AttributeValidationFailed"
    /// Another name of ``invalidToken``: the response is the same.
    case invalidContinuationToken = "InvalidContinuationToken"
    /// The list of the user's strong methods, with one email address.
    case introspectSuccess = "IntrospectSuccess"
    /// A second factor is required: `invalid_grant` with `mfa_required`, AADSTS50076.
    case mfaRequired = "MFARequired"
    /// Several methods and no default: `invalid_request` with `introspect_required`, AADSTS901001.
    case introspectRequired = "IntrospectRequired"
    /// A strong method has to be registered: `invalid_grant` with `registration_required`, AADSTS50079.
    case registrationRequired = "RegistrationRequired"
    /// An empty or malformed user name: `invalid_request`, AADSTS90100.
    case invalidUsername = "InvalidUsername"
    /// A failure of the service: `server_error`, AADSTS90033.
    case serverError = "ServerError"
    /// A refusal without a more specific reason: `access_denied`, AADSTS550024.
    case accessDenied = "AccessDenied"
    /// An address that cannot receive codes: `access_denied` with `provider_blocked_by_rep`, AADSTS550024.
    case authMethodBlocked = "AuthMethodBlocked"
    /// The first step of a password reset, with a continuation token.
    case resetStartSuccess = "SSPRStartSuccess"
    /// An accepted code: the new password may be submitted within 600 seconds.
    case resetContinueSuccess = "SSPRContinueSuccess"
    /// An accepted new password: the client polls every two seconds.
    case resetSubmitSuccess = "SSPRSubmitSuccess"
    /// A reset that has succeeded.
    case resetPollSuccess = "SSPRPollSuccess"
    /// A reset in progress. The client polls again.
    case resetPollInProgress = "SSPRPollInProgress"
    /// A reset that has failed.
    case resetPollFailed = "SSPRPollFailed"
    /// A reset that has not started. The client polls again.
    case resetPollNotStarted = "SSPRPollNotStarted"

    // MARK: Native authentication V2

    /// The entry point of V2, with a token and the start links.
    case flowEntry
    /// V2 offers a code by email as the only first factor.
    case flowChallengeEmail
    /// V2 offers a text message as the only first factor.
    case flowChallengeSMS
    /// V2 offers email and text message as second factors.
    case flowChallengeMultiFactor
    /// V2 has sent a code of eight digits by email. The outbox contains no code.
    case flowVerifyCode
    /// V2 requests the password.
    case flowVerifyPassword
    /// V2 requests a new password.
    case flowUpdate
    /// V2 is still processing a new password. The client polls again.
    case flowPoll
    /// V2 requests the attribute `displayName`.
    case flowCollectAttributes
    /// V2 requires the registration of a strong method, by email or text message.
    case flowEnroll
    /// V2 has sent a code to a phone that is being registered. The outbox contains no code.
    case flowActivate
    /// V2 checks the risk of a phone first.
    case flowRiskVerify
    /// V2 is done: the client can request the authorization code.
    case flowContinue
    /// The authorization code. The token endpoint does not accept this code.
    case flowCode
    /// V2 redirects the user to the browser.
    case flowWebFallback
    /// A wrong one-time code in V2: `invalidGrant` with `invalidOneTimeCode`, AADSTS50181.
    case flowInvalidCode
    /// A wrong password in V2: `invalidGrant` with `invalidUserNameOrPassword`, AADSTS50126.
    case flowInvalidPassword
    /// A new password with too few types of characters in V2: `invalidRequest` with `passwordTooWeak`, AADSTS120002.
    case flowPasswordTooWeak
    /// A sign-up in V2 with the address of an existing account: `invalidRequest` with `userAlreadyExists`,
    /// AADSTS1003037.
    case flowUserExists
    /// An address in V2 without an account: `invalidRequest`, AADSTS50034.
    case flowUserNotFound
    /// An invalid value of the attribute `displayName` in V2: `attributeValidationError`, AADSTS1002027.
    case flowAttributesRefused
    /// A contact that cannot receive codes in V2: `accessDenied` with `providerBlockedByReputation`, AADSTS550024.
    case flowContactBlocked
    /// An invalid continuation token in V2: `invalidRequest` with `invalidContinuationToken`, AADSTS55200.
    case flowInvalidContinuation
    /// V2 requests an action that is unknown to all clients.
    case flowUnknownAction
    /// V2 requests the password, with a link to another host.
    case flowForeignLink

    /// The content of a response: the members of a response with status 200, a response of V2, or a failure.
    enum Content {
        case success([String: JSONValue])
        case tokens
        case failure(EntraError)
        case flow(NamedFlowResponse)
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
        case .invalidRequest: .failure(plain("invalid_request", number: 90_100))
        case .invalidToken, .invalidContinuationToken: .failure(.invalidContinuation(number: 55_000))
        case .invalidClient: .failure(plain("invalid_client", number: 7_000_218))
        case .unauthorizedClient: .failure(plain("unauthorized_client", number: 700_016))
        case .invalidGrant: .failure(plain("invalid_grant", number: 70_000))
        case .invalidScope: .failure(plain("invalid_scope", number: 70_011))
        case .expiredToken: .failure(.expiredContinuation(number: 55_112))
        case .authNotSupported: .failure(plain("invalid_request", number: 400_002))
        case .userAlreadyExists: .failure(.customerExists)
        case .userNotFound: .failure(.customerNotFound)
        case .slowDown: .failure(plain("slow_down", number: 70_018))
        case .invalidPassword: .failure(.wrongPassword)
        case .invalidOOBValue: .failure(.wrongCode)
        case .passwordTooWeak: .failure(.badPassword(.tooWeak))
        case .passwordTooShort: .failure(.badPassword(.tooShort))
        case .passwordTooLong: .failure(.badPassword(.tooLong))
        case .passwordRecentlyUsed: .failure(.badPassword(.recentlyUsed))
        case .passwordBanned: .failure(.badPassword(.banned))
        case .authorizationPending: .failure(plain("authorization_pending", number: 70_016))
        case .unsupportedChallengeType: .failure(plain("unsupported_challenge_type", number: 901_007))
        case .credentialRequired: .failure(.credentialRequired.with(["continuation_token": Self.token]))
        case .attributesRequired:
            .failure(
                .attributesRequired(number: 55_102).with([
                    "continuation_token": Self.token,
                    "required_attributes": [AttributeRule(name: "displayName", pattern: ".{1,64}").json],
                ])
            )
        case .invalidAttributes, .attributeValidationFailed: .failure(.invalidAttributes(["displayName"]))
        case .verificationRequired: .failure(.verificationRequired.with(["continuation_token": Self.token]))
        case .mfaRequired: .failure(.secondFactorRequired.with(["continuation_token": Self.token]))
        case .introspectRequired: .failure(.introspectionRequired)
        case .registrationRequired: .failure(.registrationRequired.with(["continuation_token": Self.token]))
        case .invalidUsername: .failure(.invalidParameter("username"))
        case .serverError: .failure(plain("server_error", number: 90_033))
        case .accessDenied: .failure(plain("access_denied", number: 550_024))
        case .authMethodBlocked: .failure(.blockedContact)
        case .flowEntry: .flow(.entry)
        case .flowChallengeEmail: .flow(.answer(.offer([.email])))
        case .flowChallengeSMS: .flow(.answer(.offer([.telephone])))
        case .flowChallengeMultiFactor: .flow(.answer(.offer([.email, .telephone], factor: "multiFactor")))
        case .flowVerifyCode: .flow(.answer(.code(to: .email, length: 8)))
        case .flowVerifyPassword: .flow(.answer(.password(.somebodys)))
        case .flowUpdate: .flow(.answer(FlowResponse(action: .update, links: [(.update, .update)])))
        case .flowPoll: .flow(.answer(FlowResponse(action: .poll, links: [(.poll, .poll)])))
        case .flowCollectAttributes: .flow(.answer(.collect(AttributeRule(name: "displayName", pattern: ".{1,64}"))))
        case .flowEnroll: .flow(.answer(.enroll([.email, .telephone])))
        case .flowActivate: .flow(.answer(.activate(.telephone)))
        case .flowRiskVerify: .flow(.answer(.riskCheck(of: .telephone)))
        case .flowContinue: .flow(.answer(.done))
        case .flowCode: .flow(.code)
        case .flowWebFallback: .flow(.fallback)
        case .flowInvalidCode: .flow(.refusal(FlowProblem(.wrongCode)))
        case .flowInvalidPassword: .flow(.refusal(FlowProblem(.wrongPassword)))
        case .flowPasswordTooWeak: .flow(.refusal(.badPassword(.tooWeak)))
        case .flowUserExists: .flow(.refusal(FlowProblem(.customerExists)))
        case .flowUserNotFound: .flow(.refusal(FlowProblem(.customerNotFound)))
        case .flowAttributesRefused: .flow(.refusal(.attributes([.invalid("displayName")])))
        case .flowContactBlocked: .flow(.refusal(FlowProblem(.blockedContact)))
        case .flowInvalidContinuation: .flow(.refusal(.invalidContinuation(number: 55_200)))
        case .flowUnknownAction: .flow(.unknownAction)
        case .flowForeignLink: .flow(.foreignLink)
        }
    }

    private func plain(_ error: String, number: Int) -> EntraError {
        EntraError(number: number, error: error, message: "This response was requested by name: \(rawValue).")
    }

    private static var token: JSONValue { .string(Secret.random(bytes: 96).exposed) }

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
