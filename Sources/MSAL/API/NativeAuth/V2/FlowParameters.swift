// Licensed under the MIT License. See LICENSE.

import MSALBase

/// The parameters of a V2 sign-in. They are read when the call begins; later changes have no effect.
///
/// V2 is a preview at Microsoft: a minor version may change this name.
public final class MSALNativeAuthSignInParametersV2: NSObject, RedactedReflection {
    /// The user's email address. A blank one is rejected without a request.
    public let username: String

    /// The scopes of the first access token; `openid`, `profile` and `offline_access` are added.
    public var scopes: [String]?

    /// Claims that the tokens must contain.
    public var claimsRequest: MSALClaimsRequest?

    /// The correlation ID of the flow, which also appears in the service's logs; random if `nil`.
    public var correlationId: UUID?

    /// Creates parameters for a user.
    public init(username: String) { self.username = username }
}

/// The parameters of a V2 sign-up. They are read when the call begins; later changes have no effect.
///
/// V2 is a preview at Microsoft: a minor version may change this name.
public final class MSALNativeAuthSignUpParametersV2: NSObject, RedactedReflection {
    /// The email address of the account to create. A blank one is rejected without a request.
    public let username: String

    /// The user's attributes by name, such as `displayName`, with values that JSON can represent.
    ///
    /// They are kept until the service requires attributes. Attributes that it does not require are not sent, nor is a
    /// password, which the service asks for separately.
    public var attributes: [String: Any]?

    /// The scopes of the first access token; `openid`, `profile` and `offline_access` are added.
    public var scopes: [String]?

    /// Claims that the tokens must contain.
    public var claimsRequest: MSALClaimsRequest?

    /// The correlation ID of the flow, which also appears in the service's logs; random if `nil`.
    public var correlationId: UUID?

    /// Creates parameters for a new user.
    public init(username: String) { self.username = username }
}

/// The parameters of a V2 password reset. They are read when the call begins; later changes have no effect.
///
/// V2 is a preview at Microsoft: a minor version may change this name.
public final class MSALNativeAuthResetPasswordParametersV2: NSObject, RedactedReflection {
    /// The user's email address. A blank one is rejected without a request.
    public let username: String

    /// The scopes of the access token, if the app signs the user in after the reset.
    public var scopes: [String]?

    /// Claims that the tokens must contain.
    public var claimsRequest: MSALClaimsRequest?

    /// The correlation ID of the flow, which also appears in the service's logs; random if `nil`.
    public var correlationId: UUID?

    /// Creates parameters for a user.
    public init(username: String) { self.username = username }
}

// Parameter objects can change while a call runs. These initializers read them once, when the call begins.

extension NativeAuth.FlowStart {
    init(_ parameters: MSALNativeAuthSignInParametersV2) {
        self.init(
            scenario: .signIn,
            username: parameters.username,
            scopes: parameters.scopes ?? [],
            claims: parameters.claimsRequest?.jsonString(),
            correlationID: parameters.correlationId ?? .random()
        )
    }

    init(_ parameters: MSALNativeAuthResetPasswordParametersV2) {
        self.init(
            scenario: .passwordReset,
            username: parameters.username,
            scopes: parameters.scopes ?? [],
            claims: parameters.claimsRequest?.jsonString(),
            correlationID: parameters.correlationId ?? .random()
        )
    }

    /// - Throws: `.general` if JSON cannot represent the attributes.
    init(_ parameters: MSALNativeAuthSignUpParametersV2) throws(NativeAuthFailure) {
        self.init(
            scenario: .signUp,
            username: parameters.username,
            scopes: parameters.scopes ?? [],
            claims: parameters.claimsRequest?.jsonString(),
            correlationID: parameters.correlationId ?? .random()
        )
        guard let values = NativeAuth.attributes(parameters.attributes ?? [:]) else {
            throw NativeAuthFailure.unusableAttributes(correlationID: correlationID)
        }
        attributes = values
    }
}
