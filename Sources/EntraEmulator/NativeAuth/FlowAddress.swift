// Licensed under the MIT License. See LICENSE.

import HTTPTypes

/// The paths of native authentication V2 below a tenant. Clients only construct the first one, and follow links
/// otherwise.
enum FlowAddress: Sendable, Equatable {
    /// The entry point, which returns the authorization code if it receives a continuation token.
    case authorizeChallenge
    /// A step of the flow with an ID.
    case step(FlowStepAddress, flow: String)

    /// Parses the path below a tenant; `nil` for any other path.
    init?(_ segments: [String]) {
        if segments.map({ $0.lowercased() }) == Self.entry {
            self = .authorizeChallenge
        } else if segments.count > 4, segments.prefix(3).map({ $0.lowercased() }) == Self.beginning,
            let step = FlowStepAddress(segments.dropFirst(4).map { $0.lowercased() })
        {
            self = .step(step, flow: segments[3])
        } else {
            return nil
        }
    }

    /// The path below a tenant.
    var path: String {
        switch self {
        case .authorizeChallenge: Self.entry.joined(separator: "/")
        case .step(let step, let flow): (Self.beginning + [flow, step.path]).joined(separator: "/")
        }
    }

    /// The method of its requests.
    var method: HTTPRequest.Method { if case .step(.update, _) = self { .put } else { .post } }

    private static let entry = ["oauth2", "v2.0", "authorize-challenge"]
    private static let beginning = ["api", "v2.0", "f"]
}

/// The end of the path of a step, as the service writes it.
enum FlowStepAddress: Sendable, Equatable {
    case signIn, signUp, resetPassword, submitAttributes, update, poll
    case challenge(type: String, id: String)
    case verify(type: String, id: String)
    case riskVerify(type: String, id: String)
    case enroll(type: String)
    case activate(type: String)
    case resend(type: String)

    /// Parses the segments, in lower case.
    init?(_ segments: [String]) {
        switch segments {
        case ["signin", "start"]: self = .signIn
        case ["signup", "start"]: self = .signUp
        case ["resetpassword", "start"]: self = .resetPassword
        case ["signup", "submitattributes"]: self = .submitAttributes
        case ["auth", "methods", "password", "update"]: self = .update
        case ["auth", "methods", "password", "pollupdate"]: self = .poll
        default:
            guard (4...5).contains(segments.count), segments.prefix(2) == ["auth", "methods"] else { return nil }
            let type = segments[2]
            switch (segments.count, segments[segments.count - 1]) {
            case (5, "challenge"): self = .challenge(type: type, id: segments[3])
            case (5, "verify"): self = .verify(type: type, id: segments[3])
            case (5, "riskverify"): self = .riskVerify(type: type, id: segments[3])
            case (4, "enroll"): self = .enroll(type: type)
            case (4, "activate"): self = .activate(type: type)
            case (4, "resend"): self = .resend(type: type)
            default: return nil
            }
        }
    }

    var path: String {
        switch self {
        case .signIn: "signin/start"
        case .signUp: "signup/start"
        case .resetPassword: "resetpassword/start"
        case .submitAttributes: "signup/submitattributes"
        case .update: "auth/methods/password/update"
        case .poll: "auth/methods/password/pollUpdate"
        case .challenge(let type, let id): "auth/methods/\(type)/\(id)/challenge"
        case .verify(let type, let id): "auth/methods/\(type)/\(id)/verify"
        case .riskVerify(let type, let id): "auth/methods/\(type)/\(id)/riskverify"
        case .enroll(let type): "auth/methods/\(type)/enroll"
        case .activate(let type): "auth/methods/\(type)/activate"
        case .resend(let type): "auth/methods/\(type)/resend"
        }
    }
}
