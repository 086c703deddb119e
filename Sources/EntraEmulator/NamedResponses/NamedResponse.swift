// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALBase

/// A response by name. Microsoft's own integration tests use these names to ask the service for responses.
///
/// Continuation tokens in these responses belong to no flow. So a test that asks for one response asks for the rest,
/// too.
public enum NamedResponse: String, Sendable, CaseIterable {
    /// A request that is malformed, without a more exact reason: `invalid_request`, AADSTS90100.
    case invalidRequest = "InvalidRequest"
    /// A continuation token that is not valid: `invalid_request`, AADSTS55000.
    case invalidToken = "InvalidToken"
    /// The application did not prove who it is: `invalid_client`, AADSTS7000218.
    case invalidClient = "InvalidClient"
    /// An application that the tenant does not know: `unauthorized_client`, AADSTS700016.
    case unauthorizedClient = "UnauthorizedClient"
    /// A grant that is not valid, without a more exact reason: `invalid_grant`, AADSTS70000.
    case invalidGrant = "InvalidGrant"
    /// Scopes that do not exist: `invalid_scope`, AADSTS70011.
    case invalidScope = "InvalidScope"
    /// A continuation token that has expired: `expired_token`, AADSTS55112. The flow has to begin again.
    case expiredToken = "ExpiredToken"
    /// A way to authenticate that is not supported: `invalid_request`, AADSTS400002.
    case authNotSupported = "AuthNotSupported"
    /// A sign-up with an address that has an account: `user_already_exists`, AADSTS1003037.
    case userAlreadyExists = "UserAlreadyExists"
    /// An address that has no account: `user_not_found`, AADSTS50034.
    case userNotFound = "UserNotFound"
    /// A client that polls too often: `slow_down`, AADSTS70018.
    case slowDown = "SlowDown"
    /// A wrong password: `invalid_grant`, AADSTS50126.
    case invalidPassword = "InvalidPassword"
    /// A wrong one-time code: `invalid_grant` with the suberror `invalid_oob_value`, AADSTS50181.
    case invalidOOBValue = "InvalidOOBValue"
    /// A new password of too few kinds of characters: AADSTS399246 with the suberror `password_too_weak`.
    case passwordTooWeak = "PasswordTooWeak"
    /// A new password that is too short: AADSTS399246 with the suberror `password_too_short`.
    case passwordTooShort = "PasswordTooShort"
    /// A new password that is too long: AADSTS399246 with the suberror `password_too_long`.
    case passwordTooLong = "PasswordTooLong"
    /// A new password that the user has had recently: AADSTS399246 with the suberror `password_recently_used`.
    case passwordRecentlyUsed = "PasswordRecentlyUsed"
    /// A new password with a forbidden word: AADSTS399246 with the suberror `password_banned`.
    case passwordBanned = "PasswordBanned"
    /// A person who has not finished on the other page or device: `authorization_pending`, AADSTS70016.
    case authorizationPending = "AuthorizationPending"
    /// A challenge that wants the password.
    case challengeTypePassword = "ChallengeTypePassword"
    /// A challenge whose code of eight digits was sent by e-mail. No code is in the outbox.
    case challengeTypeOOB = "ChallengeTypeOOB"
    /// A challenge that the app cannot meet: the user goes on in the browser.
    case challengeTypeRedirect = "ChallengeTypeRedirect"
    /// Challenge types that the service does not have: `unsupported_challenge_type`, AADSTS901007.
    case unsupportedChallengeType = "UnsupportedChallengeType"
    /// A sign-up that goes on with a password: `credential_required`, AADSTS55103.
    case credentialRequired = "CredentialRequired"
    /// The first step of a flow, with a continuation token.
    case initiateSuccess = "InitiateSuccess"
    /// The tokens of the first user of the first External ID tenant.
    case tokenSuccess = "TokenSuccess"
    /// A sign-up that goes on with the attribute `displayName`: `attributes_required`, AADSTS55102.
    case attributesRequired = "AttributesRequired"
    /// An attribute `displayName` that is refused: `invalid_grant` with `attribute_validation_failed`, AADSTS55104.
    case invalidAttributes = "InvalidAttributes"
    /// A user name that has to be verified first: `verification_required`, AADSTS55105.
    case verificationRequired = "VerificationRequired"
    /// Another name of ``invalidAttributes``: the response is the same.
    case attributeValidationFailed = "AttributeValidationFailed"
    /// Another name of ``invalidToken``: the response is the same.
    case invalidContinuationToken = "InvalidContinuationToken"
    /// The list of the user's strong methods, which has one e-mail address.
    case introspectSuccess = "IntrospectSuccess"
    /// A second factor is needed: `invalid_grant` with `mfa_required`, AADSTS50076.
    case mfaRequired = "MFARequired"
    /// Several methods and no default: `invalid_request` with `introspect_required`, AADSTS901001.
    case introspectRequired = "IntrospectRequired"
    /// A strong method has to be registered: `invalid_grant` with `registration_required`, AADSTS50079.
    case registrationRequired = "RegistrationRequired"
    /// A user name that is empty or malformed: `invalid_request`, AADSTS90100.
    case invalidUsername = "InvalidUsername"
    /// A failure of the service: `server_error`, AADSTS90033.
    case serverError = "ServerError"
    /// A refusal without a more exact reason: `access_denied`, AADSTS550024.
    case accessDenied = "AccessDenied"
    /// An address that gets no codes: `access_denied` with `provider_blocked_by_rep`, AADSTS550024.
    case authMethodBlocked = "AuthMethodBlocked"
    /// The first step of a password reset, with a continuation token.
    case resetStartSuccess = "SSPRStartSuccess"
    /// A code that was accepted: the new password may be sent, for 600 seconds.
    case resetContinueSuccess = "SSPRContinueSuccess"
    /// A new password that was accepted: the client polls every two seconds.
    case resetSubmitSuccess = "SSPRSubmitSuccess"
    /// A reset that has succeeded.
    case resetPollSuccess = "SSPRPollSuccess"
    /// A reset that is under way. The client asks again.
    case resetPollInProgress = "SSPRPollInProgress"
    /// A reset that has failed.
    case resetPollFailed = "SSPRPollFailed"
    /// A reset that has not begun. The client asks again.
    case resetPollNotStarted = "SSPRPollNotStarted"

    // MARK: Native authentication V2

    /// The entry of V2, with a token and the links to start.
    case flowEntry
    /// V2 offers a code by e-mail as the only first factor.
    case flowChallengeEmail
    /// V2 offers a text message as the only first factor.
    case flowChallengeSMS
    /// V2 offers e-mail and text message as second factors.
    case flowChallengeMultiFactor
    /// V2 has sent a code of eight digits by e-mail. No code is in the outbox.
    case flowVerifyCode
    /// V2 asks for the password.
    case flowVerifyPassword
    /// V2 asks for a new password.
    case flowUpdate
    /// V2 is still processing a new password. The client asks again.
    case flowPoll
    /// V2 asks for the attribute `displayName`.
    case flowCollectAttributes
    /// V2 wants a strong method to be registered, by e-mail or text message.
    case flowEnroll
    /// V2 has sent a code to a telephone that is being registered. No code is in the outbox.
    case flowActivate
    /// V2 checks the risk of a telephone first.
    case flowRiskVerify
    /// V2 is done: the client can fetch the code of the tokens.
    case flowContinue
    /// The code of the tokens. The token endpoint does not know this code.
    case flowCode
    /// V2 lets the user go on in the browser.
    case flowWebFallback
    /// A wrong one-time code in V2: `invalidGrant` with `invalidOneTimeCode`, AADSTS50181.
    case flowInvalidCode
    /// A wrong password in V2: `invalidGrant` with `invalidUserNameOrPassword`, AADSTS50126.
    case flowInvalidPassword
    /// A new password of too few kinds of characters in V2: `invalidRequest` with `passwordTooWeak`, AADSTS120002.
    case flowPasswordTooWeak
    /// A sign-up in V2 with an address that has an account: `invalidRequest` with `userAlreadyExists`, AADSTS1003037.
    case flowUserExists
    /// An address in V2 that has no account: `invalidRequest`, AADSTS50034.
    case flowUserNotFound
    /// A value of the attribute `displayName` that V2 refuses: `attributeValidationError`, AADSTS1002027.
    case flowAttributesRefused
    /// A contact that V2 sends no codes to: `accessDenied` with `providerBlockedByReputation`, AADSTS550024.
    case flowContactBlocked
    /// A continuation token of V2 that is not valid: `invalidRequest` with `invalidContinuationToken`, AADSTS55200.
    case flowInvalidContinuation
    /// V2 asks for an action that no client knows.
    case flowUnknownAction
    /// V2 asks for the password, with a link to another host.
    case flowForeignLink

    /// The meaning of a name: members of a response with status 200, an answer of V2, or a failure.
    enum Content {
        case success([String: JSONValue])
        case tokens
        case failure(EntraError)
        case flow(NamedFlowAnswer)
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
        case .flowUpdate: .flow(.answer(FlowAnswer(action: .update, links: [(.update, .update)])))
        case .flowPoll: .flow(.answer(FlowAnswer(action: .poll, links: [(.poll, .poll)])))
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
        EntraError(number: number, error: error, message: "This response was asked for by name: \(rawValue).")
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
