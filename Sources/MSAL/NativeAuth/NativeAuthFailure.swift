// Licensed under the MIT License. See LICENSE.

import MSALBase

/// The failure of one step, as the asynchronous API reports it. Delegates receive it without the parts that MSAL for
/// iOS drops: ``forDelegates``.
struct NativeAuthFailure: Error, Sendable {
    var kind: Kind
    /// The part of the flow that remains for another attempt.
    var remaining: Remaining
    /// The service's message, or the library's; `nil` means the kind's text.
    var message: String?
    /// The numbers after `AADSTS`.
    var codes: [Int] = []
    var errorURI: String?
    var correlationID: UUID
    /// The service's complete error.
    var serverError: NativeAuth.ServerError?
    /// The underlying failure: there was no response, it is unreadable, or its tokens were rejected.
    var underlying: AuthError?
    /// The parts that delegates do not receive.
    private var losses: [Loss] = []

    init(
        _ kind: Kind,
        keeping remaining: Remaining = .nothing,
        message: String? = nil,
        correlationID: UUID,
        underlying: AuthError? = nil
    ) {
        self.kind = kind
        self.remaining = remaining
        self.message = message
        self.correlationID = correlationID
        self.underlying = underlying
    }

    /// The service's message if there is one, otherwise the library's or the kind's.
    var errorDescription: String { message ?? kind.defaultText }

    /// Whether the calling task was canceled.
    var isCanceled: Bool {
        if case .canceled = underlying?.kind { true } else { false }
    }

    /// Whether the user can try again in the same flow: a state remains, and the user has not ended the flow.
    var canRetry: Bool {
        guard !isCanceled else { return false }
        return switch remaining {
        case .nothing: false
        case .same, .continuation: true
        }
    }
}

extension NativeAuthFailure {
    /// The part of a flow that remains after a failure.
    enum Remaining: Sendable {
        /// Nothing remains. The app must start again.
        case nothing
        /// The state that was used, unchanged: nothing was sent.
        case same
        /// The state that was used, with the continuation for another attempt.
        case continuation(NativeAuth.Continuation)
    }

    /// The failure with `prefix` before the service's message.
    func prefixed(_ prefix: String) -> NativeAuthFailure {
        var copy = self
        copy.message = prefix + (message ?? "")
        return copy
    }

    /// A part of a failure that MSAL for iOS does not pass on (docs/reference/NativeAuthentication.md#quirks). Apps may
    /// rely on the texts, numbers, flags, and states that they receive.
    enum Loss: Sendable {
        /// The service's message is dropped; `nil` leaves the kind's text.
        case words(insteadOf: String? = nil)
        case codes
        /// The kind is dropped, but its text stays.
        case kind
        case state
    }

    /// The failure without these parts, for the errors of delegates.
    func withoutDetails(_ losses: Loss...) -> NativeAuthFailure {
        var copy = self
        copy.losses += losses
        return copy
    }

    /// The failure as MSAL for iOS reports it.
    var forDelegates: NativeAuthFailure {
        var copy = self
        for loss in losses {
            switch loss {
            case .words(let text): copy.message = text
            case .codes: (copy.codes, copy.errorURI) = ([], nil)
            case .kind: (copy.message, copy.kind) = (copy.errorDescription, .general)
            case .state: copy.remaining = .nothing
            }
        }
        return copy
    }
}

extension NativeAuth {
    /// An error of the service, complete except for its continuation token
    /// (docs/reference/NativeAuthentication.md#errors).
    struct ServerError: Sendable, Hashable {
        /// The HTTP status of the response.
        var status: Int
        var error: String
        var suberror: String?
        var description: String?
        /// The numbers after `AADSTS`.
        var codes: [Int] = []
        var uri: String?
        var traceID: String?
        /// The time of the error, as the service wrote it.
        var timestamp: String?
        var correlationID: String?
        /// `invalid_attributes`, by name.
        var invalidAttributes: [String] = []
        /// `unverified_attributes`, by name.
        var unverifiedAttributes: [String] = []

        /// This error, with each text as one visible line because apps show and log them.
        var visible: ServerError {
            var copy = self
            copy.error = error.visibleLine
            for text in [\Self.suberror, \.description, \.uri, \.traceID, \.timestamp, \.correlationID] {
                copy[keyPath: text] = self[keyPath: text]?.visibleLine
            }
            copy.invalidAttributes = invalidAttributes.map(\.visibleLine)
            copy.unverifiedAttributes = unverifiedAttributes.map(\.visibleLine)
            return copy
        }
    }
}
