// Licensed under the MIT License. See LICENSE.

import MSALSupport

/// The failure of one step. It has all that MSAL for iOS reports, and the details that MSAL for iOS drops
/// (docs/reference/NativeAuthentication.md#server-error).
package struct NativeAuthFailure: Error, Sendable {
    package var kind: Kind
    /// The rest of the flow, for another try.
    package var remaining: Remaining
    /// The text of MSAL for iOS; `nil` stands for the text of the kind.
    package var message: String?
    /// The `errorCodes` of MSAL for iOS.
    package var codes: [Int] = []
    package var errorURI: String?
    package var correlationID: UUID
    /// The service's complete error, even if MSAL for iOS drops parts of it.
    package var serverError: NativeAuth.ServerError?
    /// The failure beneath: no response came, it cannot be read, or its tokens cannot be accepted.
    package var underlying: AuthError?

    package init(
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

    /// The text of MSAL for iOS: the service's words where there are some, else the kind's.
    package var errorDescription: String { message ?? kind.defaultText }

    /// Whether the failure is the cancellation of the calling task.
    package var isCanceled: Bool {
        if case .canceled = underlying?.kind { true } else { false }
    }

    /// Whether the user can try again in the same flow. The flow must have a state left, and the user must not have
    /// ended it.
    package var canRetry: Bool {
        guard !isCanceled else { return false }
        return switch remaining {
        case .nothing: false
        case .same, .continuation: true
        }
    }
}

extension NativeAuthFailure {
    /// The rest of a flow after a failure.
    package enum Remaining: Sendable {
        /// Nothing: start again.
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

    /// The failure without the service's words and numbers, where MSAL for iOS drops them.
    var withoutWords: NativeAuthFailure {
        var copy = self
        copy.message = nil
        copy.codes = []
        copy.errorURI = nil
        return copy
    }

    /// The failure as a general one that ends the flow. It keeps its text, also where that is the text of its kind.
    var generalized: NativeAuthFailure {
        var copy = self
        copy.message = errorDescription
        copy.kind = .general
        copy.remaining = .nothing
        return copy
    }
}

extension NativeAuth {
    /// An error of the service, kept whole but for its continuation token
    /// (docs/reference/NativeAuthentication.md#errors).
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
