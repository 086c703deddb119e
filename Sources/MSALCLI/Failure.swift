// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

/// An error as the user sees it: what happened, what helps, and the exit status.
struct Failure: Error, Equatable {
    var status: CommandExit
    /// A number of `MSALError`, or of `NSURLErrorDomain` if no answer came.
    var code: Int
    /// A number of `MSALInternalError`, or the like; only with the code -50000.
    var internalCode: Int?
    var message: String
    var remedy: String?
    /// For the service's logs.
    var correlationID: String?
}

extension Failure {
    /// Wrong arguments or settings.
    static func usage(_ message: String, remedy: String? = nil) -> Failure {
        Failure(.usage, .internalErrorInvalidParameter, message, remedy)
    }

    /// No account fits.
    static func notSignedIn(_ message: String, remedy: String = "Sign in: msal login") -> Failure {
        Failure(.notSignedIn, .internalErrorAccountRequired, message, remedy)
    }

    /// Several accounts fit.
    static func ambiguous(_ names: [String]) -> Failure {
        Failure(
            .usage,
            .internalErrorAmbiguousAccount,
            "Several accounts are signed in: \(names.joined(separator: ", ")).",
            "Choose one with --account NAME."
        )
    }

    /// A sign-in whose tokens could not be stored; `cause` says why, where that is known.
    static func notStored(_ cause: String?) -> Failure {
        let message = "The tokens could not be stored; the next command will not find them."
        return Failure(
            .store,
            .internalErrorUnexpected,
            cause.map { "\(message) \($0)" } ?? message,
            "Run: msal cache doctor"
        )
    }

    /// A sign-in that was not begun, because its tokens could not be stored; `cause` is the store's failure.
    static func wouldNotLast(_ cause: Failure) -> Failure {
        var failure = cause
        failure.message = "No sign-in could be stored, so none was begun. \(cause.message)"
        failure.remedy = cause.remedy ?? "Run: msal cache doctor"
        return failure
    }

    /// A token that was renewed and could not be stored; `cause` says why, where that is known.
    static func notRenewedForLong(_ cause: String?) -> Failure {
        let message = "The renewed token could not be stored, so the next command renews it again."
        return Failure(
            .store,
            .internalErrorUnexpected,
            cause.map { "\(message) \($0)" } ?? message,
            "Run: msal cache doctor"
        )
    }

    private init(_ status: CommandExit, _ detail: MSALInternalError, _ message: String, _ remedy: String?) {
        self.init(
            status: status,
            code: MSALError.internal.rawValue,
            internalCode: detail.rawValue,
            message: message,
            remedy: remedy
        )
    }

    /// An error of the library.
    init(_ error: NSError) {
        let internalCode = (error.userInfo[MSALInternalErrorCodeKey] as? NSNumber)?.intValue
        let status = Self.status(error, internalCode)
        self.init(
            status: status,
            code: error.code,
            internalCode: internalCode,
            message: Self.message(error),
            remedy: Self.remedy(error, status, internalCode),
            correlationID: error.userInfo[MSALCorrelationIDKey] as? String
        )
    }

    private static func status(_ error: NSError, _ internalCode: Int?) -> CommandExit {
        if error.domain == NSURLErrorDomain { return .network }
        if asksForSeveralAPIs(error) { return .failed }
        switch MSALError(rawValue: error.code) {
        case .userCanceled: return .canceled
        case .interactionRequired, .serverInvalidRequestResetPasswordRequired: return .interactionRequired
        case .workplaceJoinRequired, .serverDeclinedScopes, .serverProtectionPoliciesRequired, .serverError,
            .insufficientDeviceStrength, .mdmEnrollmentCompletedNeedsRetry, nil:
            return .failed
        case .internal: break
        }
        switch internalCode.flatMap(MSALInternalError.init(rawValue:)) {
        case .internalErrorAccountRequired: return .notSignedIn
        case .internalErrorInvalidParameter, .internalErrorInvalidRedirectURI, .internalErrorAmbiguousAccount,
            .internalErrorFailedAuthorityValidation:
            return .usage
        case .internalErrorUnexpected where isStoreFailure(error): return .store
        default: return .failed
        }
    }

    /// Whether the service refused scopes because they belong to more than one API, which no sign-in changes.
    private static func asksForSeveralAPIs(_ error: NSError) -> Bool {
        error.serviceCodes.contains(28_000)
    }

    /// The library tells a failed store by the error beneath: it is the store's own, and no error of a request.
    private static func isStoreFailure(_ error: NSError) -> Bool {
        guard let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError else { return false }
        return cause.domain != MSALErrorDomain && cause.domain != NSURLErrorDomain
    }

    /// The library's words. The service's own end with ids and a time, which the report shows in its own way.
    private static func message(_ error: NSError) -> String {
        let text = error.userInfo[MSALErrorDescriptionKey] as? String ?? error.localizedDescription
        let cut = text.range(of: " Trace ID: ")?.lowerBound ?? text.firstIndex(where: \.isNewline) ?? text.endIndex
        return String(text[..<cut])
    }

    private static func remedy(_ error: NSError, _ status: CommandExit, _ internalCode: Int?) -> String? {
        if error.code == MSALError.serverDeclinedScopes.rawValue {
            return "Ask only for scopes that are granted, or have an administrator consent to the others."
        }
        let scopeRemedy =
            "Check the spelling of --scope. Scopes of an API begin with its address: api://…/ToDoList.Read. "
            + "One command asks for the scopes of one API."
        // The API is unknown to the tenant, which no sign-in changes.
        let isUnknown = error.userInfo[MSALOAuthErrorKey] as? String == "invalid_resource"
        if isUnknown || asksForSeveralAPIs(error) { return scopeRemedy }
        switch internalCode.flatMap(MSALInternalError.init(rawValue:)) {
        case .internalErrorFailedAuthorityValidation:
            return "Check --authority; an authority that is yours is named with --known-authority too."
        case .internalErrorInvalidScope: return scopeRemedy
        case .internalErrorUnauthorizedClient, .internalErrorInvalidClient:
            return "Check --client-id and the app's registration: it must be a public client of this tenant."
        case .internalErrorInvalidRequest:
            return "Check that all scopes belong to one API, and the app's registration: a public client with the "
                + "redirect URI http://localhost."
        default: break
        }
        return switch status {
        case .interactionRequired: "Sign in again, with the same scopes: msal login"
        case .notSignedIn: "Sign in: msal login"
        case .network: "Run: msal doctor"
        case .store: "Run: msal cache doctor"
        case .done, .failed, .usage, .canceled: nil
        }
    }
}

extension NSError {
    /// The numbers behind `AADSTS…`, where the service reported the error.
    var serviceCodes: [Int] {
        if let codes = userInfo[MSALSTSErrorCodesKey] as? [NSNumber] { return codes.map(\.intValue) }
        // An error that came by redirect has its number in its words alone.
        let (words, mark) = (userInfo[MSALErrorDescriptionKey] as? String ?? "", "AADSTS")
        guard words.hasPrefix(mark) else { return [] }
        return [Int(words.dropFirst(mark.count).prefix(while: \.isNumber))].compactMap(\.self)
    }
}
