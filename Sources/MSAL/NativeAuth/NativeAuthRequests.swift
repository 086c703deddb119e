// Licensed under the MIT License. See LICENSE.

import MSALBase

extension NativeAuth {
    /// The start of a sign-in.
    struct SignInRequest: Sendable {
        var username: String
        /// Ignored if the service prefers a code.
        var password: Secret?
        /// The scopes in the app's order. OpenID Connect's own scopes are added to the request.
        var scopes: [String] = []
        /// The claims request as JSON text; sent unchanged.
        var claims: String?
        var correlationID = UUID.random()
    }

    /// The start of a sign-up.
    struct SignUpRequest: Sendable {
        var username: String
        var password: Secret?
        /// See ``NativeAuth/attributes(_:)``.
        var attributes: [String: JSONValue]?
        var correlationID = UUID.random()
    }

    /// The start of a password reset.
    struct ResetPasswordRequest: Sendable {
        var username: String
        var correlationID = UUID.random()
    }

    /// The start of a sign-in after a sign-up or a reset. The user is already known.
    struct SignInAfterFlowRequest: Sendable {
        var scopes: [String] = []
        /// The claims request as JSON text; sent unchanged.
        var claims: String?
    }

    /// A request for a token for the signed-in user.
    struct AccessTokenRequest: Sendable {
        var account: AccountReference
        var scopes: [String] = []
        var forceRefresh = false
        /// Whether the result should include the refresh token.
        var wantsRefreshToken = false
        var claims: JSONValue?
        var correlationID = UUID.random()
    }

    /// A token for the signed-in user, and the current account.
    struct AccessToken: Sendable {
        var result: TokenResult
        /// The stored refresh token, if it was requested and is readable.
        var refreshToken: Secret?
    }

    /// An app's attributes as JSON; `nil` if JSON cannot represent them
    /// (docs/reference/NativeAuthentication.md#attributes).
    static func attributes(_ values: [String: Any]) -> [String: JSONValue]? {
        guard
            JSONSerialization.isValidJSONObject(values),
            // A value that is not JSON after all makes the result `nil`.
            let data = try? JSONSerialization.data(withJSONObject: values)
        else { return nil }
        return JSONValue(parsing: data)?.object
    }
}
