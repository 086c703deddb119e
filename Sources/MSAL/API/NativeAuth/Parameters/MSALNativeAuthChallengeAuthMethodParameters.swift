// Licensed under the MIT License. See LICENSE.

/// The authentication method that a user registers, and the address that is to be verified.
public final class MSALNativeAuthChallengeAuthMethodParameters: NSObject {
    /// One of the methods that the service offered.
    public let authMethod: MSALAuthMethod

    /// The e-mail address or telephone number to which the code goes. Empty is refused without a request.
    public let verificationContact: String

    /// A method with the address to verify.
    public init(authMethod: MSALAuthMethod, verificationContact: String) {
        self.authMethod = authMethod
        self.verificationContact = verificationContact
    }

    /// A method with the address that the service suggests for it.
    ///
    /// In MSAL 2.0 to 2.4 the contact could be left out. The service needs one: what is sent is the method's
    /// ``MSALAuthMethod/loginHint``, and where it has none the call ends with `isInvalidInput`.
    @available(*, deprecated, message: "Use init(authMethod:verificationContact:).")
    public convenience init(authMethod: MSALAuthMethod) {
        self.init(authMethod: authMethod, verificationContact: authMethod.loginHint ?? "")
    }
}
