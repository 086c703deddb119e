// Licensed under the MIT License. See LICENSE.

/// The authentication method that a user registers, and the address that is to be verified.
public final class MSALNativeAuthChallengeAuthMethodParameters: NSObject, MSALOptionalVerificationContact {
    /// One of the methods that the service offered.
    public let authMethod: MSALAuthMethod

    /// The contact that was set; `nil` if none was.
    fileprivate var givenContact: String?

    /// The e-mail address or telephone number to which the code goes; empty until the app sets it. If the app sets an
    /// empty one, the call fails without a request.
    public var verificationContact: String {
        get { givenContact ?? "" }
        set { givenContact = newValue }
    }

    /// A method with the address to verify.
    public init(authMethod: MSALAuthMethod, verificationContact: String) {
        self.authMethod = authMethod
        givenContact = verificationContact
    }

    /// A method with the address that the service suggests for it.
    ///
    /// In MSAL 2.0 to 2.4 an app could set the contact later or leave it out. The service needs one: if the app sets
    /// none, the library sends the method's ``MSALAuthMethod/loginHint``. If the method has none either, the call fails
    /// with `isInvalidInput`.
    @available(*, deprecated, message: "Use init(authMethod:verificationContact:).")
    public init(authMethod: MSALAuthMethod) {
        self.authMethod = authMethod
    }

    /// The address that is sent.
    package var contact: String { givenContact ?? authMethod.loginHint ?? "" }
}

/// Lets code for MSAL 2.0 to 2.4 use `verificationContact` as an optional. In other code `verificationContact` is a
/// `String`.
public protocol MSALOptionalVerificationContact: AnyObject {}

extension MSALOptionalVerificationContact where Self: MSALNativeAuthChallengeAuthMethodParameters {
    /// The address to verify, with the type that MSAL 2.0 to 2.4 gave it. It is `nil` until the app sets it.
    public var verificationContact: String? {
        get { givenContact }
        set { givenContact = newValue }
    }
}
