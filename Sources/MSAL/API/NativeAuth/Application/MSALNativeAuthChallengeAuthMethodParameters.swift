// Licensed under the MIT License. See LICENSE.

/// The authentication method to register, and the address to verify.
public final class MSALNativeAuthChallengeAuthMethodParameters: NSObject, MSALOptionalVerificationContact {
    /// One of the methods that the service offered.
    public let authMethod: MSALAuthMethod

    /// The contact that was set, or `nil`.
    fileprivate var givenContact: String?

    /// The email address or phone number to which the code is sent; empty until the app sets it. If the app sets an
    /// empty one, the call fails without a request.
    public var verificationContact: String {
        get { givenContact ?? "" }
        set { givenContact = newValue }
    }

    /// Creates parameters for a method and the address to verify.
    public init(authMethod: MSALAuthMethod, verificationContact: String) {
        self.authMethod = authMethod
        givenContact = verificationContact
    }

    /// Creates parameters for a method and the address that the service suggests for it.
    ///
    /// In MSAL 2.0 to 2.4, an app could set the contact later or omit it. The service requires one: if the app sets
    /// none, the library sends the method's ``MSALAuthMethod/loginHint``. If the method has none either, the call fails
    /// with `isInvalidInput`.
    @available(*, deprecated, message: "Use init(authMethod:verificationContact:).")
    public init(authMethod: MSALAuthMethod) { self.authMethod = authMethod }

    /// The address to send.
    package var contact: String { givenContact ?? authMethod.loginHint ?? "" }
}

/// Lets code for MSAL 2.0 to 2.4 use `verificationContact` as an optional. In other code, `verificationContact` is a
/// `String`.
public protocol MSALOptionalVerificationContact: AnyObject {}

extension MSALOptionalVerificationContact where Self: MSALNativeAuthChallengeAuthMethodParameters {
    /// The address to verify, with its type in MSAL 2.0 to 2.4. It is `nil` until the app sets it.
    public var verificationContact: String? {
        get { givenContact }
        set { givenContact = newValue }
    }
}
