// Licensed under the MIT License. See LICENSE.

/// Why a request did not bring a step further, before an operation gives it a name of its own.
struct Trouble: Error {
    enum Reason: Sendable {
        /// The service wants the user in the browser.
        case redirect(String?)
        case refused(Refusal)
        /// No answer, or none that can be read.
        case unexpectedBody
        case unexpectedChallengeType
        /// The answer is a proper one, at the wrong place: the reference says nothing about it.
        case unexplained
    }

    let reason: Reason
    let correlationID: UUID
    /// Where it happened, if that is not plain.
    let endpoint: NativeAuthEndpoint?
    /// What the service said, where the reference does not listen.
    var serverError: NativeAuth.ServerError?
    var underlying: AuthError?

    init(_ reason: Reason, _ correlationID: UUID, _ endpoint: NativeAuthEndpoint? = nil) {
        self.reason = reason
        self.correlationID = correlationID
        self.endpoint = endpoint
    }

    var refusal: Refusal? {
        if case .refused(let refusal) = reason { refusal } else { nil }
    }

    /// Whether this is an error answer that the reference knows at its endpoint.
    var isListed: Bool {
        guard let refusal, let endpoint else { return false }
        return endpoint.knownErrors.contains(refusal.serverError.error)
    }

    var isUnexplained: Bool {
        if case .unexplained = reason { true } else { false }
    }

    var isRedirect: Bool {
        if case .redirect = reason { true } else { false }
    }

    /// The facts as the reference reports them where no table says otherwise.
    var facts: NativeAuth.Facts {
        var facts = bareFacts
        switch reason {
        case .redirect(let text):
            facts.message = text
        case .refused(let refusal):
            facts.message = refusal.serverError.description
            facts.codes = refusal.serverError.codes
            facts.errorURI = refusal.serverError.uri
        case .unexpectedBody:
            facts.message = NativeAuth.Text.unexpectedBody
        case .unexpectedChallengeType:
            facts.message = NativeAuth.Text.unexpectedChallengeType
        case .unexplained:
            break
        }
        return facts
    }

    /// No text and no codes; what the reference loses is still there.
    var bareFacts: NativeAuth.Facts {
        var facts = NativeAuth.Facts(correlationID: correlationID)
        facts.serverError = refusal?.serverError ?? serverError
        facts.underlying = underlying
        return facts
    }

    /// The facts with `prefix` before the service's text, which may be missing.
    func facts(prefix: String) -> NativeAuth.Facts {
        var facts = facts
        facts.message = prefix + (facts.message ?? "")
        return facts
    }

    /// The failure where no table says otherwise: `browserRequired` for a redirect, else `general`.
    func failure<Kind, State>(
        _ remaining: NativeAuth.Remaining<State> = .nothing
    ) -> NativeAuthFailure<Kind, State> {
        NativeAuthFailure(isRedirect ? .browserRequired : .general, remaining, facts)
    }

    /// The failure with a name of its own and the usual facts.
    func failure<Kind, State>(
        _ kind: Kind,
        _ remaining: NativeAuth.Remaining<State> = .nothing
    ) -> NativeAuthFailure<Kind, State> {
        NativeAuthFailure(kind, remaining, facts)
    }
}
