// Licensed under the MIT License. See LICENSE.

extension AuthError {
    /// The error of the public API: the one place where codes and user information are chosen (spec protocol 6).
    package var nsError: NSError {
        if case .transport(let failure) = kind, let code = failure.urlErrorCode {
            return transportError(failure, code: code)
        }
        var userInfo: [String: Any] = [
            MSALErrorDescriptionKey: message,
            NSLocalizedDescriptionKey: message,
        ]
        let code = publicCode
        if MSALError.staysTopLevel.contains(code) {
            return NSError(domain: MSALErrorDomain, code: code, userInfo: userInfo.merging(details) { $1 })
        }
        userInfo[MSALInternalErrorCodeKey] = NSNumber(value: code)
        return NSError(
            domain: MSALErrorDomain,
            code: MSALError.internal.rawValue,
            userInfo: userInfo.merging(details) { $1 }
        )
    }

    /// The number of the error, of ``MSALError`` or ``MSALInternalError``, before the latter are wrapped.
    private var publicCode: Int {
        switch kind {
        case .invalidParameter: MSALInternalError.internalErrorInvalidParameter.rawValue
        case .store(let failure) where failure.isSetting: MSALInternalError.internalErrorInvalidParameter.rawValue
        case .unexpected, .store, .transport: MSALInternalError.internalErrorUnexpected.rawValue
        case .invalidRedirectURI: MSALInternalError.internalErrorInvalidRedirectURI.rawValue
        case .redirectSchemeNotRegistered: MSALInternalError.internalErrorRedirectSchemeNotRegistered.rawValue
        case .interactionRequired: MSALError.interactionRequired.rawValue
        case .authorizationRefused(let error): error.authorizationCode
        case .tokenRefused(let error): error.tokenCode
        case .declinedScopes: MSALError.serverDeclinedScopes.rawValue
        case .protectionPolicyRequired: MSALError.serverProtectionPoliciesRequired.rawValue
        case .canceled: MSALError.userCanceled.rawValue
        case .sessionAlreadyRunning: MSALInternalError.internalErrorInteractiveSessionAlreadyRunning.rawValue
        case .invalidState: MSALInternalError.internalErrorInvalidState.rawValue
        case .invalidResponse: MSALInternalError.internalErrorInvalidResponse.rawValue
        case .authorityValidationFailed: MSALInternalError.internalErrorFailedAuthorityValidation.rawValue
        case .http: MSALInternalError.internalErrorUnhandledResponse.rawValue
        case .ambiguousAccount: MSALInternalError.internalErrorAmbiguousAccount.rawValue
        case .deviceNotRegistered: MSALError.workplaceJoinRequired.rawValue
        case .accountRequired: MSALInternalError.internalErrorAccountRequired.rawValue
        }
    }

    /// What is known beyond code and description.
    private var details: [String: Any] {
        var details = oauth?.details ?? [:]
        if !serviceCodes.isEmpty { details[MSALSTSErrorCodesKey] = serviceCodes.map(NSNumber.init(value:)) }
        details[MSALCorrelationIDKey] = correlationID?.uuidString ?? oauth?.correlationID?.uuidString
        if isThrottled { details[MSALThrottlingCacheHitKey] = NSNumber(value: 1) }
        details[NSUnderlyingErrorKey] = underlying?.nsError

        switch kind {
        case .declinedScopes(let granted, let declined, let result):
            details[MSALGrantedScopesKey] = granted
            details[MSALDeclinedScopesKey] = declined
            details[MSALInvalidResultKey] = MSALResult(result)
        case .protectionPolicyRequired(let username, let homeAccountID):
            details[MSALDisplayableUserIdKey] = username
            details[MSALHomeAccountIdKey] = homeAccountID
        case .http(let status, let headers):
            details[MSALHTTPHeadersKey] = headers
            details[MSALHTTPResponseCodeKey] = String(status)
            if [403, 404].contains(status) { details[NSUnderlyingErrorKey] = AuthError.unexpectedStatus(status) }
        case .store(let failure):
            details[NSUnderlyingErrorKey] = (failure.underlying ?? failure) as NSError
        case .invalidParameter, .unexpected, .invalidRedirectURI, .redirectSchemeNotRegistered, .interactionRequired,
            .authorizationRefused, .tokenRefused, .canceled, .sessionAlreadyRunning, .invalidState, .invalidResponse,
            .authorityValidationFailed, .transport, .ambiguousAccount, .deviceNotRegistered, .accountRequired:
            break
        }
        return details
    }

    /// Transport failures keep the domain and the numbers of `URLSession`.
    private func transportError(_ failure: TransportError, code: Int) -> NSError {
        var userInfo: [String: Any] = [
            NSLocalizedDescriptionKey: failure.message,
            MSALErrorDescriptionKey: failure.message,
        ]
        userInfo[MSALCorrelationIDKey] = correlationID?.uuidString
        userInfo[NSUnderlyingErrorKey] = failure.underlying.map { $0 as NSError }
        return NSError(domain: NSURLErrorDomain, code: code, userInfo: userInfo)
    }

    private static func unexpectedStatus(_ status: Int) -> NSError {
        NSError(
            domain: MSALErrorDomain,
            code: MSALError.internal.rawValue,
            userInfo: [
                MSALErrorDescriptionKey: "The service answered with HTTP status \(status).",
                MSALInternalErrorCodeKey: NSNumber(
                    value: MSALInternalError.internalErrorUnexpectedHttpResponse.rawValue
                ),
            ]
        )
    }
}

extension MSALError {
    /// The codes that an app sees as they are; every other number is wrapped in `internal` (spec protocol 6.1).
    fileprivate static let staysTopLevel: Set<Int> = Set(
        [
            MSALError.workplaceJoinRequired, .interactionRequired, .serverDeclinedScopes,
            .serverProtectionPoliciesRequired, .userCanceled, .serverInvalidRequestResetPasswordRequired,
        ].map(\.rawValue)
    )
}

// Spec protocol 6.3.
extension OAuthError {
    /// The number of an error that the authorization endpoint sent.
    fileprivate var authorizationCode: Int {
        if isNamed("invalid_grant"), hasSuberror("transfer_token_expired") { return MSALError.userCanceled.rawValue }
        if isNamed("invalid_grant"), hasSuberror("insufficient_device_strength") {
            return MSALError.insufficientDeviceStrength.rawValue
        }
        return commonCode
    }

    /// The number of an error that the token endpoint sent.
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
        case "access_denied", "tokentransferfailedotc": MSALError.userCanceled.rawValue
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
