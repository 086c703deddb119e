// Licensed under the MIT License. See LICENSE.

import MSALCore

extension MSALNativeAuthStepError {
    /// The error for a failure, as the asynchronous API throws it.
    convenience init(_ failure: NativeAuthFailure) {
        let reason = failure.reason
        let base = failure.underlying?.nsError
        let detail = failure.serverError == nil ? reason.localDetail : .internalErrorAuthorizationFailed
        var userInfo = base?.userInfo ?? [MSALInternalErrorCodeKey: NSNumber(value: detail.rawValue)]
        userInfo.merge(failure.userInfo) { $1 }
        userInfo[NSLocalizedDescriptionKey] = failure.text ?? failure.errorDescription
        self.init(
            failure,
            reason: reason,
            domain: base?.domain ?? MSALErrorDomain,
            code: base?.code ?? MSALError.internal.rawValue,
            userInfo: userInfo
        )
    }
}

extension MSALNativeAuthStepError.Reason {
    /// The detail of a failure that neither the service nor an underlying error explains.
    fileprivate var localDetail: MSALInternalError {
        switch self {
        case .invalidUsername, .invalidCredentials, .invalidPassword, .invalidCode, .invalidInput, .invalidAttributes:
            .internalErrorInvalidParameter
        case .general, .canceled, .serviceUnavailable, .signInRequired, .userNotFound, .userAlreadyExists,
            .userDoesNotHavePassword, .authMethodBlocked, .verificationContactBlocked, .browserRequired:
            .internalErrorUnexpected
        }
    }
}

extension NativeAuthFailure {
    /// How the app should react. An underlying failure makes a general failure more specific.
    fileprivate var reason: MSALNativeAuthStepError.Reason {
        guard kind == .general, let cause = underlying else { return kind.reason }
        if case .canceled = cause.kind { return .canceled }
        if case .interactionRequired = cause.kind { return .signInRequired }
        return cause.isServiceUnavailable ? .serviceUnavailable : .general
    }

    /// The service's message, or that of the underlying failure, for which the delegates only receive an unexpected
    /// response.
    fileprivate var text: String? {
        guard serverError == nil, let underlying else { return message }
        return underlying.message
    }

    /// The known details, with the keys of the library's other errors.
    fileprivate var userInfo: [String: Any] {
        var userInfo: [String: Any] = [MSALCorrelationIDKey: correlationID.uuidString]
        userInfo[MSALErrorDescriptionKey] = serverError?.description ?? text
        userInfo[MSALOAuthErrorKey] = serverError?.error
        userInfo[MSALOAuthSubErrorKey] = serverError?.suberror
        return userInfo.merging(ServiceErrorCause.userInfo(of: serverError?.codes ?? codes)) { $1 }
    }
}

extension NativeAuthFailure.Kind {
    /// The reason for this kind in the asynchronous API.
    fileprivate var reason: MSALNativeAuthStepError.Reason {
        switch self {
        case .general, .notImplemented: .general
        case .browserRequired: .browserRequired
        case .userNotFound: .userNotFound
        case .userAlreadyExists: .userAlreadyExists
        case .userDoesNotHavePassword: .userDoesNotHavePassword
        case .invalidUsername: .invalidUsername
        case .invalidCredentials: .invalidCredentials
        case .invalidPassword: .invalidPassword
        case .invalidCode, .invalidChallenge: .invalidCode
        case .invalidInput: .invalidInput
        case .authMethodBlocked: .authMethodBlocked
        case .verificationContactBlocked: .verificationContactBlocked
        case .invalidAttributes: .invalidAttributes
        }
    }
}
