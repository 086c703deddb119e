// Licensed under the MIT License. See LICENSE.

import MSALBase

/// The failure of one step, as the asynchronous face reports it. Delegates get it without what MSAL for iOS loses:
/// ``forDelegates``.
struct NativeAuthFailure: Error, Sendable {
    var kind: Kind
    /// What is left of the flow for another try.
    var remaining: Remaining
    /// The service's words, or the library's; `nil` stands for the text of the kind.
    var message: String?
    /// The numbers behind `AADSTS…`.
    var codes: [Int] = []
    var errorURI: String?
    var correlationID: UUID
    /// The service's complete error.
    var serverError: NativeAuth.ServerError?
    /// The failure beneath: no response came, it cannot be read, or its tokens cannot be accepted.
    var underlying: AuthError?
    /// The parts that delegates do not get.
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

    /// The service's words where there are some, else the library's or the kind's.
    var errorDescription: String { message ?? kind.defaultText }

    /// Whether the failure is the cancellation of the calling task.
    var isCanceled: Bool {
        if case .canceled = underlying?.kind { true } else { false }
    }

    /// Whether the user can try again in the same flow. The flow must have a state left, and the user must not have
    /// ended it.
    var canRetry: Bool {
        guard !isCanceled else { return false }
        return switch remaining {
        case .nothing: false
        case .same, .continuation: true
        }
    }
}

extension NativeAuthFailure {
    /// The parts of a flow that are left after a failure.
    enum Remaining: Sendable {
        /// Nothing is left of the flow. The app has to start again.
        case nothing
        /// The state that was used, untouched: nothing was sent.
        case same
        /// The state that was used, with the continuation for another try.
        case continuation(NativeAuth.Continuation)
    }

    /// The failure with `prefix` before the service's words.
    func prefixed(_ prefix: String) -> NativeAuthFailure {
        var copy = self
        copy.message = prefix + (message ?? "")
        return copy
    }

    /// A part of a failure that MSAL for iOS does not pass on (docs/reference/NativeAuthentication.md#quirks). Apps may
    /// count on the texts, numbers, flags and states that they get from it.
    enum Loss: Sendable {
        /// The service's words are lost; `nil` leaves the text of the kind.
        case words(insteadOf: String? = nil)
        case codes
        /// The kind is lost, and its text stays.
        case kind
        case state
    }

    /// The failure without these parts, for the errors of delegates.
    func losing(_ losses: Loss...) -> NativeAuthFailure {
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
    /// An error of the service, kept whole but for its continuation token
    /// (docs/reference/NativeAuthentication.md#errors).
    struct ServerError: Sendable, Hashable {
        /// The HTTP status it came with.
        var status: Int
        var error: String
        var suberror: String?
        var description: String?
        /// The numbers behind `AADSTS…`.
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

        /// This error with each of its texts as one visible line, because apps show and log them.
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
