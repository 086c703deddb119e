// Licensed under the MIT License. See LICENSE.

package import MSALBase

extension NativeAuth {
    /// The start of a sign-in.
    package struct SignInRequest: Sendable {
        package var username: String
        /// Ignored where the service prefers a code.
        package var password: Secret?
        /// In the app's order; OpenID Connect's own are added.
        package var scopes: [String] = []
        /// The claims request as JSON text; sent unchanged.
        package var claims: String?
        package var correlationID: UUID

        package init(username: String, correlationID: UUID = .random()) {
            self.username = username
            self.correlationID = correlationID
        }
    }

    /// The start of a sign-up.
    package struct SignUpRequest: Sendable {
        package var username: String
        package var password: Secret?
        /// See ``NativeAuth/attributes(_:)``.
        package var attributes: [String: JSONValue]?
        package var correlationID: UUID

        package init(username: String, correlationID: UUID = .random()) {
            self.username = username
            self.correlationID = correlationID
        }
    }

    /// The start of a password reset.
    package struct ResetPasswordRequest: Sendable {
        package var username: String
        package var correlationID: UUID

        package init(username: String, correlationID: UUID = .random()) {
            self.username = username
            self.correlationID = correlationID
        }
    }

    /// The start of a sign-in after a sign-up or a reset. The user is known already.
    package struct SignInAfterFlowRequest: Sendable {
        package var scopes: [String] = []
        /// The claims request as JSON text; sent unchanged.
        package var claims: String?

        package init() {}
    }

    /// A token for the signed-in user.
    package struct AccessTokenRequest: Sendable {
        package var account: AccountReference
        package var scopes: [String] = []
        package var forceRefresh = false
        /// Whether the result shall have the refresh token as well.
        package var wantsRefreshToken = false
        package var claims: JSONValue?
        package var correlationID: UUID

        package init(account: AccountReference, correlationID: UUID = .random()) {
            self.account = account
            self.correlationID = correlationID
        }
    }

    /// A token for the signed-in user, and the account as it is now.
    package struct AccessToken: Sendable {
        package var result: TokenResult
        /// The refresh token in the store, if it was asked for and can be read.
        package var refreshToken: Secret?
    }

    /// A flow that goes on in the browser (docs/reference/NativeAuthentication.md#browser).
    package struct BrowserHandover: Sendable {
        /// The user's intention.
        package enum Purpose: Sendable, Hashable {
            case signIn, signUp
        }

        package var purpose: Purpose
        /// Filled in for the user.
        package var username: String?
        package var scopes: [String] = []
        package var claims: JSONValue?
        package var correlationID: UUID
        package var prefersEphemeralSession = false
        /// Called with the address when the browser is being opened.
        package var onOpen: (@Sendable (URL) -> Void)?
        /// Called next with whether a browser was started.
        package var onLaunch: (@Sendable (_ hasStarted: Bool) -> Void)?
        package var onUsualWindow: (@Sendable () -> Void)?
        /// Called when the browser has come back, before the code is redeemed.
        package var onRedirect: (@Sendable () -> Void)?
        /// The window that asks; see ``AuthorizationVisit/parentWindow``.
        package var parentWindow: String?

        package init(_ purpose: Purpose = .signIn, username: String?, correlationID: UUID = .random()) {
            self.purpose = purpose
            self.username = username
            self.correlationID = correlationID
        }
    }

    /// An app's attributes as JSON; `nil` if JSON cannot express them
    /// (docs/reference/NativeAuthentication.md#attributes).
    package static func attributes(_ values: [String: Any]) -> [String: JSONValue]? {
        guard
            JSONSerialization.isValidJSONObject(values),
            // A value that is not JSON after all makes the result `nil`.
            let data = try? JSONSerialization.data(withJSONObject: values)
        else { return nil }
        return JSONValue(parsing: data)?.object
    }
}
