// Licensed under the MIT License. See LICENSE.

public import Foundation

/// The parameters of a user's sign-in to a web application.
///
/// ```swift
/// var parameters = MSALWebSignInParameters(scopes: ["User.Read"])
/// parameters.prompt = .selectAccount
/// parameters.domainHint = "contoso.com"
/// let request = try await application.authorizationRequest(parameters)
/// ```
public struct MSALWebSignInParameters: Sendable {
    /// How the service returns its response through the browser.
    public enum ResponseMode: String, Sendable, Codable {
        /// In a form, so that no URL contains the code. The response is a `POST` from the service's site, to which browsers
        /// add only cookies with `SameSite=None; Secure`.
        case formPost = "form_post"
        /// In the query of a redirect, whose URL contains the code.
        case query
    }

    /// The prompt that the service shows to the user.
    public enum Prompt: String, Sendable {
        /// The user chooses an account.
        case selectAccount = "select_account"
        /// The user must sign in again.
        case login
        /// The user must consent again.
        case consent
        /// The user creates an account.
        case create
        /// No prompt. If one is necessary, the response is an error of the kind `interactionRequired`.
        case none
    }

    /// The scopes of one API, such as `User.Read`. Without scopes, the user is only signed in.
    ///
    /// The library adds `openid`, `profile` and `offline_access`.
    public var scopes: [String]

    /// Additional scopes for the user to consent to now, for later calls.
    public var extraScopesToConsent: [String] = []

    /// How the service returns its response.
    public var responseMode: ResponseMode = .formPost

    /// The prompt for the user. With `nil`, the service prompts only as necessary.
    public var prompt: Prompt?

    /// The user name to prefill.
    public var loginHint: String?

    /// The type or the domain of the account, such as `consumers` or `contoso.com`, which skips a page.
    public var domainHint: String?

    /// The tenant to sign in to instead of the configured one: its id or one of its domains.
    public var tenant: String?

    /// The claims of an API's challenge or of an error, as JSON text.
    public var claims: String?

    /// Additional query parameters. They can replace the scopes and the hints, but no other parameter that the library
    /// sets.
    public var extraQueryParameters: [String: String] = [:]

    /// The correlation ID of the sign-in, which the service logs. `nil` generates a random one.
    public var correlationID: UUID?

    /// Creates the parameters of a sign-in for these scopes.
    public init(scopes: [String] = []) { self.scopes = scopes }
}
