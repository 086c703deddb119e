// Licensed under the MIT License. See LICENSE.

import MSALCore

/// The failure of an operation of native authentication.
///
/// Each operation has its own subclass, whose flags say how the app should react. If no flag is set, show
/// ``errorDescription``, or let the user sign in another way. Objects are immutable and may be used from any thread.
public class MSALNativeAuthError: NSObject, LocalizedError, @unchecked Sendable {
    // `Sendable` is unchecked only because the class has subclasses, all in this module: they have constants of
    // Sendable types.
    let failure: NativeAuthFailure

    required init(_ failure: NativeAuthFailure) { self.failure = failure }

    /// The service's message, or a short English text if it sent none. Not meant for comparison.
    public var errorDescription: String? { failure.errorDescription }

    /// Whether the user must continue in the browser: call `acquireToken(with:)` of the application.
    public var isBrowserRequired: Bool { failure.kind == .browserRequired }

    /// The ID of the operation in the service's logs; include it in support requests.
    public var correlationId: UUID { failure.correlationID }

    /// The numbers after `AADSTS`, in the service's order; empty if there are none.
    public var errorCodes: [Int] { failure.codes }

    /// The number of ``errorCodes`` that explains the error, as in ``MSALErrorNumberKey``. Linux only.
    public var errorNumber: Int? { ServiceErrorCause.explaining(errorCodes)?.number }

    /// The cause that the number stands for, as in ``MSALErrorCauseKey``. Linux only.
    public var errorCause: String? { ServiceErrorCause.explaining(errorCodes)?.cause?.rawValue }

    /// The service's page about the number, as in ``MSALErrorHelpURLKey``. Linux only.
    public var helpURL: URL? { errorNumber.flatMap(ServiceErrorCause.helpURL) }

    /// A page about the error, if the service names one.
    public var errorUri: String? { failure.errorURI }

    /// Contains the class, the codes, and the correlation ID, but not the service's message, which may contain the
    /// user's name.
    public override var description: String {
        "\(type(of: self))(codes: \(errorCodes), correlationId: \(correlationId))"
    }
}

/// The failure of an operation whose only flag indicates whether the browser is required.
public class MSALNativeAuthGenericError: MSALNativeAuthError, @unchecked Sendable {}

/// The failure to send another code.
public final class ResendCodeError: MSALNativeAuthGenericError, @unchecked Sendable {}

/// The failure of a sign-up when attributes were submitted.
public final class AttributesRequiredError: MSALNativeAuthGenericError, @unchecked Sendable {}

/// The failure of the sign-in after a sign-up. The account exists: let the user sign in as usual.
public final class SignInAfterSignUpError: MSALNativeAuthGenericError, @unchecked Sendable {}

/// The failure of the sign-in after a password reset. The new password is in effect: let the user sign in as usual.
public final class SignInAfterResetPasswordError: MSALNativeAuthGenericError, @unchecked Sendable {}

/// The failure to list the methods of a second factor, in MSAL 1.6 to 2.4.
@available(*, deprecated, message: "The methods come with onSignInAwaitingMFA(authMethods:newState:).")
public final class MFAGetAuthMethodsError: MSALNativeAuthGenericError, @unchecked Sendable {}

/// The failure of a sign-in at its start.
public final class SignInStartError: MSALNativeAuthError, @unchecked Sendable {
    /// Whether there is no such user: offer a sign-up.
    public var isUserNotFound: Bool { failure.kind == .userNotFound }

    /// Whether the password is wrong or empty: ask again.
    public var isInvalidCredentials: Bool { failure.kind == .invalidCredentials }

    /// Whether the user name is empty: ask for it.
    public var isInvalidUsername: Bool { failure.kind == .invalidUsername }
}

/// The failure of a sign-up at its start.
public final class SignUpStartError: MSALNativeAuthError, @unchecked Sendable {
    /// Whether the user name is taken: offer a sign-in.
    public var isUserAlreadyExists: Bool { failure.kind == .userAlreadyExists }

    /// Whether the password is empty or violates the rules: ask for another.
    public var isInvalidPassword: Bool { failure.kind == .invalidPassword }

    /// Whether the user name is empty or not an email address: ask again.
    public var isInvalidUsername: Bool { failure.kind == .invalidUsername }
}

/// The failure of the call that submits a password.
public final class PasswordRequiredError: MSALNativeAuthError, @unchecked Sendable {
    /// Whether the password is wrong, empty, or violates the rules: ask again.
    public var isInvalidPassword: Bool { failure.kind == .invalidPassword }
}

/// The failure of the call that submits a one-time code.
public final class VerifyCodeError: MSALNativeAuthError, @unchecked Sendable {
    /// Whether the code is wrong or empty: ask again, or request another.
    public var isInvalidCode: Bool { failure.kind == .invalidCode }
}

/// The failure to send the code of a second factor.
public final class MFARequestChallengeError: MSALNativeAuthError, @unchecked Sendable {
    /// Whether the service has blocked the method: choose another.
    public var isAuthMethodBlocked: Bool { failure.kind == .authMethodBlocked }
}

/// The failure of the call that submits the code of a second factor.
public final class MFASubmitChallengeError: MSALNativeAuthError, @unchecked Sendable {
    /// Whether the code is wrong or empty: ask again, or request another.
    public var isInvalidChallenge: Bool { failure.kind == .invalidChallenge }
}

/// The failure to send the code that registers a method.
public final class RegisterStrongAuthChallengeError: MSALNativeAuthError, @unchecked Sendable {
    /// Whether the address is empty or malformed: ask again.
    public var isInvalidInput: Bool { failure.kind == .invalidInput }

    /// Whether the service has blocked the address: ask for another.
    public var isVerificationContactBlocked: Bool { failure.kind == .verificationContactBlocked }
}

/// The failure of the call that submits the code for the registration of a method.
public final class RegisterStrongAuthSubmitChallengeError: MSALNativeAuthError, @unchecked Sendable {
    /// Whether the code is wrong or empty: ask again, or request another.
    public var isInvalidChallenge: Bool { failure.kind == .invalidChallenge }
}

/// The failure of a password reset at its start.
public final class ResetPasswordStartError: MSALNativeAuthError, @unchecked Sendable {
    /// Whether the account has no password: let the user sign in with a code.
    public var isUserDoesNotHavePassword: Bool { failure.kind == .userDoesNotHavePassword }

    /// Whether there is no such user: offer a sign-up.
    public var isUserNotFound: Bool { failure.kind == .userNotFound }

    /// Whether the user name is empty: ask for it.
    public var isInvalidUsername: Bool { failure.kind == .invalidUsername }
}

/// The failure to get an access token.
///
/// No flag is ever set, as in MSAL for iOS. If ``MSALNativeAuthError/underlyingError`` is
/// ``MSALError/interactionRequired``, sign in again.
public final class RetrieveAccessTokenError: MSALNativeAuthError, @unchecked Sendable {
    /// Always `false`, as in MSAL for iOS: an expired refresh token is a failure without a flag.
    public var isRefreshTokenExpired: Bool { false }

    /// Always `false`, as in MSAL for iOS: an invalid scope is a failure without a flag.
    public var isInvalidScope: Bool { false }
}

/// The failure of a V2 call. Exactly one flag is set, except for a wrong code of a second factor or a registration, for
/// which two are set. The same state may be used again, with other input.
///
/// V2 is a preview at Microsoft: a minor version may change this name.
public final class MSALNativeAuthFlowError: MSALNativeAuthError, @unchecked Sendable {
    /// Whether the delegate does not conform to the protocol of the next state; the description names it.
    public var isNotImplemented: Bool { failure.kind == .notImplemented }

    /// Whether there is no such user: offer a sign-up.
    public var isUserNotFound: Bool { failure.kind == .userNotFound }

    /// Whether the code is wrong or blank: ask again, or request another.
    public var isInvalidCode: Bool { failure.kind == .invalidCode || failure.kind == .invalidChallenge }

    /// Whether the password is wrong, blank, or violates the rules: ask again.
    public var isInvalidPassword: Bool { failure.kind == .invalidPassword }

    /// Whether the user name is blank or was rejected: ask for it.
    public var isInvalidUsername: Bool { failure.kind == .invalidUsername }

    /// Whether the account has no password to reset: let the user sign in with a code.
    public var isUserDoesNotHavePassword: Bool { failure.kind == .userDoesNotHavePassword }

    /// Whether the user name is taken: offer a sign-in.
    public var isUserAlreadyExists: Bool { failure.kind == .userAlreadyExists }

    /// Whether the code of a second factor or of a registration is wrong or blank; ``isInvalidCode`` is set, too.
    public var isInvalidChallenge: Bool { failure.kind == .invalidChallenge }

    /// Whether the service has blocked the second factor: choose another.
    public var isAuthMethodBlocked: Bool { failure.kind == .authMethodBlocked }

    /// Whether the service has blocked the address to register: ask for another.
    public var isVerificationContactBlocked: Bool { failure.kind == .verificationContactBlocked }

    /// Whether the address to register was rejected, or the method is not one of the state's.
    public var isInvalidInput: Bool { failure.kind == .invalidInput }

    /// Whether the service rejects attributes; the description names them.
    public var isInvalidAttributes: Bool { failure.kind == .invalidAttributes }

    /// Whether no other flag is set: show the description, or sign in another way.
    public var isGeneralError: Bool { failure.kind == .general }
}

// MARK: - Linux only

/// The failure of a step of the asynchronous API. It has all members of the delegates' errors, and information from the
/// service that those errors omit.
///
/// It is an `NSError`: in `NSURLErrorDomain` if there was no response, otherwise in ``MSALErrorDomain``, with
/// ``MSALError/userCanceled`` for a canceled task. Switch over ``reason``; if ``canRetry`` is set, call the same state
/// again with other input.
///
/// ```swift
/// do {
///     let step = try await code.submit(code: answer)
/// } catch where error.canRetry {
///     print(error.localizedDescription)  // The state is as it was: ask again.
/// }
/// ```
public final class MSALNativeAuthStepError: NSError, @unchecked Sendable {
    // `Sendable` is inherited from NSError, where it is unchecked; the added properties are constants of Sendable
    // types.

    /// How the app should react to a failure.
    public enum Reason: Sendable, Hashable {
        /// None of the others: show the description, or sign in another way.
        case general
        /// The task was canceled: do nothing.
        case canceled
        /// There was no response, or the service is down: try again later.
        case serviceUnavailable
        /// The store has no token that can be renewed: sign in again.
        case signInRequired
        /// There is no such user: offer a sign-up.
        case userNotFound
        /// The user name is taken: offer a sign-in.
        case userAlreadyExists
        /// The account has no password to reset: let the user sign in with a code.
        case userDoesNotHavePassword
        /// The user name is empty or not an email address: ask again.
        case invalidUsername
        /// The password of the sign-in is wrong or empty: ask again, and start again.
        case invalidCredentials
        /// The password is wrong, empty, or violates the rules: ask again.
        case invalidPassword
        /// The one-time code is wrong or empty: ask again, or request another.
        case invalidCode
        /// The address to verify is empty or malformed: ask again.
        case invalidInput
        /// The service has blocked this second factor: choose another.
        case authMethodBlocked
        /// The service has blocked the address to verify: ask for another.
        case verificationContactBlocked
        /// The user must continue in the browser. Steps do not throw this; they return a case for it.
        case browserRequired
        /// The service rejects attributes: ask again for those in `attributeNames`. Only used by V2.
        case invalidAttributes
    }

    /// The reason for the error, which determines what the app should do next.
    public let reason: Reason

    /// Whether the same state can be used again; if not, start the flow again.
    public let canRetry: Bool

    private let failure: NativeAuthFailure

    init(_ failure: NativeAuthFailure, reason: Reason, domain: String, code: Int, userInfo: [String: Any]) {
        self.failure = failure
        self.reason = reason
        canRetry = failure.canRetry
        super.init(domain: domain, code: code, userInfo: userInfo)
    }

    /// Errors do not support archiving.
    ///
    /// - Returns: Always `nil`.
    public required init?(coder: NSCoder) { nil }

    /// The ID of the flow in the service's logs; include it in support requests.
    public var correlationId: UUID { failure.correlationID }

    /// The numbers after `AADSTS`, in the service's order; empty if there are none.
    public var errorCodes: [Int] { failure.serverError?.codes ?? failure.codes }

    /// A page about the error, if the service names one.
    public var errorUri: String? { failure.errorURI ?? failure.serverError?.uri }

    /// The service's own error with all its fields; `nil` if the service did not report the failure.
    public var serverError: MSALNativeAuthServerError? { failure.serverError.map(MSALNativeAuthServerError.init) }

    /// The names of the attributes that the service rejects, for `invalidAttributes`; otherwise empty.
    public var attributeNames: [String] { reason == .invalidAttributes ? serverError?.invalidAttributes ?? [] : [] }

    /// The underlying failure, if there was no response or it was unusable.
    public var underlyingError: NSError? { failure.underlying?.nsError }

    /// Contains the reason, codes, and correlation ID, but not the service's message, which may contain the user's
    /// name.
    public override var description: String {
        "MSALNativeAuthStepError(\(reason), codes: \(errorCodes), correlationId: \(correlationId))"
    }
}

extension MSALNativeAuthError {
    /// The service's own error with all its fields, including those that this object's other members omit. It is `nil`
    /// if the service did not report the failure.
    public var serverError: MSALNativeAuthServerError? { failure.serverError.map(MSALNativeAuthServerError.init) }

    /// The cause, if there was no response or the library could not use it. Its domain is `NSURLErrorDomain` for
    /// network failures, otherwise ``MSALErrorDomain``.
    public var underlyingError: NSError? { failure.underlying?.nsError }
}

/// The service's error with all its fields, as the service sent it. Linux only.
public struct MSALNativeAuthServerError: Sendable, Hashable {
    /// The HTTP status of the response, nearly always 400 or 401.
    public let status: Int
    /// The error's name, such as `invalid_grant`.
    public let error: String
    /// The details of the name, such as `password_too_weak`.
    public let suberror: String?
    /// A message for developers, in English. It may contain the user's name.
    public let errorDescription: String?
    /// The numbers after `AADSTS`.
    public let errorCodes: [Int]
    /// A page about the error.
    public let errorUri: String?
    /// The ID of the request in the service's logs.
    public let traceId: String?
    /// The time of the error, by the service's clock and in its format: `2025-01-31 10:15:00Z`.
    public let timestamp: String?
    /// The correlation ID as repeated by the service.
    public let correlationId: String?
    /// The names of the attributes whose values the service rejected.
    public let invalidAttributes: [String]
    /// The names of the attributes that wait for verification.
    public let unverifiedAttributes: [String]

    init(_ error: NativeAuth.ServerError) {
        status = error.status
        self.error = error.error
        suberror = error.suberror
        errorDescription = error.description
        errorCodes = error.codes
        errorUri = error.uri
        traceId = error.traceID
        timestamp = error.timestamp
        correlationId = error.correlationID
        invalidAttributes = error.invalidAttributes
        unverifiedAttributes = error.unverifiedAttributes
    }
}
