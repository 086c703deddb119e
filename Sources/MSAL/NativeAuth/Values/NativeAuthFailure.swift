// Licensed under the MIT License. See LICENSE.

/// Why a step of native authentication failed: what the reference reports, and what it loses (decision N1).
///
/// `Kind` lists the failures that the operation tells apart; `State` is where the user can try again, `Never` where the
/// flow has to be started again.
package struct NativeAuthFailure<Kind: NativeAuthFailureKind, State: Sendable>: Error, Sendable {
    package var kind: Kind
    /// What is left of the flow.
    package var remaining: NativeAuth.Remaining<State>
    package var facts: NativeAuth.Facts

    package init(_ kind: Kind, _ remaining: NativeAuth.Remaining<State> = .nothing, _ facts: NativeAuth.Facts) {
        self.kind = kind
        self.remaining = remaining
        self.facts = facts
    }

    /// The reference's text: the service's words where there are some, else the kind's.
    package var errorDescription: String { facts.message ?? kind.defaultText }

    /// Whether the calling task was cancelled, rather than something went wrong.
    package var isCanceled: Bool {
        if case .canceled = facts.underlying?.kind { true } else { false }
    }
}

extension NativeAuthFailure {
    /// The failure of input that is not worth a request.
    static func refused(
        _ kind: Kind,
        _ correlationID: UUID,
        _ remaining: NativeAuth.Remaining<State> = .nothing
    ) -> NativeAuthFailure {
        NativeAuthFailure(kind, remaining, NativeAuth.Facts(correlationID: correlationID))
    }
}

extension NativeAuth {
    /// What is left of a flow after a failure.
    package enum Remaining<State: Sendable>: Sendable {
        /// Nothing: start again.
        case nothing
        /// The state that was used, untouched: nothing was sent.
        case same
        /// A state with the continuation that the failed request used.
        case state(State)

        package func map<Other>(_ transform: (State) -> Other) -> Remaining<Other> {
            switch self {
            case .nothing: .nothing
            case .same: .same
            case .state(let state): .state(transform(state))
            }
        }
    }

    /// What is known of a failure, whatever its kind.
    package struct Facts: Sendable {
        /// The reference's text; `nil` stands for the text of the kind.
        package var message: String?
        /// The reference's `errorCodes`.
        package var codes: [Int] = []
        package var errorURI: String?
        package var correlationID: UUID
        /// The service's answer, verbatim, whatever the reference makes of it.
        package var serverError: ServerError?
        /// The failure beneath: no answer came, it cannot be read, or its tokens cannot be accepted.
        package var underlying: AuthError?

        package init(message: String? = nil, correlationID: UUID) {
            self.message = message
            self.correlationID = correlationID
        }
    }

    /// An error answer of the service, kept whole but for its continuation token (spec native-auth 2.2).
    package struct ServerError: Sendable, Hashable {
        /// The HTTP status it came with.
        package var status: Int
        package var error: String
        package var suberror: String?
        package var description: String?
        /// The numbers behind `AADSTS…`.
        package var codes: [Int] = []
        package var uri: String?
        package var traceID: String?
        /// As the service wrote it.
        package var timestamp: String?
        package var correlationID: String?
        /// `invalid_attributes`, by name.
        package var invalidAttributes: [String] = []
        /// `unverified_attributes`, by name.
        package var unverifiedAttributes: [String] = []
    }
}
