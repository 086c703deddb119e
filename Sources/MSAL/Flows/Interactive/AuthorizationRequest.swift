// Licensed under the MIT License. See LICENSE.

import MSALCore
import MSALSupport

/// The parameters with which the browser is sent to the service (RFC 6749 §4.1.1;
/// docs/reference/Protocol.md#authorization-request).
struct AuthorizationRequest: Sendable {
    let request: InteractiveRequest
    let configuration: ClientConfiguration
    let endpoint: URL
    /// The value that must come back, as it is sent.
    let state: String
    let nonce: String
    let challenge: String
    let responseMode: ResponseMode
    let prompt: Prompt

    /// The address to open, once the port of the redirect URI is known.
    ///
    /// Later parameters replace earlier ones of the same name. The app's parameters may replace the scopes and hints,
    /// never PKCE, state, nonce, claims or the prompt.
    func url(redirectURI: String) -> URL {
        var query = FormBody()
        let scopes = request.token.scopes.union(.openID).union(request.extraScopesToConsent)
        query.set(.scope, to: scopes.text)
        query.set(.clientID, to: configuration.clientID)
        query.set(.responseType, to: "code")
        query.set(.redirectURI, to: redirectURI)
        query.set(.loginHint, to: request.account?.username ?? request.loginHint)
        query.set(
            .anchorMailbox,
            to: ClientHeaders.mailbox(
                homeAccountID: request.account?.homeAccountID,
                username: request.account?.username ?? request.loginHint
            )
        )
        query.set(.domainHint, to: request.domainHint)
        if request.prefersQRPIN { query.set(.preferredCredential, to: "18") }
        query.merge(configuration.extraQueryParameters)
        query.merge(request.token.extraQueryParameters)
        query.set(.responseMode, to: responseMode.rawValue)
        query.set(.codeChallenge, to: challenge)
        query.set(.codeChallengeMethod, to: "S256")
        query.set(.state, to: state)
        query.set(.nonce, to: nonce)
        let claims = ClaimsRequest.merged(capabilities: configuration.capabilities, claims: request.token.claims)
        query.set(.claims, to: claims?.text)
        if prompt != .promptIfNecessary { query.set(.prompt, to: prompt.rawValue) }
        query.merge(configuration.frontChannel(correlationID: request.token.correlationID, account: request.account))
        if configuration.multipleCloudsSupported { query.set(.instanceAware, to: "true") }
        query.set(.clientInfo, to: "1")
        return query.link(to: endpoint)
    }
}

extension ClientConfiguration {
    /// The parameters of every page of the service: the call's id in the service's logs, and the data center of the
    /// user. Nothing else about the library, the app and the machine is among them, because people copy the address
    /// (docs/reference/Decisions.md#short-links).
    func frontChannel(correlationID: UUID, account: AccountReference?) -> [String: String] {
        var fields: [String: String] = [:]
        fields[Parameter.clientRequestID.rawValue] = correlationID.uuidString
        fields[Parameter.loginRequest.rawValue] = account?.homeObjectID
        fields[Parameter.domainRequest.rawValue] = account?.homeTenantID
        return fields
    }
}
