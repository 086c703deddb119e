// Licensed under the MIT License. See LICENSE.

import MSALBase

/// The success response of an endpoint. Redirects are recognized before it is parsed.
protocol NativeAuthResponse: Sendable {
    init(_ members: ResponseMembers) throws(ResponseMembers.Unreadable)
}

/// Only a continuation token: the start of a flow, or a code that was accepted.
struct ContinuationResponse: NativeAuthResponse {
    let token: Secret

    init(_ members: ResponseMembers) throws(ResponseMembers.Unreadable) {
        token = try members.required("continuation_token", as: members.secret)
    }
}

/// The service's challenge to the user.
enum ChallengeResponse: NativeAuthResponse {
    case code(Secret, NativeAuth.CodeDelivery)
    case password(Secret?)
    /// The response names no challenge.
    case unnamed

    init(_ members: ResponseMembers) throws(ResponseMembers.Unreadable) {
        let token = try members.secret("continuation_token")
        let sentTo = try members.text("challenge_target_label")
        let channel = try members.text("challenge_channel")
        let codeLength = try members.number("code_length")
        switch try members.text("challenge_type") {
        case "oob":
            guard let token, let sentTo, let channel, let codeLength else {
                throw ResponseMembers.Unreadable(member: "continuation_token, challenge_target_label or code_length")
            }
            self = .code(token, NativeAuth.CodeDelivery(sentTo: sentTo, channel: channel, codeLength: codeLength))
        case "password":
            self = .password(token)
        default:
            self = .unnamed
        }
    }
}

/// The methods that the user can choose from.
struct MethodsResponse: NativeAuthResponse {
    let token: Secret
    let methods: [NativeAuth.AuthMethod]

    init(_ members: ResponseMembers) throws(ResponseMembers.Unreadable) {
        token = try members.required("continuation_token", as: members.secret)
        let list = try members.required("methods", as: members.objects)
        guard !list.isEmpty else { throw ResponseMembers.Unreadable(member: "methods") }
        methods = try list.map { (method) throws(ResponseMembers.Unreadable) -> NativeAuth.AuthMethod in
            let challengeType = try method.required("challenge_type", as: method.text)
            guard ["oob", "password", "redirect"].contains(challengeType) else {
                throw ResponseMembers.Unreadable(member: "challenge_type")
            }
            return NativeAuth.AuthMethod(
                id: try method.required("id", as: method.text),
                challengeType: challengeType,
                channel: try method.required("challenge_channel", as: method.text),
                loginHint: try method.text("login_hint")
            )
        }
    }
}

/// The sign-up is complete. The token may be missing.
struct SignUpContinueResponse: NativeAuthResponse {
    let token: Secret?

    init(_ members: ResponseMembers) throws(ResponseMembers.Unreadable) {
        token = try members.secret("continuation_token")
    }
}

/// The new password was received. A poll shows whether it was set.
struct ResetSubmitResponse: NativeAuthResponse {
    let token: Secret
    /// The number of seconds between two polls.
    let pollInterval: Int

    init(_ members: ResponseMembers) throws(ResponseMembers.Unreadable) {
        token = try members.required("continuation_token", as: members.secret)
        pollInterval = try members.required("poll_interval", as: members.number)
    }
}

/// The progress of a password reset.
struct ResetPollResponse: NativeAuthResponse {
    enum Status: String, Sendable {
        case succeeded, failed
        case inProgress = "in_progress"
        case notStarted = "not_started"
    }

    let status: Status
    let token: Secret?

    init(_ members: ResponseMembers) throws(ResponseMembers.Unreadable) {
        token = try members.secret("continuation_token")
        guard let status = Status(rawValue: try members.required("status", as: members.text)) else {
            throw ResponseMembers.Unreadable(member: "status")
        }
        self.status = status
    }
}

/// The service's response to a contact to register (docs/reference/NativeAuthentication.md#register-challenge).
enum RegistrationChallengeResponse: NativeAuthResponse {
    case code(Secret, NativeAuth.CodeDelivery)
    /// The contact is known to be the user's.
    case preverified(Secret)
    case other

    init(_ members: ResponseMembers) throws(ResponseMembers.Unreadable) {
        let challengeType = try members.required("challenge_type", as: members.text)
        let token = try members.secret("continuation_token")
        let target = try members.text("challenge_target")
        let channel = try members.text("challenge_channel")
        let codeLength = try members.number("code_length")
        switch challengeType {
        case "oob":
            guard let token, let target, let channel, let codeLength else {
                throw ResponseMembers.Unreadable(member: "continuation_token, challenge_target or code_length")
            }
            self = .code(token, NativeAuth.CodeDelivery(sentTo: target, channel: channel, codeLength: codeLength))
        case "preverified":
            guard let token else { throw ResponseMembers.Unreadable(member: "continuation_token") }
            self = .preverified(token)
        default:
            self = .other
        }
    }
}
