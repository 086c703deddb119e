// Licensed under the MIT License. See LICENSE.

import MSALBase

/// The parameters of a sign-in of V2. They are read when the call begins; later changes have no effect on it.
///
/// V2 is a preview at Microsoft: a minor version may change this name.
public final class MSALNativeAuthSignInParametersV2: NSObject, ClosedMirror {
    /// The user's e-mail address. A blank one is refused without a request.
    public let username: String

    /// The scopes of the first access token; `openid`, `profile` and `offline_access` are added.
    public var scopes: [String]?

    /// Claims that the tokens must carry.
    public var claimsRequest: MSALClaimsRequest?

    /// The id by which the service's logs know the flow; a random one if `nil`.
    public var correlationId: UUID?

    /// Parameters for a user.
    public init(username: String) {
        self.username = username
    }
}

/// The parameters of a sign-up of V2. They are read when the call begins; later changes have no effect on it.
///
/// V2 is a preview at Microsoft: a minor version may change this name.
public final class MSALNativeAuthSignUpParametersV2: NSObject, ClosedMirror {
    /// The e-mail address of the account to be made. A blank one is refused without a request.
    public let username: String

    /// The user's attributes by name, such as `displayName`, with values that JSON can express.
    ///
    /// They wait until the service asks for attributes. Those that it does not ask for are not sent, nor is a password:
    /// the service asks for that by itself.
    public var attributes: [String: Any]?

    /// The scopes of the first access token; `openid`, `profile` and `offline_access` are added.
    public var scopes: [String]?

    /// Claims that the tokens must carry.
    public var claimsRequest: MSALClaimsRequest?

    /// The id by which the service's logs know the flow; a random one if `nil`.
    public var correlationId: UUID?

    /// Parameters for a new user.
    public init(username: String) {
        self.username = username
    }
}

/// The parameters of the reset of a password with V2. They are read when the call begins; later changes have no effect on
/// it.
///
/// V2 is a preview at Microsoft: a minor version may change this name.
public final class MSALNativeAuthResetPasswordParametersV2: NSObject, ClosedMirror {
    /// The user's e-mail address. A blank one is refused without a request.
    public let username: String

    /// The scopes of the access token, if the app signs the user in after the reset.
    public var scopes: [String]?

    /// Claims that the tokens must carry.
    public var claimsRequest: MSALClaimsRequest?

    /// The id by which the service's logs know the flow; a random one if `nil`.
    public var correlationId: UUID?

    /// Parameters for a user.
    public init(username: String) {
        self.username = username
    }
}

// Parameter objects can change while a call runs. They are read once, when the call begins, by these initialisers.

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

    /// - Throws: `.general` if JSON cannot express the attributes.
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
