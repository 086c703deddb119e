// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import Hummingbird
import MSALBase

/// A V2 error: a V1 error with the additional inner error of V2.
struct FlowProblem: Error, Sendable, Equatable {
    /// The V1 error, used by the flat format.
    let error: EntraError
    /// `code` of the error object.
    var code: String
    /// `code` of the inner error.
    var inner: String?
    /// `details` of the inner error.
    var details: [JSONValue] = []

    /// An error that both versions share.
    init(_ error: EntraError) {
        self.error = error
        code = Self.camelCase(error.error)
        switch error.number {
        case 50_181, 50_184: inner = "invalidOneTimeCode"
        case 50_126: inner = "invalidUserNameOrPassword"
        case 50_034: code = "invalidRequest"
        case 1_003_037:
            (code, inner) = ("invalidRequest", "userAlreadyExists")
            details = [["code": "userAlreadyExists"]]
        case 901_001: inner = "invalidInput"
        case 550_024: inner = "providerBlockedByReputation"
        default: break
        }
    }

    private init(_ error: EntraError, code: String, inner: String?, details: [JSONValue] = []) {
        self.error = error
        self.code = code
        self.inner = inner
        self.details = details
    }

    private static func camelCase(_ words: String) -> String {
        let words = words.split(separator: "_")
        return words.prefix(1).joined() + words.dropFirst().map(\.capitalized).joined()
    }
}

// MARK: Errors

extension FlowProblem {
    static func invalidContinuation(number: Int) -> FlowProblem {
        .init(.invalidContinuation(number: number), code: "invalidRequest", inner: "invalidContinuationToken")
    }

    static func expiredContinuation(number: Int) -> FlowProblem {
        .init(.expiredContinuation(number: number), code: "invalidRequest", inner: "invalidContinuationToken")
    }

    /// The error for a new password. The service documents the number for weak passwords only.
    static func badPassword(_ violation: PasswordPolicy.Violation) -> FlowProblem {
        let (number, inner) =
            switch violation {
            case .tooWeak: (120_002, "passwordTooWeak")
            case .tooShort: (120_003, "passwordTooShort")
            case .tooLong: (120_003, "passwordTooLong")
            case .recentlyUsed: (120_013, "passwordRecentlyUsed")
            case .invalid: (120_014, "passwordIsInvalid")
            case .banned: (120_015, "passwordBanned")
            }
        let error = EntraError.invalidGrant(number, message: violation.explanation, suberror: violation.rawValue)
        return .init(error, code: "invalidRequest", inner: inner)
    }

    /// The missing or invalid attributes, and the reasons.
    static func attributes(_ refused: [RefusedAttribute]) -> FlowProblem {
        let error = EntraError.invalidGrant(
            1_002_027,
            message: "Attributes of the user are missing or not valid: \(refused.map(\.name).joined(separator: ", ")).",
            suberror: "attribute_validation_failed"
        )
        .with(["invalid_attributes": .array(refused.map { ["name": .string($0.name)] })])
        return .init(
            error,
            code: "invalidRequest",
            inner: "attributeValidationError",
            details: refused.map {
                ["attributeIds": [.string($0.name)], "code": .string($0.reason), "message": .string($0.message)]
            }
        )
    }

    static let resetFailed = FlowProblem(
        EntraError(number: 50_000, error: "server_error", message: "The password could not be reset.", status: 500)
    )

    /// The error that redirects the app to the browser; `nil` if the fallback is not an error.
    init?(_ fallback: NativeAuthV2Settings.Fallback) {
        let message = "The user has to continue in the browser."
        switch fallback {
        case .off, .state: return nil
        case .error:
            self.init(
                EntraError(number: 50_076, error: "redirect_to_web", message: message),
                code: "redirect_to_web",
                inner: nil
            )
        case .suberror, .inner:
            self.init(
                EntraError.invalidGrant(50_076, message: message, suberror: "web_redirect_required"),
                code: "invalidGrant",
                inner: "webRedirectRequired"
            )
        }
    }
}

/// An attribute that prevents a sign-up from continuing.
struct RefusedAttribute: Sendable {
    let name: String
    let reason: String
    let message: String

    static func missing(_ name: String) -> RefusedAttribute {
        .init(name: name, reason: "attributeRequired", message: "A value is required.")
    }

    static func invalid(_ name: String) -> RefusedAttribute {
        .init(name: name, reason: "attributeInvalid", message: "The value does not have the required form.")
    }

    static func password(_ violation: PasswordPolicy.Violation) -> RefusedAttribute {
        .init(name: FlowMethod.password, reason: "passwordPolicyViolation", message: violation.explanation)
    }
}

// MARK: Formats

extension FlowProblem {
    /// The error in one of the formats that the service uses.
    func response(
        to exchange: Exchange,
        form: NativeAuthV2Settings.ErrorForm,
        correlationName: NativeAuthV2Settings.CorrelationName
    ) throws -> Response {
        RequestNotes.note(error)
        let body: JSONValue
        switch form {
        case .flat: body = .object(exchange.oauthMembers(of: error))
        case .object:
            var members: [String: JSONValue] = [
                "code": .string(code), "message": .string("AADSTS\(error.number): \(error.message)"),
                "timestamp": .string(exchange.now.formatted(.iso8601)), "traceId": .string(exchange.traceID),
            ]
            let name =
                switch correlationName {
                case .camel: "correlationId"
                case .snake: "correlation_id"
                }
            members[name] = .string(exchange.correlationID)
            members["innerError"] = inner.map { inner in
                details.isEmpty ? ["code": .string(inner)] : ["code": .string(inner), "details": .array(details)]
            }
            body = ["error": .object(members)]
        }
        return .json(body, status: .init(code: error.status))
    }
}
