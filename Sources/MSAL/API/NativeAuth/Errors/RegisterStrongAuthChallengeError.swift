// Licensed under the MIT License. See LICENSE.

/// The failure to send the code that registers a method.
public final class RegisterStrongAuthChallengeError: MSALNativeAuthError, @unchecked Sendable {
    /// Whether the address is empty or malformed: ask again.
    public var isInvalidInput: Bool { failure.kind == .invalidInput }

    /// Whether the user must go on in the browser: call `acquireToken(with:)` of the application.
    public var isBrowserRequired: Bool { failure.kind == .browserRequired }

    /// Whether the service has blocked the address: ask for another.
    public var isVerificationContactBlocked: Bool { failure.kind == .verificationContactBlocked }
}
