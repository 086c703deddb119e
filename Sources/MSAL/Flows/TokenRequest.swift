// Licensed under the MIT License. See LICENSE.

package import MSALBase
package import MSALCore

/// The part that all requests for a token have in common.
package struct TokenRequest: Sendable {
    package var scopes: ScopeSet
    /// The authority to ask instead of the configured one; of the same kind.
    package var authority: Authority?
    package var claims: JSONValue?
    /// The HTTP request that the token shall be good for; `nil` asks for a bearer token.
    package var proof: SignedHTTPRequest?
    /// The app's own key for ``proof``; `nil` takes the machine's.
    package var proofKey: ProofKey?
    /// The key that the token is to be bound to; the client fills it in where ``proof`` is.
    var keyID: String?
    package var correlationID: UUID
    /// Whether this client has one account at a time: a sign-in takes the place of every earlier one, and a refresh for
    /// another user is refused (docs/reference/NativeAuthentication.md#one-account and #access-token).
    package var keepsOneAccount = false
    /// Parameters that are added to the addresses of the authorization request and of the token request.
    package var extraQueryParameters: [String: String] = [:]

    package init(scopes: ScopeSet, correlationID: UUID = .random()) {
        self.scopes = scopes
        self.correlationID = correlationID
    }

    /// The type of the token on the wire, in the cache and in an `Authorization` header.
    var tokenType: String { proof == nil ? "Bearer" : "Pop" }

    /// Checks that the token has the scopes of the request. `message` makes the error's text of those that it lacks.
    ///
    /// - Throws: `.declinedScopes` with the result.
    func checkGrant(_ result: TokenResult, message: (_ declined: String) -> String) throws(AuthError) {
        let declined = scopes.declined(grantedBy: result.scopes)
        guard !declined.isEmpty else { return }
        let granted = result.scopes.subtracting(.openID).values
        throw AuthError(
            .declinedScopes(granted: granted, declined: declined.values, result: result),
            message: message(declined.text)
        )
    }
}

/// A sign-in through the browser.
package struct InteractiveRequest: Sendable {
    package var token: TokenRequest
    package var account: AccountReference?
    package var prompt: RequestedPrompt = .promptIfNecessary
    package var loginHint: String?
    package var domainHint: String?
    package var extraScopesToConsent = ScopeSet([])
    package var prefersQRPIN = false
    package var window = BrowserWindow()
    /// Called when the browser has come back, before the code is redeemed.
    package var onRedirect: (@Sendable () -> Void)?
    /// Called when the identity broker has taken the call to sign the user in, for which it may open a window.
    package var onBroker: (@Sendable () -> Void)?
    /// Called when the broker has responded, with a description of the outcome that contains no secret.
    package var onBrokerResponse: (@Sendable (String) -> Void)?
    /// Asks the user for the address on which a browser elsewhere ended.
    package var onPaste: (@Sendable (PastePrompt) async -> PasteResult)?
    /// Receives the events of a sign-in with a device code.
    package var onDeviceCode: (@Sendable (DeviceCodeEvent) -> Void)?
    /// The only sign-in modes that may be used, in this order; `nil` for the default choice.
    package var modes: [SignInMode]?

    package init(token: TokenRequest) { self.token = token }
}

extension InteractiveRequest {
    /// Whether the app names a user, by an account or by a hint.
    var isNamed: Bool { account?.isNamed == true || loginHint?.isEmpty == false }

    /// Whether the app means this account: by its identifier if it names one, else by its user name.
    func names(_ account: BrokerAccount) -> Bool {
        if let id = self.account?.homeAccountID, !id.isEmpty {
            return id.caseInsensitiveCompare(account.homeAccountID) == .orderedSame
        }
        return (self.account?.username ?? loginHint)?.caseInsensitiveCompare(account.username) == .orderedSame
    }
}

/// The pages that an app can ask the service to show (OpenID Connect Core §3.1.2.1; docs/reference/Protocol.md#prompt).
package enum RequestedPrompt: String, Sendable {
    case selectAccount = "select_account"
    case login
    case consent
    case create
    /// The request has no `prompt`.
    case promptIfNecessary = ""
}

/// The end of a sign-out in the browser.
package enum SignOutOutcome: String, Sendable {
    /// The service sent the browser back.
    case ended
    /// The user or the program gave up.
    case closed
    /// The browser did not come back in time, as with services that never send it back.
    case timedOut
    /// The authority has no sign-out page.
    case notOffered
}

/// A sign-out.
package struct SignOutRequest: Sendable {
    package var account: AccountReference
    package var signsOutFromBrowser = false
    package var wipesAccount = false
    package var wipesEverything = false
    package var extraQueryParameters: [String: String] = [:]
    package var correlationID: UUID
    package var window = BrowserWindow()
    /// The `login_hint` claim of an ID token of the account, by which the service knows whose session to end.
    package var logoutHint: String?
    /// An ID token of the account, by which an OpenID Connect issuer knows the same.
    package var idToken: Secret?
    /// Receives the end of the browser's part, once.
    package var onOutcome: (@Sendable (SignOutOutcome) -> Void)?

    package init(account: AccountReference, correlationID: UUID = .random()) {
        self.account = account
        self.correlationID = correlationID
    }
}
