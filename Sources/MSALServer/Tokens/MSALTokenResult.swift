// Licensed under the MIT License. See LICENSE.

public import Foundation
import MSALBase

/// An access token and its properties. Its description does not contain the token.
///
/// ```swift
/// let result = try await application.acquireTokenForClient(scopes: ["https://graph.microsoft.com/.default"])
/// let headers = ["Authorization": result.authorizationHeader]
/// print(result)  // The source and the expiration date of the token.
/// ```
public struct MSALTokenResult: Sendable, CustomStringConvertible, CustomReflectable {
    /// The source of a token.
    public enum Source: String, Sendable {
        /// From the memory of this process, or from the store that instances share.
        case cache
        /// The token came from the service.
        case service
        /// From the memory, beyond the end of its usual life, because the service is out of order.
        case cacheExtended
    }

    /// Why a request was sent to the service.
    public enum Reason: String, Sendable {
        /// The memory had no such token.
        case noCachedToken
        /// The token in the memory was at its end.
        case expired
        /// The program asked for a new one.
        case forcedRefresh
        /// The program named claims that the token must satisfy.
        case claims
    }

    // All members come from one object, because each call for a token from the memory makes a copy of the result.
    private let token: CachedAccessToken

    /// The source of the token. A custom credential sets it for a token from its own cache.
    public var source: Source

    /// Why a request was sent to the service; `nil` for a cached token, and after a background refresh.
    public let reason: Reason?

    var durations = CallDurations()

    /// Creates the result of a custom credential, for a chain. Its ``source`` is the service.
    ///
    /// - Parameters:
    ///   - accessToken: The token. It is a secret.
    ///   - expiresOn: When the token expires.
    ///   - refreshOn: When to fetch the next token; `nil` to fetch it when this one expires.
    ///   - tokenType: Its type in the `Authorization` header.
    ///   - scopes: The granted scopes.
    ///   - tenantIdentifier: The tenant of the request.
    ///   - correlationID: The correlation ID of the request.
    public init(
        accessToken: String,
        expiresOn: Date,
        refreshOn: Date? = nil,
        tokenType: String = "Bearer",
        scopes: [String] = [],
        tenantIdentifier: String? = nil,
        correlationID: UUID? = nil
    ) {
        // Dates outside these limits may not fit into `Int64`.
        let seconds = { (date: Date) in Int64(min(max(date.timeIntervalSince1970, 0), 253_402_300_799)) }
        let token = CachedAccessToken(
            accessToken: Secret(accessToken),
            binding: CachedAccessToken.Binding(type: tokenType),
            life: CachedAccessToken.Life(until: seconds(expiresOn), refreshAt: refreshOn.map(seconds)),
            scopes: scopes,
            tenant: tenantIdentifier,
            correlationID: correlationID
        )
        self.init(token, source: .service)
    }

    package init(_ token: CachedAccessToken, source: Source, reason: Reason? = nil) {
        self.token = token
        self.source = source
        self.reason = reason
    }

    /// The token, to send as `Authorization: <tokenType> <accessToken>`. It is a secret.
    public var accessToken: String { token.accessToken.exposed }

    /// `Bearer`, or `mtls_pop` for a token that is bound to a certificate.
    public var tokenType: String { token.tokenType }

    /// When the token expires.
    public var expiresOn: Date { Date(timeIntervalSince1970: TimeInterval(token.expiresAt)) }

    /// When the library fetches the next token in the background.
    public var refreshOn: Date? { token.refreshAt.map { Date(timeIntervalSince1970: TimeInterval($0)) } }

    /// The granted scopes.
    public var scopes: [String] { token.scopes }

    /// The tenant of the request, as the caller named it; `nil` for a managed identity.
    public var tenantIdentifier: String? { token.tenant }

    /// The correlation ID of the request that returned the token.
    public var correlationID: UUID? { token.correlationID }

    /// The thumbprint (`x5t#S256`) of the certificate that the token is bound to.
    public var bindingThumbprint: String? { token.keyID }

    /// The identifier of the token's user, for later calls; `nil` for a token of the application itself.
    public var homeAccountIdentifier: String? { token.user?.homeAccountID }

    /// The claims of the user's ID token, which was validated at sign-in; `nil` for a token of the application itself.
    public var idTokenClaims: [String: MSALClaimValue]? { token.user?.claims }

    /// How long the call took; zero for a token from the memory, whose lookup is not measured.
    public var totalDuration: Duration { durations.total }

    /// How long the call waited for the network, including retries and the pauses before them. A request that calls
    /// share counts for each of them from the moment it joins.
    public var networkDuration: Duration { durations.network }

    /// How long the call waited for the store that instances share.
    public var storeDuration: Duration { durations.store }

    /// The value of the `Authorization` header. It is a secret.
    public var authorizationHeader: String { "\(tokenType) \(accessToken)" }

    /// The type, the source, and the expiration date of the token, without the token.
    public var description: String {
        "MSALTokenResult(\(tokenType) token from \(source.rawValue), expires \(expiresOn.formatted(.iso8601)))"
    }

    /// The source and the expiration date of the token, without the token.
    public var customMirror: Mirror { Mirror(self, children: ["source": source, "expiresOn": expiresOn]) }
}

/// The user for whom a token stands, as the ID token of the sign-in described them.
package final class TokenUser: Sendable {
    /// `<uid>.<utid>` in lower case.
    package let homeAccountID: String
    /// The claims of the checked ID token.
    package let claims: [String: MSALClaimValue]

    package init(homeAccountID: String, claims: [String: MSALClaimValue]) {
        self.homeAccountID = homeAccountID
        self.claims = claims
    }

    /// Whether both are known, and the same user in the same tenant.
    package func isSamePerson(as other: TokenUser) -> Bool {
        !homeAccountID.isEmpty && homeAccountID == other.homeAccountID
            && text("tid")?.lowercased() == other.text("tid")?.lowercased()
    }

    /// A claim that is text.
    package func text(_ name: String) -> String? { claims[name]?.string }
}
