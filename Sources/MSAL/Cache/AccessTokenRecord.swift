// Licensed under the MIT License. See LICENSE.

package import MSALBase
package import MSALCore

/// An access token with its scopes, times, and binding. Times are whole seconds.
package struct AccessTokenRecord: Sendable, Hashable {
    /// Account, environment, and realm are trimmed and lowercased.
    private(set) var homeAccountID: String
    private(set) var environment: String
    /// The client ID as it was spelled when it was stored; compared case-insensitively.
    var clientID: String
    private(set) var realm: String
    /// The granted scopes, separated by spaces, in the server's order and case.
    private(set) var target: String
    package var secret: Secret
    package var life: TokenLife
    /// `Bearer`, `Pop`, …; compared case-insensitively.
    var tokenType = "Bearer"
    /// The key that the token is bound to; compared exactly.
    var keyID: String?
    /// The claims request for which the token was issued. Such a token is never used for another request
    /// (docs/reference/Cache.md#requested-claims).
    var requestedClaims: String?
    var lastModified: Date?
    /// Fields that this library does not know, preserved.
    var additional: [String: JSONValue] = [:]

    package init(
        homeAccountID: String,
        environment: String,
        clientID: String,
        realm: String,
        target: String,
        secret: Secret,
        life: TokenLife
    ) {
        self.homeAccountID = homeAccountID.normalizedKey
        self.environment = environment.normalizedKey
        self.clientID = clientID.trimmed
        self.realm = realm.normalizedKey
        self.target = target
        self.secret = secret
        self.life = life
    }

    mutating func share(_ texts: inout StringInterner) {
        texts.share(&homeAccountID)
        texts.share(&environment)
        texts.share(&clientID)
        texts.share(&realm)
        texts.share(&target)
        texts.share(&tokenType)
        texts.share(&keyID)
    }

    var identity: RecordIdentity {
        RecordIdentity(
            .accessToken,
            parts: [
                homeAccountID, environment, clientID.normalizedKey, realm,
                target.scopeKeys.sorted().joined(separator: " "),
                applicationIdentifier, tokenType.normalizedKey, claimsKey,
            ] + (extendedKey.map { [$0] } ?? [])
        )
    }

    /// The granted scopes.
    package var scopes: ScopeSet { ScopeSet(parsing: target) }

    /// The end of any use, including the extended validity.
    var finalExpiry: Date { max(life.expiresOn, life.extendedExpiresOn ?? life.expiresOn) }

    /// Whether only the holder of a key can use the token. Such a token has a scheme other than `Bearer`, or names a
    /// key.
    var isKeyBound: Bool { keyID != nil || tokenType.normalizedKey != "bearer" }

    /// The claims request for which the token was issued, as recorded by the library that saved it. MSAL for JavaScript
    /// uses its own members for it. Empty if there is none.
    var claimsKey: String {
        requestedClaims ?? additional["requestedClaims"]?.string ?? additional["requestedClaimsHash"]?.string ?? ""
    }

    /// Distinguishes app-only tokens by parameters of their request (docs/reference/Cache.md#extended-key); `nil` for
    /// other tokens. It is preserved and compared, never computed. MSAL Python and Go write a string, .NET an object.
    var extendedKey: String? {
        if let text = additional["ext_cache_key"]?.string, !text.isEmpty { return text.normalizedKey }
        guard let members = additional["ext"]?.object, !members.isEmpty else { return nil }
        return JSONValue.object(members).text
    }

    /// Distinguishes the tokens of managed (Intune) apps that share a client ID; empty for other tokens.
    var applicationIdentifier: String { additional["application_cache_identifier"]?.string?.normalizedKey ?? "" }
}
