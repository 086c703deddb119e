// Licensed under the MIT License. See LICENSE.

/// The failure of a call of V2. Exactly one flag is set, but for a wrong code of a second factor or a registration, which
/// has two. After it the state that was used may be used again, with other input.
///
/// V2 is a preview at Microsoft: a minor version may change this name.
public final class MSALNativeAuthFlowError: MSALNativeAuthError, @unchecked Sendable {
    /// Whether the delegate lacks the protocol of the next state; the description names it.
    public var isNotImplemented: Bool { failure.kind == .notImplemented }

    /// Whether there is no such user: offer a sign-up.
    public var isUserNotFound: Bool { failure.kind == .userNotFound }

    /// Whether the code is wrong or blank: ask again, or have another sent.
    public var isInvalidCode: Bool { failure.kind == .invalidCode || failure.kind == .invalidChallenge }

    /// Whether the password is wrong, blank or against the rules: ask again.
    public var isInvalidPassword: Bool { failure.kind == .invalidPassword }

    /// Whether the user name is blank or refused: ask for it.
    public var isInvalidUsername: Bool { failure.kind == .invalidUsername }

    /// Whether the account has no password to reset: let the user sign in with a code.
    public var isUserDoesNotHavePassword: Bool { failure.kind == .userDoesNotHavePassword }

    /// Whether the user name is taken: offer a sign-in.
    public var isUserAlreadyExists: Bool { failure.kind == .userAlreadyExists }

    /// Whether the code of a second factor or of a registration is wrong or blank; ``isInvalidCode`` is set, too.
    public var isInvalidChallenge: Bool { failure.kind == .invalidChallenge }

    /// Whether the service has blocked the second factor: choose another.
    public var isAuthMethodBlocked: Bool { failure.kind == .authMethodBlocked }

    /// Whether the service has blocked the address that was to be registered: ask for another.
    public var isVerificationContactBlocked: Bool { failure.kind == .verificationContactBlocked }

    /// Whether the address that was to be registered is refused, or the method is not one of the state's.
    public var isInvalidInput: Bool { failure.kind == .invalidInput }

    /// Whether the service refuses attributes; the description names them.
    public var isInvalidAttributes: Bool { failure.kind == .invalidAttributes }

    /// Whether the user must go on in the browser: call `acquireToken(with:)` of the application.
    public var isBrowserRequired: Bool { failure.kind == .browserRequired }

    /// Whether none of the others is set: show the description, or sign in another way.
    public var isGeneralError: Bool { failure.kind == .general }
}
