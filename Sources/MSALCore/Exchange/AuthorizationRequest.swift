// Licensed under the MIT License. See LICENSE.

package import Foundation

/// How the service returns the response through the browser (OAuth 2.0 Multiple Response Type Encoding Practices §2.1).
package enum ResponseMode: String, Sendable, Hashable {
    /// The browser posts a form to the redirect URI. The code appears in no address bar, history or log.
    case formPost = "form_post"
    /// The parameters are in the query of the redirect URI.
    case query
}

/// The parameters with which the browser is sent to the service (RFC 6749 §4.1.1;
/// docs/reference/Protocol.md#authorization-request).
package struct AuthorizationRequest: Sendable {
    private let clientID: String
    private let authority: Authority
    private let pkce: PKCE
    /// The value that must come back, as it is sent.
    package let state: String
    /// The value that the ID token must have.
    package let nonce: String
    private let correlationID: UUID
    /// The app's scopes. Those of OpenID Connect are added.
    package var scopes = ScopeSet([])
    /// Scopes that the user consents to for later requests.
    package var scopesToConsent = ScopeSet([])
    package var loginHint: String?
    /// The account to sign in.
    package var homeAccountID: String?
    package var domainHint: String?
    package var prefersQRCode = false
    /// The app's own parameters. If a name is repeated, the last value is sent.
    package var ownParameters: [[String: String]] = []
    package var responseMode = ResponseMode.formPost
    package var claims: String?
    /// What the service asks the user; `nil` leaves it to the service.
    package var prompt: String?
    package var acceptsOtherClouds = false

    /// Parameters that only Microsoft knows are sent only to an `authority` of Microsoft.
    package init(
        clientID: String,
        authority: Authority,
        state: String,
        nonce: String,
        pkce: PKCE,
        correlationID: UUID
    ) {
        self.clientID = clientID
        self.authority = authority
        self.state = state
        self.nonce = nonce
        self.pkce = pkce
        self.correlationID = correlationID
    }

    /// The address to open.
    ///
    /// Later parameters replace earlier ones of the same name. So the app's parameters may replace scopes and hints, and
    /// nothing that the redemption of the code depends on.
    package func url(at endpoint: URL, redirectURI: String) -> URL {
        var query = FormBody()
        query.set(.scope, to: scopes.union(.openID).union(scopesToConsent).text)
        query.set(.loginHint, to: loginHint)
        if authority.kind != .oidc {
            query.set(.anchorMailbox, to: ClientHeaders.mailbox(homeAccountID: homeAccountID, username: loginHint))
            query.set(.domainHint, to: domainHint)
            if prefersQRCode { query.set(.preferredCredential, to: "18") }
        }
        for parameters in ownParameters { query.merge(parameters) }
        query.set(.clientID, to: clientID)
        query.set(.responseType, to: "code")
        query.set(.redirectURI, to: redirectURI)
        query.set(.responseMode, to: responseMode.rawValue)
        query.set(.codeChallenge, to: pkce.challenge)
        query.set(.codeChallengeMethod, to: pkce.method)
        query.set(.state, to: state)
        query.set(.nonce, to: nonce)
        query.set(.claims, to: claims)
        query.set(.prompt, to: prompt)
        query.merge(Self.page(of: authority, correlationID: correlationID, homeAccountID: homeAccountID))
        if authority.kind != .oidc {
            if acceptsOtherClouds { query.set(.instanceAware, to: "true") }
            query.set(.clientInfo, to: "1")
        }
        return query.link(to: endpoint)
    }

    /// The parameters of every page of the service: the call's ID in the service's logs, and the user's tenant. An issuer
    /// that is not Microsoft's gets none.
    ///
    /// Nothing else about the library, the app and the machine is among them, because people copy the address
    /// (docs/reference/Decisions.md#short-links).
    package static func page(
        of authority: Authority,
        correlationID: UUID,
        homeAccountID: String? = nil
    ) -> [String: String] {
        guard authority.kind != .oidc else { return [:] }
        let parts = homeAccountID?.split(separator: ".", omittingEmptySubsequences: false).map(String.init) ?? []
        var fields = [Parameter.clientRequestID.rawValue: correlationID.uuidString]
        if parts.count == 2 {
            fields[Parameter.loginRequest.rawValue] = parts[0]
            fields[Parameter.domainRequest.rawValue] = parts[1]
        }
        return fields
    }
}
