// Licensed under the MIT License. See LICENSE.

import MSALBase

/// The reason why a request did not advance the flow, as received.
///
/// Its properties classify it. Each operation converts it to the ``NativeAuthFailure`` that the operation documents.
struct WireError: Error {
    enum Reason: Sendable, Hashable {
        /// The service requires the browser, and may state a reason.
        case redirect(String?)
        /// A readable error response: see ``WireError/serverError``.
        case refused
        /// An error response that announces a step but lacks a member that the step needs. It counts as unreadable.
        case incomplete
        /// No response, or an unreadable one.
        case unexpectedBody
        case unexpectedChallengeType
        /// A valid response at the wrong step, with a text that explains it, or rejected tokens, with an underlying
        /// error that explains them. MSAL for iOS reports no cause.
        case unexplained(String?)
    }

    private(set) var reason: Reason
    let correlationID: UUID
    /// The endpoint of the response; `nil` if the flow itself cannot continue.
    let endpoint: NativeAuthEndpoint?
    /// The service's error, whatever the reason.
    var serverError: NativeAuth.ServerError?
    /// The token that turns some errors into the next step.
    private(set) var continuationToken: Secret?
    /// `nil` if the list is missing.
    private(set) var requiredAttributes: [NativeAuth.RequiredAttribute]?
    var underlying: AuthError?

    init(_ reason: Reason, correlationID: UUID, endpoint: NativeAuthEndpoint? = nil, underlying: AuthError? = nil) {
        self.reason = reason
        self.correlationID = correlationID
        self.endpoint = endpoint
        self.underlying = underlying
    }

    /// The same response, treated as one with a missing member.
    var incomplete: WireError {
        var copy = self
        copy.reason = .incomplete
        return copy
    }

}

// MARK: - Classification

extension WireError {
    /// The service's error, if the response was readable.
    var refusal: NativeAuth.ServerError? { reason == .refused ? serverError : nil }

    func isNamed(_ error: String) -> Bool { refusal?.error == error }

    func isNamed(_ error: String, suberror: String) -> Bool { isNamed(error) && refusal?.suberror == suberror }

    /// Whether the service rejects the password for any reason.
    var isAboutPassword: Bool {
        let suberrors = [
            "password_too_weak", "password_too_short", "password_too_long", "password_is_invalid",
            "password_recently_used", "password_banned",
        ]
        return isNamed("invalid_grant") && refusal?.suberror.map(suberrors.contains) == true
    }

    /// Whether the code is wrong.
    var isAboutCode: Bool { isNamed("invalid_grant", suberror: "invalid_oob_value") }

    /// Whether the service blocks a method or a contact.
    var isBlocked: Bool { isNamed("access_denied", suberror: "provider_blocked_by_rep") }

    /// Whether the service rejects attribute values.
    var isAboutAttributes: Bool { isNamed("invalid_grant", suberror: "attribute_validation_failed") }

    /// The names of the attributes that the service rejects; `nil` if it names none.
    var invalidAttributes: [String]? {
        guard isAboutAttributes, let names = refusal?.invalidAttributes, !names.isEmpty else { return nil }
        return names
    }

    /// Whether MSAL for iOS knows this error for its endpoint.
    var isListed: Bool {
        guard let refusal, let endpoint else { return false }
        return endpoint.knownErrors.contains(refusal.error)
    }

    var isUnexplained: Bool { if case .unexplained = reason { true } else { false } }

    /// Whether the service is unreachable or down, so that the state can be tried again.
    var isServiceUnavailable: Bool { underlying?.isServiceUnavailable == true }

    var isRedirect: Bool { if case .redirect = reason { true } else { false } }
}

// MARK: - Failures

extension WireError {
    /// The failure, unless a table overrides it.
    ///
    /// `kind`: By default, `browserRequired` for a redirect and `general` for everything else.
    func failure(
        _ kind: NativeAuthFailure.Kind? = nil,
        keeping remaining: NativeAuthFailure.Remaining = .nothing
    ) -> NativeAuthFailure {
        var failure = NativeAuthFailure(
            kind ?? (isRedirect ? .browserRequired : .general),
            keeping: remaining,
            correlationID: correlationID,
            underlying: underlying
        )
        failure.serverError = serverError
        switch reason {
        case .redirect(let text):
            failure.message = text
        case .refused:
            failure.adoptServiceDescription()
            // docs/reference/NativeAuthentication.md#quirk-verification.
            guard isNamed("verification_required"), [.signUpContinue, .resetContinue].contains(endpoint) else { break }
            return failure.withoutDetails(.words(), .codes)
        case .unexpectedBody, .incomplete:
            failure.message = NativeAuthFailure.Text.unexpectedBody
            guard serverError != nil else { break }
            failure.adoptServiceDescription()
            return failure.withoutDetails(.words(insteadOf: NativeAuthFailure.Text.unexpectedBody), .codes)
        case .unexpectedChallengeType:
            failure.message = NativeAuthFailure.Text.unexpectedChallengeType
        case .unexplained(let text):
            failure.message = text
            return failure.withoutDetails(.words())
        }
        return failure
    }
}

extension NativeAuthFailure {
    /// Copies what the service says about its error.
    fileprivate mutating func adoptServiceDescription() {
        message = serverError?.description ?? message
        codes = serverError?.codes ?? []
        errorURI = serverError?.uri
    }
}

// MARK: - Reading

extension WireError {
    /// Parses an error response. The members that MSAL for iOS reads are read strictly.
    init(
        _ members: ResponseMembers,
        verbatim serverError: NativeAuth.ServerError,
        correlationID: UUID,
        endpoint: NativeAuthEndpoint
    ) throws(ResponseMembers.Unreadable) {
        self.init(.refused, correlationID: correlationID, endpoint: endpoint)
        self.serverError = serverError
        _ = try members.required("error", as: members.text)
        _ = try members.text("suberror")
        _ = try members.text("error_description")
        _ = try members.numbers("error_codes")
        _ = try members.text("error_uri")
        for list in ["invalid_attributes", "unverified_attributes"] {
            for attribute in try members.objects(list) ?? [] { _ = try attribute.required("name", as: attribute.text) }
        }
        continuationToken = try members.secret("continuation_token")
        requiredAttributes = try members.objects("required_attributes")?.map {
            (attribute) throws(ResponseMembers.Unreadable) -> NativeAuth.RequiredAttribute in
            NativeAuth.RequiredAttribute(
                name: try attribute.required("name", as: attribute.text),
                type: try attribute.required("type", as: attribute.text),
                isRequired: try attribute.required("required", as: attribute.flag),
                regex: try attribute.object("options")?.text("regex")
            )
        }
    }
}

extension NativeAuth.ServerError {
    /// Reads all readable members; `nil` without an `error`.
    init?(_ members: [String: JSONValue], status: Int) {
        guard let error = members["error"]?.string else { return nil }
        func names(_ list: String) -> [String] {
            members[list]?.array?.compactMap { $0.object?["name"]?.string } ?? []
        }
        self.status = status
        self.error = error
        suberror = members["suberror"]?.string
        description = members["error_description"]?.string
        codes = members["error_codes"]?.array?.compactMap { $0.double.flatMap(Int.init(exactly:)) } ?? []
        uri = members["error_uri"]?.string
        traceID = members["trace_id"]?.string
        timestamp = members["timestamp"]?.string
        correlationID = members["correlation_id"]?.string
        invalidAttributes = names("invalid_attributes")
        unverifiedAttributes = names("unverified_attributes")
        self = visible
    }
}

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
