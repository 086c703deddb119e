// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

extension Failure {
    /// Creates the failure for an error of the library. `remedyContext` has the values for its remedy.
    init(_ error: NSError, in remedyContext: RemedyContext = RemedyContext()) {
        let internalCode = (error.userInfo[MSALInternalErrorCodeKey] as? NSNumber)?.intValue
        var remedyContext = remedyContext
        let claims = error.userInfo[MSALOAuthClaimsKey] as? String
        if let claims { remedyContext.signIn.claims = ClaimsChallenge(claims) }
        let status = Self.status(error, internalCode: internalCode)
        self.init(status: status, code: error.code, internalCode: internalCode, message: error.userMessage)
        remedy = Self.remedy(error, status: status, internalCode: internalCode, in: remedyContext)
        correlationID = error.userInfo[MSALCorrelationIDKey] as? String
        serviceCodes = error.numbers
        suberror = error.userInfo[MSALOAuthSubErrorKey] as? String
        self.claims = claims
    }

    private static func status(_ error: NSError, internalCode: Int?) -> CommandExit {
        if error.domain == NSURLErrorDomain { return .network }
        let advice = ServiceRemedy(error)
        let isFixedBySignIn = error.asksForClaims || (advice?.isSignIn ?? !error.isForgottenPassword)
        switch MSALError(rawValue: error.code) {
        case .userCanceled: return isFixedBySignIn ? .canceled : .failed
        case .interactionRequired, .serverInvalidRequestResetPasswordRequired:
            return isFixedBySignIn ? .interactionRequired : .failed
        case .workplaceJoinRequired, .serverDeclinedScopes, .serverProtectionPoliciesRequired, .serverError,
            .insufficientDeviceStrength, .mdmEnrollmentCompletedNeedsRetry, .invalidExternalKeyPair, nil:
            return .failed
        case .internal: break
        }
        switch error.internalError {
        case .internalErrorAccountRequired: return .notSignedIn
        case .internalErrorInvalidParameter, .internalErrorInvalidRedirectURI, .internalErrorAmbiguousAccount,
            .internalErrorFailedAuthorityValidation:
            return .usage
        case .internalErrorUnexpected where error.storeFailure != nil: return .store
        default: return .failed
        }
    }

    private static func remedy(
        _ error: NSError,
        status: CommandExit,
        internalCode: Int?,
        in remedyContext: RemedyContext
    ) -> String? {
        if error.isForgottenPassword { return remedyContext.passwordPolicy }
        if error.isOfBrokersRegistration { return remedyContext.brokersRegistration }
        if let advice = ServiceRemedy(error) { return advice.text(remedyContext) }
        if error.asksForClaims { return remedyContext.signInAgain }
        if error.code == MSALError.serverDeclinedScopes.rawValue {
            return "Request only scopes that are granted, or ask an administrator to consent to the others."
        }
        // The tenant does not know the API. No sign-in changes that.
        if error.userInfo[MSALOAuthErrorKey] as? String == "invalid_resource" {
            return ServiceRemedy.invalidScope.text(remedyContext)
        }
        switch error.internalError {
        case .internalErrorFailedAuthorityValidation: return ServiceRemedy.unknownHost.text(remedyContext)
        case .internalErrorInvalidScope: return ServiceRemedy.invalidScope.text(remedyContext)
        case .internalErrorUnauthorizedClient, .internalErrorInvalidClient:
            return "Check --client-id and the app's registration: it must be a public client of this tenant."
        case .internalErrorInvalidRequest:
            return "Check that all scopes belong to one API, and the app's registration: a public client with the "
                + "redirect URI \(remedyContext.redirectURI)."
        case .internalBrokerNotAvailable: return Remedy.machine
        case .internalErrorBrokerResponseNotReceived, .internalErrorBrokerCorruptedResponse,
            .internalErrorBrokerUnknown, .internalErrorMismatchedUser:
            return "To sign in without the identity broker: \(remedyContext.signIn.text) --mode browser. To report it: "
                + "msal doctor --broker"
        default: break
        }
        return switch status {
        case .interactionRequired: remedyContext.signInAgain
        case .notSignedIn: "Sign in: \(remedyContext.signIn.text)"
        case .network: Remedy.machine
        case .store: Remedy.store
        case .done, .failed, .usage, .canceled: ServiceRemedy.explanation(of: error)
        }
    }
}

extension RemedyContext {
    /// Runs `work`. If the library throws an error, the failure's remedy uses this context.
    ///
    /// - Throws: `Failure` for an error of the library; else what `work` throws.
    func explaining<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch  where type(of: error) is NSError.Type {
            throw Failure(error as NSError, in: self)
        }
    }
}
