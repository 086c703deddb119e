// Licensed under the MIT License. See LICENSE.

/// The failure of an operation of native authentication.
///
/// Each operation has its own subclass, whose flags say what the app should do. If no flag is set, show
/// ``errorDescription``, or let the user sign in another way. Objects never change and may be used from any thread.
public class MSALNativeAuthError: NSObject, LocalizedError, @unchecked Sendable {
    // `Sendable` is unchecked only because the class has subclasses, all in this module: they hold constants of
    // Sendable types.
    let failure: NativeAuthFailure

    init(_ failure: NativeAuthFailure) {
        self.failure = failure
    }

    /// The service's words, or a short English text where it gave none. Not meant for comparing.
    public var errorDescription: String? { failure.errorDescription }

    /// The id by which the service's logs know the operation; quote it when asking for help.
    public var correlationId: UUID { failure.correlationID }

    /// The numbers behind `AADSTS…`, in the service's order; empty if there are none.
    public var errorCodes: [Int] { failure.codes }

    /// A page about the error, if the service names one.
    public var errorUri: String? { failure.errorURI }

    /// The class, the codes and the correlation id. The service's words are left out, because they may name the user.
    public override var description: String {
        "\(type(of: self))(codes: \(errorCodes), correlationId: \(correlationId))"
    }
}

/// The failure of an operation whose only flag says whether the user needs the browser.
public class MSALNativeAuthGenericError: MSALNativeAuthError, @unchecked Sendable {
    /// Whether the user must go on in the browser: call `acquireToken(with:)` of the application.
    public var isBrowserRequired: Bool { failure.kind == .browserRequired }
}

/// The failure to send another code.
public final class ResendCodeError: MSALNativeAuthGenericError, @unchecked Sendable {}

/// The failure of a sign-up when attributes were submitted.
public final class AttributesRequiredError: MSALNativeAuthGenericError, @unchecked Sendable {}

/// The failure of the sign-in after a sign-up. The account exists: sign in as any user does.
public final class SignInAfterSignUpError: MSALNativeAuthGenericError, @unchecked Sendable {}

/// The failure of the sign-in after the reset of a password. The new password is in force: sign in as any user does.
public final class SignInAfterResetPasswordError: MSALNativeAuthGenericError, @unchecked Sendable {}

/// The failure to list the methods of a second factor, in MSAL 1.6 to 2.4.
@available(*, deprecated, message: "The methods come with onSignInAwaitingMFA(authMethods:newState:).")
public final class MFAGetAuthMethodsError: MSALNativeAuthGenericError, @unchecked Sendable {}

/// The failure of a sign-in at its start.
public final class SignInStartError: MSALNativeAuthError, @unchecked Sendable {
    /// Whether the user must go on in the browser: call `acquireToken(with:)` of the application.
    public var isBrowserRequired: Bool { failure.kind == .browserRequired }

    /// Whether there is no such user: offer a sign-up.
    public var isUserNotFound: Bool { failure.kind == .userNotFound }

    /// Whether the password is wrong or empty: ask again.
    public var isInvalidCredentials: Bool { failure.kind == .invalidCredentials }

    /// Whether the user name is empty: ask for it.
    public var isInvalidUsername: Bool { failure.kind == .invalidUsername }
}

/// The failure of a sign-up at its start.
public final class SignUpStartError: MSALNativeAuthError, @unchecked Sendable {
    /// Whether the user must go on in the browser: call `acquireToken(with:)` of the application.
    public var isBrowserRequired: Bool { failure.kind == .browserRequired }

    /// Whether the user name is taken: offer a sign-in.
    public var isUserAlreadyExists: Bool { failure.kind == .userAlreadyExists }

    /// Whether the password is empty or against the rules: ask for another.
    public var isInvalidPassword: Bool { failure.kind == .invalidPassword }

    /// Whether the user name is empty or no e-mail address: ask again.
    public var isInvalidUsername: Bool { failure.kind == .invalidUsername }
}

/// The failure of the call that submits a password.
public final class PasswordRequiredError: MSALNativeAuthError, @unchecked Sendable {
    /// Whether the user must go on in the browser: call `acquireToken(with:)` of the application.
    public var isBrowserRequired: Bool { failure.kind == .browserRequired }

    /// Whether the password is wrong, empty or against the rules: ask again.
    public var isInvalidPassword: Bool { failure.kind == .invalidPassword }
}

/// The failure of the call that submits a one-time code.
public final class VerifyCodeError: MSALNativeAuthError, @unchecked Sendable {
    /// Whether the user must go on in the browser: call `acquireToken(with:)` of the application.
    public var isBrowserRequired: Bool { failure.kind == .browserRequired }

    /// Whether the code is wrong or empty: ask again, or have another sent.
    public var isInvalidCode: Bool { failure.kind == .invalidCode }
}

/// The failure to send the code of a second factor.
public final class MFARequestChallengeError: MSALNativeAuthError, @unchecked Sendable {
    /// Whether the service has blocked the method: choose another.
    public var isAuthMethodBlocked: Bool { failure.kind == .authMethodBlocked }

    /// Whether the user must go on in the browser: call `acquireToken(with:)` of the application.
    public var isBrowserRequired: Bool { failure.kind == .browserRequired }
}

/// The failure of the call that submits the code of a second factor.
public final class MFASubmitChallengeError: MSALNativeAuthError, @unchecked Sendable {
    /// Whether the code is wrong or empty: ask again, or have another sent.
    public var isInvalidChallenge: Bool { failure.kind == .invalidChallenge }

    /// Whether the user must go on in the browser: call `acquireToken(with:)` of the application.
    public var isBrowserRequired: Bool { failure.kind == .browserRequired }
}

/// The failure to send the code that registers a method.
public final class RegisterStrongAuthChallengeError: MSALNativeAuthError, @unchecked Sendable {
    /// Whether the address is empty or malformed: ask again.
    public var isInvalidInput: Bool { failure.kind == .invalidInput }

    /// Whether the user must go on in the browser: call `acquireToken(with:)` of the application.
    public var isBrowserRequired: Bool { failure.kind == .browserRequired }

    /// Whether the service has blocked the address: ask for another.
    public var isVerificationContactBlocked: Bool { failure.kind == .verificationContactBlocked }
}

/// The failure of the call that submits the code for the registration of a method.
public final class RegisterStrongAuthSubmitChallengeError: MSALNativeAuthError, @unchecked Sendable {
    /// Whether the code is wrong or empty: ask again, or have another sent.
    public var isInvalidChallenge: Bool { failure.kind == .invalidChallenge }

    /// Whether the user must go on in the browser: call `acquireToken(with:)` of the application.
    public var isBrowserRequired: Bool { failure.kind == .browserRequired }
}

/// The failure of the reset of a password at its start.
public final class ResetPasswordStartError: MSALNativeAuthError, @unchecked Sendable {
    /// Whether the user must go on in the browser: call `acquireToken(with:)` of the application.
    public var isBrowserRequired: Bool { failure.kind == .browserRequired }

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
    /// Always `false`. In failures of other calls it says that the user must go on in the browser.
    public var isBrowserRequired: Bool { failure.kind == .browserRequired }

    /// Always `false`, as in MSAL for iOS: an expired refresh token is a failure without a flag.
    public var isRefreshTokenExpired: Bool { false }

    /// Always `false`, as in MSAL for iOS: a scope that is not valid is a failure without a flag.
    public var isInvalidScope: Bool { false }
}

// MARK: - Linux only

extension MSALNativeAuthError {
    /// The service's own error with all its fields, also those that the other members of this object leave out. It is
    /// `nil` if the service did not report the failure.
    public var serverError: MSALNativeAuthServerError? { failure.serverError.map(MSALNativeAuthServerError.init) }

    /// The cause, if no response came or the library could not use it. Its domain is `NSURLErrorDomain` for failures of
    /// the network, else ``MSALErrorDomain``.
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
    /// Words for developers, in English. They may name the user.
    public let errorDescription: String?
    /// The numbers behind `AADSTS…`.
    public let errorCodes: [Int]
    /// A page about the error.
    public let errorUri: String?
    /// The id of the request in the service's logs.
    public let traceId: String?
    /// When the error happened, by the service's clock and in the service's format: `2025-01-31 10:15:00Z`.
    public let timestamp: String?
    /// The correlation id as the service repeats it in the error.
    public let correlationId: String?
    /// The names of the attributes whose values the service refused.
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
