// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore
import SealedStore

extension AuthError {
    /// The error of the public API. All codes and user information are determined here.
    package var nsError: NSError {
        if case .transport(let failure) = kind, let code = failure.urlErrorCode {
            return transportError(failure, code: code)
        }
        let form = publicForm
        var userInfo: [String: Any] = [
            MSALErrorDescriptionKey: message,
            NSLocalizedDescriptionKey: message,
        ]
        userInfo.merge(commonDetails) { $1 }
        userInfo.merge(form.details) { $1 }
        guard !MSALError.staysTopLevel.contains(form.code) else {
            return NSError(domain: MSALErrorDomain, code: form.code, userInfo: userInfo)
        }
        userInfo[MSALInternalErrorCodeKey] = NSNumber(value: form.code)
        return NSError(domain: MSALErrorDomain, code: MSALError.internal.rawValue, userInfo: userInfo)
    }

    /// The number of an error, from ``MSALError`` or ``MSALInternalError``, and the details that are specific to its
    /// kind. A number of the second type is not wrapped in `internal` yet.
    private struct PublicForm {
        let code: Int
        var details: [String: Any] = [:]

        init(code: Int) { self.code = code }

        init(_ error: MSALError, details: [String: Any?] = [:]) {
            code = error.rawValue
            self.details = details.compactMapValues(\.self)
        }

        init(_ error: MSALInternalError, details: [String: Any] = [:]) {
            code = error.rawValue
            self.details = details
        }
    }

    /// Maps the client's kinds of errors to the public ones.
    private var publicForm: PublicForm {
        switch kind {
        case .invalidParameter: PublicForm(.internalErrorInvalidParameter)
        case .unexpected, .transport: PublicForm(.internalErrorUnexpected)
        case .invalidRedirectURI: PublicForm(.internalErrorInvalidRedirectURI)
        case .redirectSchemeNotRegistered: PublicForm(.internalErrorRedirectSchemeNotRegistered)
        case .interactionRequired: PublicForm(MSALError.interactionRequired)
        case .authorizationRefused(let error): PublicForm(code: error.authorizationCode)
        case .tokenRefused(let error): PublicForm(code: error.tokenCode)
        case .declinedScopes(let granted, let declined, let result):
            PublicForm(
                .serverDeclinedScopes,
                details: [
                    MSALGrantedScopesKey: granted, MSALDeclinedScopesKey: declined,
                    MSALInvalidResultKey: MSALResult(result),
                ]
            )
        case .protectionPolicyRequired(let username, let homeAccountID):
            PublicForm(
                .serverProtectionPoliciesRequired,
                details: [MSALDisplayableUserIdKey: username, MSALHomeAccountIdKey: homeAccountID]
            )
        case .canceled: PublicForm(.userCanceled)
        case .sessionAlreadyRunning: PublicForm(.internalErrorInteractiveSessionAlreadyRunning)
        case .invalidState: PublicForm(.internalErrorInvalidState)
        case .invalidResponse: PublicForm(.internalErrorInvalidResponse)
        case .authorityValidationFailed: PublicForm(.internalErrorFailedAuthorityValidation)
        case .http(let status, let headers):
            PublicForm(.internalErrorUnhandledResponse, details: Self.httpDetails(status: status, headers: headers))
        case .ambiguousAccount: PublicForm(.internalErrorAmbiguousAccount)
        case .deviceNotRegistered: PublicForm(.workplaceJoinRequired)
        case .accountRequired: PublicForm(.internalErrorAccountRequired)
        case .mismatchedUser: PublicForm(.internalErrorMismatchedUser)
        case .broker(let fault): PublicForm(fault.publicError)
        case .store(let failure):
            PublicForm(
                failure.isSetting ? .internalErrorInvalidParameter : .internalErrorUnexpected,
                details: [
                    MSALTokenStoreFailureKey: MSALTokenStoreFailure(failure.kind),
                    NSUnderlyingErrorKey: (failure.underlying ?? failure) as NSError,
                ]
            )
        }
    }

    /// The details other than code and description that any error may have.
    private var commonDetails: [String: Any] {
        var details = oauth?.details ?? [:]
        if !serviceCodes.isEmpty { details[MSALSTSErrorCodesKey] = serviceCodes.map(NSNumber.init(value:)) }
        details[MSALCorrelationIDKey] = correlationID?.uuidString ?? oauth?.correlationID?.uuidString
        if isThrottled { details[MSALThrottlingCacheHitKey] = NSNumber(value: 1) }
        details[MSALBrokerVersionKey] = brokerVersion
        details[MSALDurationsKey] = durations?.userInfo
        details[NSUnderlyingErrorKey] = underlying?.nsError
        return details
    }

    private static func httpDetails(status: Int, headers: [String: String]) -> [String: Any] {
        var details: [String: Any] = [MSALHTTPHeadersKey: headers, MSALHTTPResponseCodeKey: String(status)]
        if [403, 404].contains(status) { details[NSUnderlyingErrorKey] = unexpectedStatus(status) }
        return details
    }

    /// Transport failures have the domain and the codes of `URLSession`.
    private func transportError(_ failure: TransportError, code: Int) -> NSError {
        var userInfo: [String: Any] = [
            NSLocalizedDescriptionKey: failure.message,
            MSALErrorDescriptionKey: failure.message,
        ]
        userInfo[MSALCorrelationIDKey] = correlationID?.uuidString
        userInfo[MSALDurationsKey] = durations?.userInfo
        userInfo[NSUnderlyingErrorKey] = failure.underlying.map { $0 as NSError }
        return NSError(domain: NSURLErrorDomain, code: code, userInfo: userInfo)
    }

    private static func unexpectedStatus(_ status: Int) -> NSError {
        NSError(
            domain: MSALErrorDomain,
            code: MSALError.internal.rawValue,
            userInfo: [
                MSALErrorDescriptionKey: "The service responded with HTTP status \(status).",
                MSALInternalErrorCodeKey: NSNumber(
                    value: MSALInternalError.internalErrorUnexpectedHttpResponse.rawValue
                ),
            ]
        )
    }
}

extension AuthError.BrokerFault {
    fileprivate var publicError: MSALInternalError {
        switch self {
        case .notAvailable: .internalBrokerNotAvailable
        case .notResponding: .internalErrorBrokerResponseNotReceived
        case .busy: .internalErrorUnhandledResponse
        case .damagedResponse: .internalErrorBrokerCorruptedResponse
        case .failed: .internalErrorBrokerUnknown
        }
    }
}

extension MSALError {
    /// The codes that apps see unchanged; every other number is wrapped in `internal`.
    fileprivate static let staysTopLevel: Set<Int> = Set(
        [
            MSALError.workplaceJoinRequired, .interactionRequired, .serverDeclinedScopes,
            .serverProtectionPoliciesRequired, .userCanceled, .serverInvalidRequestResetPasswordRequired,
        ].map(\.rawValue)
    )
}

// The codes of docs/reference/Errors.md#oauth.
extension OAuthError {
    /// The number of an error from the authorization endpoint.
    fileprivate var authorizationCode: Int {
        if isNamed("invalid_grant"), hasSuberror("transfer_token_expired") { return MSALError.userCanceled.rawValue }
        if isNamed("invalid_grant"), hasSuberror("insufficient_device_strength") {
            return MSALError.insufficientDeviceStrength.rawValue
        }
        return commonCode
    }

    /// The number of an error from the token endpoint.
    fileprivate var tokenCode: Int {
        if isNamed("invalid_request"), codes.contains(50142) {
            return MSALError.serverInvalidRequestResetPasswordRequired.rawValue
        }
        if isNamed("unauthorized_client"), hasSuberror("protection_policy_required") {
            return MSALError.serverProtectionPoliciesRequired.rawValue
        }
        return commonCode
    }

    private var commonCode: Int {
        switch error.lowercased() {
        case "invalid_request": MSALInternalError.internalErrorInvalidRequest.rawValue
        case "invalid_client": MSALInternalError.internalErrorInvalidClient.rawValue
        case "invalid_grant": MSALInternalError.internalErrorInvalidGrant.rawValue
        case "invalid_scope": MSALInternalError.internalErrorInvalidScope.rawValue
        case "unauthorized_client": MSALInternalError.internalErrorUnauthorizedClient.rawValue
        case "interaction_required": MSALError.interactionRequired.rawValue
        case "access_denied", "authorization_declined", "tokentransferfailedotc": MSALError.userCanceled.rawValue
        case "server_error": MSALError.serverError.rawValue
        default: MSALInternalError.internalErrorAuthorizationFailed.rawValue
        }
    }

    fileprivate var details: [String: Any] {
        var details: [String: Any] = [MSALOAuthErrorKey: error]
        details[MSALOAuthSubErrorKey] = suberror
        if let description, !description.isEmpty { details[MSALErrorDescriptionKey] = description }
        details[MSALOAuthClaimsKey] = claims
        details[MSALDisplayableUserIdKey] = displayableID
        return details
    }
}
