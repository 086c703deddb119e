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
    var isCanceled: Bool { if case .canceled = underlying?.kind { true } else { false } }

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

    /// All failures that operations distinguish. Each operation has a few of them
    /// (docs/reference/NativeAuthentication.md#failures).
    enum Kind: Sendable, Hashable, CaseIterable {
        case general
        /// The user must continue in the browser.
        case browserRequired
        case userNotFound
        case userAlreadyExists
        case userDoesNotHavePassword
        case invalidUsername
        /// The password of a sign-in that has just begun.
        case invalidCredentials
        /// A requested password, the user's own or a new one.
        case invalidPassword
        /// The code for a first factor, a sign-up, or a reset.
        case invalidCode
        /// The code for a second factor, or for a method that is being registered.
        case invalidChallenge
        /// The contact of a method that is being registered.
        case invalidInput
        case authMethodBlocked
        case verificationContactBlocked
        /// Attribute values that the service rejects, with their names.
        case invalidAttributes
        /// The app's delegate does not conform to the protocol for the next state.
        case notImplemented

        /// The text if the service returned none: that of MSAL for iOS if it is short, otherwise our own.
        var defaultText: String {
            switch self {
            case .general: "General error"
            case .browserRequired:
                "Browser required. Use acquireTokenInteractively of this application to go on in the browser."
            case .userNotFound: "User does not exist"
            case .userAlreadyExists: "User already exists"
            case .userDoesNotHavePassword: "This account has no password that could be reset"
            case .invalidUsername: "Invalid username"
            case .invalidCredentials: "Invalid credentials"
            case .invalidPassword: "Invalid password"
            case .invalidCode: "Invalid code"
            case .invalidChallenge: "Invalid challenge"
            case .invalidInput: "Invalid input"
            case .authMethodBlocked: Text.authMethodBlocked
            case .verificationContactBlocked: Text.verificationContactBlocked
            case .invalidAttributes: "Invalid attributes"
            case .notImplemented: "The delegate lacks a protocol that this outcome needs"
            }
        }
    }

    /// The texts that are not specific to one kind of failure.
    enum Text {
        static let unexpectedBody = "Unexpected response body received"
        static let unexpectedChallengeType = "Unexpected challenge type"
        static let signInNotAvailable =
            "Signing in after this flow is not possible now. Use the application's own sign-in."
        static let registrationRepeated = "The service asks again for a strong method that was registered just now."
        static let passwordInsteadOfCode = "The service asks for a password where it was to send a code."
        static let codeInsteadOfPassword = "The service sends another code where it was to ask for a password."
        static let passwordNotSet = "The service did not set the new password. Try again, or choose another one."
        static let resetUnfinished = "The service has not finished with the new password. It may be valid in a moment."

        /// The text before the service's, for a second factor that the service has blocked.
        static let authMethodBlocked =
            "The service has blocked this strong authentication method; ask support for help. More information: "
        /// The text before the service's, for a password that must be changed first.
        static let passwordChangeRequired =
            "The password has to be changed, which cannot be done here. Reset it and sign in again. More information: "
        /// The text before the service's, for a contact that the service has blocked.
        static let verificationContactBlocked =
            "The service has blocked this contact; use another one or another method. More information: "
        /// The text before the service's, for a token that requires a second factor.
        static let mfaRequired =
            "A second factor is needed, which cannot be given here. Sign out and in again. More information: "

        /// The text before the service's, for attributes that it rejects.
        static func invalidAttributes(_ names: [String]) -> String {
            "The service refuses these attributes: \(names.joined(separator: ", ")). More information: "
        }

        /// The text for an outcome that the app's delegate has no member for.
        ///
        /// `member`: The base name of the missing member.
        static func notImplemented(_ member: String) -> String {
            "The delegate does not implement \(member), which this outcome needs."
        }
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
