// Licensed under the MIT License. See LICENSE.

public import Foundation
import MSALBase

/// An access token, and what is known of it. Its description does not hold the token.
///
/// ```swift
/// let result = try await application.acquireTokenForClient(scopes: ["https://graph.microsoft.com/.default"])
/// let headers = ["Authorization": result.authorizationHeader]
/// print(result)  // The source and the end of the token.
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

    /// The reason for which the service was asked.
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

    /// The source of the token. A credential of the program sets it for a token out of its own memory.
    public var source: Source

    /// Why the service was asked. It is `nil` for a token from the memory.
    public let reason: Reason?

    /// A token that a credential of the program got by itself, for a chain. Its ``source`` is the service.
    ///
    /// - Parameters:
    ///   - accessToken: The token. It is a secret.
    ///   - expiresOn: The end of its life.
    ///   - refreshOn: The time from which the next one is to be fetched; `nil` if it is fetched at the end.
    ///   - tokenType: Its type in the `Authorization` header.
    ///   - scopes: The scopes that were granted.
    ///   - tenantIdentifier: The tenant that was asked.
    ///   - correlationID: The id by which the service's logs know the request.
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

    /// The token, to be sent as `Authorization: <tokenType> <accessToken>`. It is a secret.
    public var accessToken: String { token.accessToken.exposed }

    /// `Bearer`, or `mtls_pop` for a token that is bound to a certificate.
    public var tokenType: String { token.tokenType }

    /// The end of the token's life.
    public var expiresOn: Date { Date(timeIntervalSince1970: TimeInterval(token.expiresAt)) }

    /// The time from which the library fetches the next one in the background.
    public var refreshOn: Date? { token.refreshAt.map { Date(timeIntervalSince1970: TimeInterval($0)) } }

    /// The scopes that were granted.
    public var scopes: [String] { token.scopes }

    /// The tenant that was asked, as it was named. It is `nil` for a managed identity.
    public var tenantIdentifier: String? { token.tenant }

    /// The id by which the service's logs know the request that brought the token.
    public var correlationID: UUID? { token.correlationID }

    /// The thumbprint (`x5t#S256`) of the certificate to which the token is bound.
    public var bindingThumbprint: String? { token.keyID }

    /// The user for whom the token stands, for later calls. It is `nil` for a token of the application itself.
    public var homeAccountIdentifier: String? { token.user?.homeAccountID }

    /// The claims of the user's id token, which was checked at the sign-in. It is `nil` for a token of the application
    /// itself.
    public var idTokenClaims: [String: MSALClaimValue]? { token.user?.claims }

    /// The value of the `Authorization` header. It is a secret.
    public var authorizationHeader: String { "\(tokenType) \(accessToken)" }

    /// The type, the source and the end of the token, without the token.
    public var description: String {
        "MSALTokenResult(\(tokenType) token from \(source.rawValue), expires \(expiresOn.formatted(.iso8601)))"
    }

    /// Shows a debugger the source and the end of the token, without the token.
    public var customMirror: Mirror { Mirror(self, children: ["source": source, "expiresOn": expiresOn]) }
}
