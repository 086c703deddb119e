// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

extension Failure {
    /// The failure for an error of the library. `situation` makes the remedy exact.
    init(_ error: NSError, in situation: Situation = Situation()) {
        let internalCode = (error.userInfo[MSALInternalErrorCodeKey] as? NSNumber)?.intValue
        var situation = situation
        let claims = error.userInfo[MSALOAuthClaimsKey] as? String
        if let claims { situation.signIn.claims = ClaimsChallenge(claims) }
        let status = Self.status(error, internalCode: internalCode)
        self.init(status: status, code: error.code, internalCode: internalCode, message: error.words)
        remedy = Self.remedy(error, status: status, internalCode: internalCode, in: situation)
        correlationID = error.userInfo[MSALCorrelationIDKey] as? String
        serviceCodes = error.numbers
        suberror = error.userInfo[MSALOAuthSubErrorKey] as? String
        self.claims = claims
    }

    private static func status(_ error: NSError, internalCode: Int?) -> CommandExit {
        if error.domain == NSURLErrorDomain { return .network }
        let advice = ServiceRemedy(codes: error.numbers)
        let isMendedBySignIn = error.asksForClaims || (advice?.isSignIn ?? !error.isForgottenPassword)
        switch MSALError(rawValue: error.code) {
        case .userCanceled: return isMendedBySignIn ? .canceled : .failed
        case .interactionRequired, .serverInvalidRequestResetPasswordRequired:
            return isMendedBySignIn ? .interactionRequired : .failed
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
        in situation: Situation
    ) -> String? {
        if error.isForgottenPassword { return situation.passwordPolicy }
        if error.isOfBrokersRegistration { return situation.brokersRegistration }
        if let advice = ServiceRemedy(codes: error.numbers) { return advice.text(situation) }
        if error.asksForClaims { return situation.signInAgain }
        if error.code == MSALError.serverDeclinedScopes.rawValue {
            return "Ask only for scopes that are granted, or have an administrator consent to the others."
        }
        // The tenant does not know the API. No sign-in changes that.
        if error.userInfo[MSALOAuthErrorKey] as? String == "invalid_resource" {
            return ServiceRemedy.scope.text(situation)
        }
        switch error.internalError {
        case .internalErrorFailedAuthorityValidation: return ServiceRemedy.host.text(situation)
        case .internalErrorInvalidScope: return ServiceRemedy.scope.text(situation)
        case .internalErrorUnauthorizedClient, .internalErrorInvalidClient:
            return "Check --client-id and the app's registration: it must be a public client of this tenant."
        case .internalErrorInvalidRequest:
            return "Check that all scopes belong to one API, and the app's registration: a public client with the "
                + "redirect URI \(situation.redirectURI)."
        case .internalBrokerNotAvailable: return Remedy.machine
        case .internalErrorBrokerResponseNotReceived, .internalErrorBrokerCorruptedResponse,
            .internalErrorBrokerUnknown, .internalErrorMismatchedUser:
            return "Without the identity broker: \(situation.signIn.text) --way browser. To report it: "
                + "msal doctor --broker"
        default: break
        }
        return switch status {
        case .interactionRequired: situation.signInAgain
        case .notSignedIn: "Sign in: \(situation.signIn.text)"
        case .network: Remedy.machine
        case .store: Remedy.store
        case .done, .failed, .usage, .canceled: error.numbers.first.map(ServiceRemedy.explanation)
        }
    }
}

extension Situation {
    /// Runs `work`. If the library throws an error, the failure's remedy uses what this situation knows.
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
