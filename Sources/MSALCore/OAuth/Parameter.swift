// Licensed under the MIT License. See LICENSE.

/// A parameter name of an authorization, token or sign-out request. All names are defined in this file.
package struct Parameter: Sendable, Hashable, RawRepresentable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }
    private init(_ name: String) { rawValue = name }

    // RFC 6749
    package static let clientID = Parameter("client_id")
    package static let code = Parameter("code")
    package static let grantType = Parameter("grant_type")
    package static let redirectURI = Parameter("redirect_uri")
    package static let refreshToken = Parameter("refresh_token")
    package static let responseType = Parameter("response_type")
    package static let scope = Parameter("scope")
    package static let state = Parameter("state")
    // RFC 7636
    package static let codeChallenge = Parameter("code_challenge")
    package static let codeChallengeMethod = Parameter("code_challenge_method")
    package static let codeVerifier = Parameter("code_verifier")
    // RFC 8628
    package static let deviceCode = Parameter("device_code")
    // OpenID Connect Core, Response Modes, RP-Initiated Logout
    package static let claims = Parameter("claims")
    package static let idTokenHint = Parameter("id_token_hint")
    package static let loginHint = Parameter("login_hint")
    package static let logoutHint = Parameter("logout_hint")
    package static let nonce = Parameter("nonce")
    package static let postLogoutRedirectURI = Parameter("post_logout_redirect_uri")
    package static let prompt = Parameter("prompt")
    package static let responseMode = Parameter("response_mode")
    // Microsoft identity platform
    package static let applicationID = Parameter("appid")
    package static let clientInfo = Parameter("client_info")
    package static let clientRequestID = Parameter("client-request-id")
    package static let domainHint = Parameter("domain_hint")
    package static let domainRequest = Parameter("domain_req")
    package static let instanceAware = Parameter("instance_aware")
    package static let loginRequest = Parameter("login_req")
    package static let preferredCredential = Parameter("pc")
    package static let proofKey = Parameter("req_cnf")
    package static let tokenType = Parameter("token_type")
    package static let anchorMailbox = Parameter("X-AnchorMailbox")
}
