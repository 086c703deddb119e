// Licensed under the MIT License. See LICENSE.

import Foundation

/// The result of a user's sign-in. Every code and every refresh token belongs to one.
struct Entitlement: Sendable, Codable, Equatable {
    /// The ID of the sign-in; revoking it revokes all its tokens.
    var family: String
    var userID: String
    /// The tenant of the tokens; never an alias.
    var tenantID: String
    var clientID: String
    var scopes: RequestedScopes
    /// The time of the user's last sign-in.
    var authenticatedAt: Date
    /// Client capabilities (`xms_cc`).
    var capabilities: [String] = []
    /// Whether the refresh tokens are valid for only 24 hours.
    var isSinglePage = false
    /// The nonce of the request, which the ID token contains.
    var nonce: String?
    /// The B2C policy of the sign-in.
    var policy: String?
    /// Whether the sign-in included a second factor.
    var hasSecondFactor: Bool?
    /// How the application authenticated; `nil` means that it did not.
    var clientAuthentication: AuthenticationMethod?
    /// The authentication contexts that policies granted (`acrs`).
    var authenticationContexts: [String]?
    /// Whether the organization manages the device; `nil` if there was none.
    var isOnManagedDevice: Bool?
    /// Whether the user signed in with native authentication; `nil` means no.
    var isNative: Bool?
    /// The claims that a test has set for the tokens of this sign-in.
    var claims: [EmulatorDirectory.TokenClaims]?

    /// Whether only a client that authenticates may use it.
    var isConfidential: Bool { (clientAuthentication ?? .none) != .none }
}

/// An authorization code with everything that it is bound to.
struct AuthorizationCode: Sendable, Codable, Equatable {
    var entitlement: Entitlement
    /// The redirect URI as written in the authorization request; `nil` for a code of native authentication.
    var redirectURI: String?
    /// The S256 challenge; `nil` if a web application sent none.
    var codeChallenge: String?
    /// Whether the redirect URI belongs to a web application, so that the client has to authenticate.
    var isConfidential: Bool?
    /// Whether the token request may request other scopes than the authorization request.
    var mayAskForOtherScopes: Bool?
    var expiresAt: Date
}

/// A stored refresh token.
struct RefreshToken: Sendable, Codable, Equatable {
    var entitlement: Entitlement
    var expiresAt: Date
}

/// A user's session in a browser.
struct BrowserSession: Sendable, Codable, Equatable {
    /// A sign-in to an application in the session, for front-channel logout.
    struct Visit: Sendable, Codable, Equatable {
        let clientID: String
        /// The claim in the application's tokens.
        let sid: String
        let issuer: String
    }

    var userID: String
    var authenticatedAt: Date
    var expiresAt: Date
    /// Whether the sign-in included a second factor.
    var hasSecondFactor: Bool?
    /// Whether the organization manages the device; `nil` if there was none.
    var isOnManagedDevice: Bool?
    /// The latest sign-ins to applications.
    var visits: [Visit]?
}
