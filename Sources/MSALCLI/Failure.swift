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
    /// The numbers behind `AADSTS…`.
    var serviceCodes: [Int] = []
    /// The service's finer word, such as `basic_action`.
    var suberror: String?
    /// The claims that a sign-in must have to mend this, as the service or the resource wrote them.
    var claims: String?
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

    /// An error of the library; `situation` makes the remedy exact.
    init(_ error: NSError, in situation: Situation = Situation()) {
        let internalCode = (error.userInfo[MSALInternalErrorCodeKey] as? NSNumber)?.intValue
        var situation = situation
        let claims = error.userInfo[MSALOAuthClaimsKey] as? String
        if let claims { situation.signIn.claims = ClaimsChallenge(claims) }
        let status = Self.status(error, internalCode)
        self.init(
            status: status,
            code: error.code,
            internalCode: internalCode,
            message: Self.message(error),
            remedy: Self.remedy(error, status, internalCode, situation),
            correlationID: error.userInfo[MSALCorrelationIDKey] as? String,
            serviceCodes: error.serviceCodes,
            suberror: error.userInfo[MSALOAuthSubErrorKey] as? String,
            claims: claims
        )
    }

    private static func status(_ error: NSError, _ internalCode: Int?) -> CommandExit {
        if error.domain == NSURLErrorDomain { return .network }
        let advice = ServiceRemedy(codes: error.serviceCodes)
        let isMendedBySignIn = error.asksForClaims || (advice?.isSignIn ?? !error.isForgottenPassword)
        switch MSALError(rawValue: error.code) {
        case .userCanceled: return isMendedBySignIn ? .canceled : .failed
        case .interactionRequired, .serverInvalidRequestResetPasswordRequired:
            return isMendedBySignIn ? .interactionRequired : .failed
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

    /// The library tells a failed store by the error beneath: it is the store's own, and no error of a request.
    private static func isStoreFailure(_ error: NSError) -> Bool {
        guard let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError else { return false }
        return cause.domain != MSALErrorDomain && cause.domain != NSURLErrorDomain
    }

    /// The library's words. The service's own end with ids and a time, which the report shows in its own way.
    private static func message(_ error: NSError) -> String {
        let text = error.userInfo[MSALErrorDescriptionKey] as? String ?? error.localizedDescription
        let cut = text.range(of: " Trace ID: ")?.lowerBound ?? text.firstIndex(where: \.isNewline) ?? text.endIndex
        var message = String(text[..<cut])
        if error.isForgottenPassword { message = "The user chose \"forgotten password\". " + message }
        let status = (error.userInfo[MSALHTTPResponseCodeKey] as? String).map { "HTTP status \($0)" }
        let numbers = ([status] + error.serviceCodes.map { "AADSTS\($0)" }).compactMap(\.self)
        let untold = numbers.filter { !message.contains($0) }
        return untold.isEmpty ? message : "\(message) (\(untold.joined(separator: ", ")))"
    }

    private static func remedy(
        _ error: NSError,
        _ status: CommandExit,
        _ internalCode: Int?,
        _ situation: Situation
    ) -> String? {
        if error.isForgottenPassword { return situation.passwordPolicy }
        if error.asksForClaims { return situation.signInAgain }
        if let advice = ServiceRemedy(codes: error.serviceCodes) { return advice.text(situation) }
        if error.code == MSALError.serverDeclinedScopes.rawValue {
            return "Ask only for scopes that are granted, or have an administrator consent to the others."
        }
        // The API is unknown to the tenant, which no sign-in changes.
        if error.userInfo[MSALOAuthErrorKey] as? String == "invalid_resource" {
            return ServiceRemedy.scope.text(situation)
        }
        switch internalCode.flatMap(MSALInternalError.init(rawValue:)) {
        case .internalErrorFailedAuthorityValidation: return ServiceRemedy.host.text(situation)
        case .internalErrorInvalidScope: return ServiceRemedy.scope.text(situation)
        case .internalErrorUnauthorizedClient, .internalErrorInvalidClient:
            return "Check --client-id and the app's registration: it must be a public client of this tenant."
        case .internalErrorInvalidRequest:
            return "Check that all scopes belong to one API, and the app's registration: a public client with the "
                + "redirect URI \(situation.redirectURI)."
        default: break
        }
        return switch status {
        case .interactionRequired: situation.signInAgain
        case .notSignedIn: "Sign in: \(situation.signIn.text)"
        case .network: "Run: msal doctor"
        case .store: "Run: msal cache doctor"
        case .done, .failed, .usage, .canceled: error.serviceCodes.first.map(ServiceRemedy.explanation)
        }
    }
}

extension NSError {
    /// The numbers behind `AADSTS…`, where the service reported the error.
    var serviceCodes: [Int] { (userInfo[MSALSTSErrorCodesKey] as? [NSNumber])?.map(\.intValue) ?? [] }

    /// Whether the service says which claims a sign-in must have.
    fileprivate var asksForClaims: Bool { userInfo[MSALOAuthClaimsKey] != nil }

    /// Whether the user asked a B2C page for a new password, which is no giving up. B2C has no other sign of it than
    /// this number: Microsoft's page "Set up a password reset flow in Azure Active Directory B2C".
    fileprivate var isForgottenPassword: Bool {
        (userInfo[MSALErrorDescriptionKey] as? String)?.hasPrefix("AADB2C90118") == true
    }
}
