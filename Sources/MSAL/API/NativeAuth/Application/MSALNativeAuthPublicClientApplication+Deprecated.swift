// Licensed under the MIT License. See LICENSE.

// The methods of MSAL 1, which did not have parameter objects yet. Each calls the current method with a parameter
// object.

extension MSALNativeAuthPublicClientApplication {
    /// Starts a sign-up; see ``signUp(parameters:delegate:)``.
    @available(*, deprecated, message: "Use signUp(parameters:delegate:).")
    public func signUp(
        username: String,
        password: String? = nil,
        attributes: [String: Any]? = nil,
        correlationId: UUID? = nil,
        delegate: any SignUpStartDelegate
    ) {
        let parameters = MSALNativeAuthSignUpParameters(username: username)
        parameters.password = password
        parameters.attributes = attributes
        parameters.correlationId = correlationId
        signUp(parameters: parameters, delegate: delegate)
    }

    /// Starts a sign-in; see ``signIn(parameters:delegate:)``.
    @available(*, deprecated, message: "Use signIn(parameters:delegate:).")
    public func signIn(
        username: String,
        password: String? = nil,
        scopes: [String]? = nil,
        correlationId: UUID? = nil,
        delegate: any SignInStartDelegate
    ) {
        let parameters = MSALNativeAuthSignInParameters(username: username)
        parameters.password = password
        parameters.scopes = scopes
        parameters.correlationId = correlationId
        signIn(parameters: parameters, delegate: delegate)
    }

    /// Starts a password reset; see ``resetPassword(parameters:delegate:)``.
    @available(*, deprecated, message: "Use resetPassword(parameters:delegate:).")
    public func resetPassword(username: String, correlationId: UUID? = nil, delegate: any ResetPasswordStartDelegate) {
        let parameters = MSALNativeAuthResetPasswordParameters(username: username)
        parameters.correlationId = correlationId
        resetPassword(parameters: parameters, delegate: delegate)
    }
}
