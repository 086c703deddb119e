// Licensed under the MIT License. See LICENSE.

/// The failure of a step of the asynchronous face. It has all members of the delegates' errors, and facts of the
/// service that those errors drop.
///
/// It is an `NSError`: in `NSURLErrorDomain` if no response came, else in ``MSALErrorDomain``, with
/// ``MSALError/userCanceled`` for a cancelled task. Switch over ``reason``; where ``canRetry`` is set, call the same
/// state again with other input.
///
/// ```swift
/// do {
///     let step = try await code.submit(code: answer)
/// } catch where error.canRetry {
///     print(error.localizedDescription)  // The state is as it was: ask again.
/// }
/// ```
public final class MSALNativeAuthStepError: NSError, @unchecked Sendable {
    // `Sendable` is inherited from NSError, which has it unchecked; what is added are constants of Sendable types.

    /// The app's reaction to a failure.
    public enum Reason: Sendable, Hashable {
        /// None of the others: show the description, or sign in another way.
        case general
        /// The task was cancelled: do nothing.
        case canceled
        /// No response came, or the service is down: try again later.
        case serviceUnavailable
        /// The store has no token that could be renewed: sign in again.
        case signInRequired
        /// There is no such user: offer a sign-up.
        case userNotFound
        /// The user name is taken: offer a sign-in.
        case userAlreadyExists
        /// The account has no password to reset: let the user sign in with a code.
        case userDoesNotHavePassword
        /// The user name is empty or no e-mail address: ask again.
        case invalidUsername
        /// The password of the sign-in is wrong or empty: ask again, and start again.
        case invalidCredentials
        /// The password is wrong, empty or against the rules: ask again.
        case invalidPassword
        /// The one-time code is wrong or empty: ask again, or have another sent.
        case invalidCode
        /// The address to verify is empty or malformed: ask again.
        case invalidInput
        /// The service has blocked this second factor: choose another.
        case authMethodBlocked
        /// The service has blocked the address to verify: ask for another.
        case verificationContactBlocked
        /// The user must go on in the browser. Steps do not throw this, they return a case for it.
        case browserRequired
        /// The service refuses attributes: ask again for those that `attributeNames` has. Only V2 has this reason.
        case invalidAttributes
    }

    /// What the app should do next.
    public let reason: Reason

    /// Whether the same state can be used again; if not, start the flow again.
    public let canRetry: Bool

    private let failure: NativeAuthFailure

    init(_ failure: NativeAuthFailure) {
        self.failure = failure
        reason = failure.reason
        canRetry = failure.canRetry
        let base = failure.underlying?.nsError
        let detail = failure.serverError == nil ? reason.localDetail : .internalErrorAuthorizationFailed
        var userInfo = base?.userInfo ?? [MSALInternalErrorCodeKey: NSNumber(value: detail.rawValue)]
        userInfo.merge(failure.userInfo) { $1 }
        userInfo[NSLocalizedDescriptionKey] = failure.text ?? failure.errorDescription
        super.init(
            domain: base?.domain ?? MSALErrorDomain,
            code: base?.code ?? MSALError.internal.rawValue,
            userInfo: userInfo
        )
    }

    /// Errors are not archived.
    ///
    /// - Returns: Always `nil`.
    public required init?(coder: NSCoder) { nil }

    /// The id by which the service's logs know the flow; quote it when asking for help.
    public var correlationId: UUID { failure.correlationID }

    /// The numbers behind `AADSTS…`, in the service's order; empty if there are none.
    public var errorCodes: [Int] { failure.serverError?.codes ?? failure.codes }

    /// A page about the error, if the service names one.
    public var errorUri: String? { failure.errorURI ?? failure.serverError?.uri }

    /// The service's own error, whole; `nil` if the failure is not one that the service reported.
    public var serverError: MSALNativeAuthServerError? { failure.serverError.map(MSALNativeAuthServerError.init) }

    /// The names of the attributes that the service refuses, for `invalidAttributes`; else empty.
    public var attributeNames: [String] { reason == .invalidAttributes ? serverError?.invalidAttributes ?? [] : [] }

    /// The failure beneath, if no response came or it could not be used.
    public var underlyingError: NSError? { failure.underlying?.nsError }

    /// Tells reason, codes and correlation id, not the service's words, which may name the user.
    public override var description: String {
        "MSALNativeAuthStepError(\(reason), codes: \(errorCodes), correlationId: \(correlationId))"
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
