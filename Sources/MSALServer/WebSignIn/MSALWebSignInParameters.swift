// Licensed under the MIT License. See LICENSE.

public import Foundation

/// The wishes of a web application for the sign-in of a user.
///
/// ```swift
/// var parameters = MSALWebSignInParameters(scopes: ["User.Read"])
/// parameters.prompt = .selectAccount
/// parameters.domainHint = "contoso.com"
/// let request = try await application.authorizationRequest(parameters)
/// ```
public struct MSALWebSignInParameters: Sendable {
    /// The way in which the service returns the browser to the application.
    public enum ResponseMode: String, Sendable, Codable {
        /// With a form, so that the code stands in no address. The response is a `POST` from the service's site, to which
        /// browsers add only cookies with `SameSite=None; Secure`.
        case formPost = "form_post"
        /// The response comes with a redirect, whose address has the code.
        case query
    }

    /// The question of the service to the user.
    public enum Prompt: String, Sendable {
        /// The user chooses an account.
        case selectAccount = "select_account"
        /// The user must sign in again.
        case login
        /// The user must consent again.
        case consent
        /// The user is asked to make an account.
        case create
        /// Nothing. If something has to be asked, the response is an error of the kind `interactionRequired`.
        case none
    }

    /// The scopes of one API, such as `User.Read`. Without any, the user is signed in and nothing more.
    ///
    /// The library adds `openid`, `profile` and `offline_access`.
    public var scopes: [String]

    /// Scopes that the user shall consent to already, for later calls.
    public var extraScopesToConsent: [String] = []

    /// The way in which the browser returns.
    public var responseMode: ResponseMode = .formPost

    /// What the service asks the user. With `nil`, it asks what is necessary.
    public var prompt: Prompt?

    /// The user name to begin with.
    public var loginHint: String?

    /// The kind or the domain of the account, such as `consumers` or `contoso.com`. It spares the user a page.
    public var domainHint: String?

    /// The tenant to sign in to instead of the configured one: its id or one of its domains.
    public var tenant: String?

    /// The claims of an API's challenge or of an error, as JSON text.
    public var claims: String?

    /// Further parameters of the address. They replace the scopes and the hints of the same name, and nothing else.
    public var extraQueryParameters: [String: String] = [:]

    /// The id by which the service's logs shall know the sign-in. A random one is taken for `nil`.
    public var correlationID: UUID?

    /// A sign-in for these scopes.
    public init(scopes: [String] = []) {
        self.scopes = scopes
    }
}
