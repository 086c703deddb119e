// Licensed under the MIT License. See LICENSE.

import MSALCore

/// The service's endpoints, with their paths below the authority (docs/reference/NativeAuthentication.md#endpoints).
enum NativeAuthEndpoint: String, Sendable, CaseIterable {
    case signInInitiate = "oauth2/v2.0/initiate"
    case signInChallenge = "oauth2/v2.0/challenge"
    case signInIntrospect = "oauth2/v2.0/introspect"
    case token = "oauth2/v2.0/token"
    case signUpStart = "signup/v1.0/start"
    case signUpChallenge = "signup/v1.0/challenge"
    case signUpContinue = "signup/v1.0/continue"
    case resetStart = "resetpassword/v1.0/start"
    case resetChallenge = "resetpassword/v1.0/challenge"
    case resetContinue = "resetpassword/v1.0/continue"
    case resetSubmit = "resetpassword/v1.0/submit"
    case resetPoll = "resetpassword/v1.0/poll_completion"
    case registerIntrospect = "register/v1.0/introspect"
    case registerChallenge = "register/v1.0/challenge"
    case registerContinue = "register/v1.0/continue"

    /// The values that `challenge_type` may have in a success response
    /// (docs/reference/NativeAuthentication.md#reading).
    enum ChallengeTypeRule: Sendable {
        /// The value is `oob`, `password`, or `redirect`. Any other value makes the response unreadable.
        case closed
        /// The value may be any text. `redirect` sends the user to the browser.
        case open
        /// The value is not read.
        case ignored
    }

    var challengeTypeRule: ChallengeTypeRule {
        switch self {
        case .signInInitiate, .signInChallenge, .signInIntrospect, .signUpStart, .signUpChallenge, .resetStart,
            .resetChallenge, .resetContinue, .resetSubmit, .resetPoll, .registerIntrospect, .registerContinue:
            .closed
        case .registerChallenge, .signUpContinue:
            .open
        case .token:
            // Token responses have separate rules.
            .ignored
        }
    }

    /// The `error` values that MSAL for iOS distinguishes, where that has an effect
    /// (docs/reference/NativeAuthentication.md#listed-errors).
    var knownErrors: Set<String> {
        switch self {
        case .signUpChallenge:
            ["invalid_request", "unauthorized_client", "unsupported_challenge_type", "expired_token"]
        case .resetStart:
            ["invalid_request", "user_not_found", "unsupported_challenge_type", "unauthorized_client"]
        case .signInInitiate, .signInChallenge, .signInIntrospect, .token, .signUpStart, .signUpContinue,
            .resetChallenge, .resetContinue, .resetSubmit, .resetPoll, .registerIntrospect, .registerChallenge,
            .registerContinue:
            []
        }
    }

    /// The service's numbers for the request, interface and operation
    /// (docs/reference/NativeAuthentication.md#telemetry).
    var telemetry: (api: Int, operation: Int) {
        switch self {
        case .signUpStart: (75010, 3)
        case .signUpChallenge: (75010, 4)
        case .signUpContinue: (75010, 5)
        case .signInInitiate: (74002, 2)
        case .signInChallenge: (74002, 3)
        case .signInIntrospect: (74002, 4)
        case .registerIntrospect: (75029, 0)
        case .registerChallenge: (75029, 1)
        case .registerContinue: (75029, 2)
        case .token: (75002, 0)
        case .resetStart: (75009, 0)
        case .resetChallenge: (75009, 1)
        case .resetContinue: (75009, 2)
        case .resetSubmit: (75009, 3)
        case .resetPoll: (75009, 4)
        }
    }

    /// The endpoint's URL; `dc` is the data center of the slice configuration.
    func url(below authority: Authority, dataCenter dc: String?) -> URL {
        var query = FormBody()
        query.set("dc", to: dc)
        return query.appended(to: authority.appending(rawValue))
    }
}

extension Parameter {
    static let attributes = Parameter(rawValue: "attributes")
    static let capabilities = Parameter(rawValue: "capabilities")
    static let challengeChannel = Parameter(rawValue: "challenge_channel")
    static let challengeTarget = Parameter(rawValue: "challenge_target")
    static let challengeType = Parameter(rawValue: "challenge_type")
    static let continuationToken = Parameter(rawValue: "continuation_token")
    static let methodID = Parameter(rawValue: "id")
    static let newPassword = Parameter(rawValue: "new_password")
    static let oneTimeCode = Parameter(rawValue: "oob")
    static let password = Parameter(rawValue: "password")
    static let username = Parameter(rawValue: "username")
}
