// Licensed under the MIT License. See LICENSE.

extension MSALNativeAuthStepError {
    /// The error of a failure, as the asynchronous face throws it.
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
    /// The detail of a failure that neither the service reported nor an error beneath explains.
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
    /// The app's reaction. A general failure tells more if one lies beneath it.
    fileprivate var reason: MSALNativeAuthStepError.Reason {
        guard kind == .general, let cause = underlying else { return kind.reason }
        if case .canceled = cause.kind { return .canceled }
        if case .interactionRequired = cause.kind { return .signInRequired }
        return cause.isServiceUnavailable ? .serviceUnavailable : .general
    }

    /// The service's words, or the failure beneath in its own, where the delegates only know an unexpected response.
    fileprivate var text: String? {
        guard serverError == nil, let underlying else { return message }
        return underlying.message
    }

    /// The known details, under the keys of the library's other errors.
    fileprivate var userInfo: [String: Any] {
        var userInfo: [String: Any] = [MSALCorrelationIDKey: correlationID.uuidString]
        userInfo[MSALErrorDescriptionKey] = serverError?.description ?? text
        userInfo[MSALOAuthErrorKey] = serverError?.error
        userInfo[MSALOAuthSubErrorKey] = serverError?.suberror
        if let codes = serverError?.codes, !codes.isEmpty {
            userInfo[MSALSTSErrorCodesKey] = codes.map(NSNumber.init(value:))
        }
        return userInfo
    }
}

extension NativeAuthFailure.Kind {
    /// The kind in the words of the asynchronous face.
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
