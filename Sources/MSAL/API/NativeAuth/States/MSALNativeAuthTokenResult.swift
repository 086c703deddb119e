// Licensed under the MIT License. See LICENSE.

package import MSALBase

/// An access token of an account that signed in natively. It is immutable.
public final class MSALNativeAuthTokenResult: NSObject, Sendable, RedactedReflection {
    private let heldAccessToken: Secret
    private let heldRefreshToken: Secret?

    /// The access token; empty if the service returned none.
    public var accessToken: String { heldAccessToken.exposed }

    /// The refresh token, if the parameters requested it. Treat it like a password.
    public var refreshToken: String? { heldRefreshToken?.exposed }

    /// The granted scopes, with the service's spelling.
    public let scopes: [String]

    /// The time at which the access token expires, by this machine's clock.
    public let expiresOn: Date?

    package init(accessToken: Secret, refreshToken: Secret?, scopes: [String], expiresOn: Date?) {
        heldAccessToken = accessToken
        heldRefreshToken = refreshToken
        self.scopes = scopes
        self.expiresOn = expiresOn
    }

    /// Contains the scopes and the expiry, never a token.
    public override var description: String { "MSALNativeAuthTokenResult(scopes: \(scopes.joined(separator: " ")))" }
}
