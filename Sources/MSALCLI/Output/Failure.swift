// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import MSAL

/// An error for the user: what happened, what helps, and the exit status.
struct Failure: Error, Equatable {
    var status: CommandExit
    /// A number of `MSALError`, or of `NSURLErrorDomain` if no response came.
    var code: Int
    /// A number of `MSALInternalError`, for example; only with the code -50000.
    var internalCode: Int?
    var message: String
    /// Parts of the message, for example one for each credential of a chain.
    var details: [String] = []
    var remedy: String?
    /// The correlation ID, for the service's logs.
    var correlationID: String?
    /// The numbers behind `AADSTS…`.
    var serviceCodes: [Int] = []
    /// The service's more precise error code, such as `basic_action`.
    var suberror: String?
    /// The claims that a new sign-in must request, as the service or the resource wrote them.
    var claims: String?
}

extension Failure {
    /// Wrong arguments or settings.
    static func usage(_ message: String, remedy: String? = nil) -> Failure {
        Failure(.usage, detail: .internalErrorInvalidParameter, message: message, remedy: remedy)
    }

    /// No account matches.
    static func notSignedIn(_ message: String, remedy: String? = Remedy.signIn) -> Failure {
        Failure(.notSignedIn, detail: .internalErrorAccountRequired, message: message, remedy: remedy)
    }

    /// The user pressed Ctrl-C, ended the input or said no.
    static func canceled(_ message: String = "Canceled.", remedy: String? = nil) -> Failure {
        Failure(status: .canceled, code: MSALError.userCanceled.rawValue, message: message, remedy: remedy)
    }

    /// Several accounts match.
    static func ambiguous(_ names: [String]) -> Failure {
        Failure(
            .usage,
            detail: .internalErrorAmbiguousAccount,
            message: "Several accounts are signed in: \(names.joined(separator: ", ")).",
            remedy: "Pass --account NAME, or set a default: msal account set NAME"
        )
    }

    /// The tokens of a sign-in could not be stored. `cause` is the reason, if it is known.
    static func notStored(_ cause: String?) -> Failure {
        unstored("The tokens could not be stored, so the next command will not find them.", cause: cause)
    }

    /// A renewed token could not be stored. `cause` is the reason, if it is known.
    static func notRenewedForLong(_ cause: String?) -> Failure {
        unstored("The renewed token could not be stored, so the next command renews it again.", cause: cause)
    }

    /// A token store that cannot be used.
    static func store(_ message: String, remedy: String? = Remedy.store) -> Failure {
        Failure(.store, detail: .internalErrorUnexpected, message: message, remedy: remedy)
    }

    private static func unstored(_ message: String, cause: String?) -> Failure {
        store([message, cause].compactMap(\.self).joined(separator: " "))
    }

    /// A sign-in did not begin, because its tokens could not be stored. `cause` is the store's failure.
    static func notPersisted(_ cause: Failure) -> Failure {
        var failure = cause
        failure.message = "The sign-in was not started, because it could not be stored. \(cause.message)"
        failure.remedy = cause.remedy ?? Remedy.store
        return failure
    }

    /// A file of the user cannot be read, understood or written.
    static func file(_ message: String, remedy: String? = nil) -> Failure {
        Failure(.failed, detail: .internalErrorUnexpected, message: message, remedy: remedy)
    }

    init(_ status: CommandExit, detail: MSALInternalError, message: String, remedy: String?) {
        self.init(
            status: status,
            code: MSALError.internal.rawValue,
            internalCode: detail.rawValue,
            message: message,
            remedy: remedy
        )
    }

    /// `msal: …`, the remedy, and the correlation ID where the service knows one.
    func text(_ style: Style) -> TerminalText {
        var lines: [TerminalText] = ["\(style.problem("msal:")) \(message)"]
        lines += details.map { "  \($0)" }
        if let remedy { lines.append("\(remedy)") }
        if let correlationID { lines.append("Correlation ID: \(correlationID)") }
        return lines.joined(separator: "\n")
    }

    /// The `error` object.
    var json: String { JSONText.encode(["error": self]) }
}

/// The members of the `error` object. All of them are always present.
extension Failure: Encodable {
    private enum CodingKeys: String, CodingKey {
        case code, internalCode, message, remedy, correlationId, errorCodes, suberror, claims
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(code, forKey: .code)
        try members.encode(internalCode, forKey: .internalCode)
        try members.encode(([message] + details).joined(separator: "\n"), forKey: .message)
        try members.encode(remedy, forKey: .remedy)
        try members.encode(correlationID, forKey: .correlationId)
        try members.encode(serviceCodes, forKey: .errorCodes)
        try members.encode(suberror, forKey: .suberror)
        try members.encode(claims, forKey: .claims)
    }
}

/// The remedies that several similar failures share. Every other remedy is next to its message.
enum Remedy {
    static let attributes = "Correct it in --attribute or in the answers."
    static let browser = "Pass --browser, or run: msal login"
    static let consent = "Pass --yes."
    static let graphPath = "Pass a path such as /me."
    static let machine = "Run: msal doctor"
    static let settings = "See the example in: msal --help"
    static let signIn = "Sign in: msal login"
    static let store = "Run: msal cache doctor"
}
