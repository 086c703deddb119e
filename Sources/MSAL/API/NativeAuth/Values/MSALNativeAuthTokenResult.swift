// Licensed under the MIT License. See LICENSE.

/// An access token of an account that signed in natively. It never changes.
public final class MSALNativeAuthTokenResult: NSObject, Sendable {
    /// The access token; empty if the service gave none.
    public let accessToken: String

    /// The refresh token, if it was asked for. Treat it like a password.
    public let refreshToken: String?

    /// The scopes granted, spelled as the service spells them.
    public let scopes: [String]

    /// When the access token ends, by this machine's clock.
    public let expiresOn: Date?

    package init(accessToken: String, refreshToken: String?, scopes: [String], expiresOn: Date?) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.scopes = scopes
        self.expiresOn = expiresOn
    }

    /// Tells scopes and expiry, never a token.
    public override var description: String {
        "MSALNativeAuthTokenResult(scopes: \(scopes.joined(separator: " ")))"
    }
}
