// Licensed under the MIT License. See LICENSE.

import Foundation

/// The grant of a person in one sign-in; every code and every refresh token belongs to one of these.
struct Entitlement: Sendable, Codable, Equatable {
    /// The id of the sign-in; revoking it ends all its tokens.
    var family: String
    var userID: String
    /// The tenant whose tokens are issued; never an alias.
    var tenantID: String
    var clientID: String
    var scopes: RequestedScopes
    /// The time of the person's last sign-in.
    var authenticatedAt: Date
    /// Client capabilities (`xms_cc`).
    var capabilities: [String] = []
    /// Whether the refresh tokens live for 24 hours only.
    var isSinglePage = false
    /// The nonce of the request. The id token repeats it.
    var nonce: String?
    /// The B2C policy that the person signed in with.
    var policy: String?
    /// Whether a second factor was part of the sign-in.
    var hasSecondFactor: Bool?
    /// The method by which the application authenticated; `nil` means that it did not.
    var clientAuthentication: AuthenticationMethod?
    /// The authentication contexts that policies gave (`acrs`).
    var authenticationContexts: [String]?
    /// Whether the organization manages the device; `nil` where there was none.
    var isOnManagedDevice: Bool?
    /// Whether native authentication signed the person in; `nil` means not.
    var isNative: Bool?

    /// Whether only a client that authenticates may go on with it.
    var isConfidential: Bool { (clientAuthentication ?? .none) != .none }
}

/// An authorization code with everything it is bound to.
struct AuthorizationCode: Sendable, Codable, Equatable {
    var entitlement: Entitlement
    /// The redirect URI as the authorization request spelled it; `nil` for a code that native authentication gave.
    var redirectURI: String?
    /// The S256 challenge; `nil` where a web application sent none.
    var codeChallenge: String?
    /// Whether the redirect URI is a web application's, so that the client has to authenticate.
    var isConfidential: Bool?
    /// Whether the token request may ask for scopes that the code was not made for.
    var mayAskForOtherScopes: Bool?
    var expiresAt: Date
}

/// A refresh token as it is stored.
struct RefreshToken: Sendable, Codable, Equatable {
    var entitlement: Entitlement
    var expiresAt: Date
}

/// A person signed in to one browser.
struct BrowserSession: Sendable, Codable, Equatable {
    /// A sign-in of an application in it, which wants to hear of the end.
    struct Visit: Sendable, Codable, Equatable {
        let clientID: String
        /// The claim of the application's tokens.
        let sid: String
        let issuer: String
    }

    var userID: String
    var authenticatedAt: Date
    var expiresAt: Date
    /// Whether a second factor was part of the sign-in.
    var hasSecondFactor: Bool?
    /// Whether the organization manages the device; `nil` where there was none.
    var isOnManagedDevice: Bool?
    /// The newest sign-ins of applications.
    var visits: [Visit]?
}
