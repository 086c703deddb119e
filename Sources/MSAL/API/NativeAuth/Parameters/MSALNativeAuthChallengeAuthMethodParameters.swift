// Licensed under the MIT License. See LICENSE.

/// The authentication method that a user registers, and the address that is to be verified.
public final class MSALNativeAuthChallengeAuthMethodParameters: NSObject, MSALOptionalVerificationContact {
    /// One of the methods that the service offered.
    public let authMethod: MSALAuthMethod

    /// The contact that was set; `nil` if none was.
    fileprivate var givenContact: String?

    /// The e-mail address or telephone number to which the code goes; empty until it is set. An empty one that was set
    /// is refused without a request.
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
    /// In MSAL 2.0 to 2.4 the contact could be set later or left out. The service needs one: where none is set,
    /// the method's ``MSALAuthMethod/loginHint`` is sent. If it has none, the call ends with `isInvalidInput`.
    @available(*, deprecated, message: "Use init(authMethod:verificationContact:).")
    public init(authMethod: MSALAuthMethod) {
        self.authMethod = authMethod
    }

    /// The address that is sent.
    package var contact: String { givenContact ?? authMethod.loginHint ?? "" }
}

/// Lets code of MSAL 2.0 to 2.4 treat `verificationContact` as optional, while by itself it is a `String`.
public protocol MSALOptionalVerificationContact: AnyObject {}

extension MSALOptionalVerificationContact where Self: MSALNativeAuthChallengeAuthMethodParameters {
    /// The address to verify, as MSAL 2.0 to 2.4 declared it; `nil` until it is set.
    public var verificationContact: String? {
        get { givenContact }
        set { givenContact = newValue }
    }
}
