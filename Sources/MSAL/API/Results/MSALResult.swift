// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

/// A token with its details and its user. It never changes and may be used from any thread.
///
/// ```swift
/// let result = try await application.acquireToken(with: interactive)
/// let headers = ["Authorization": result.authorizationHeader]  // For requests to Microsoft Graph.
/// print("Signed in as \(result.account.username ?? "a user without a name").")
/// ```
public final class MSALResult: NSObject, MSALOptionalAccessToken, MSALCertainExpiry, Sendable, ClosedMirror {
    private let given: GivenToken?
    /// The id by which the service's logs know the request; quote it when asking for help.
    public let correlationId: UUID

    package convenience init(_ result: TokenResult) {
        self.init(GivenToken(result), correlationID: result.correlationID)
    }

    init(_ token: GivenToken, correlationID: UUID) {
        given = token
        correlationId = correlationID
    }

    /// An empty result. Apps get results from token requests.
    public override init() {
        given = nil
        correlationId = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    }

    /// The access token; empty if the service gave none. A proof-of-possession token comes signed for its request.
    public var accessToken: String { given?.result.accessToken.exposed ?? "" }

    /// The end of the access token, by this machine's clock.
    public var expiresOn: Date? { given?.result.expiresOn }

    /// Whether the token is past its usual end and served because the service is down, which only applications with
    /// `extendedLifetimeEnabled` allow.
    public var extendedLifeTimeToken: Bool { given?.result.isExtendedLifetime ?? false }

    /// The id token as it was received; `nil` if there is none.
    public var idToken: String? { given?.result.idToken?.exposed }

    /// The scopes granted.
    public var scopes: [String] { given?.result.scopes.values ?? [] }

    /// The user as the token's tenant knows it, with the claims of the id token.
    public var tenantProfile: MSALTenantProfile {
        given.map { MSALTenantProfile($0.result.tenantProfile) } ?? MSALTenantProfile()
    }

    /// The account of the token.
    public var account: MSALAccount {
        let nobody = AccountSnapshot(homeAccountID: "", username: "", environment: "")
        return MSALAccount(given?.result.account ?? nobody, hasProfiles: false)
    }

    /// The authority to use for later silent calls.
    public var authority: MSALAuthority { MSALAuthority.make(given?.result.authority ?? .default) }

    /// The value of an `Authorization` header; empty without an access token.
    public var authorizationHeader: String {
        accessToken.isEmpty ? "" : "\(authenticationScheme) \(accessToken)"
    }

    /// The scheme of that header: `Bearer`, or `Pop` for a token that is bound to a key.
    public var authenticationScheme: String { given?.result.tokenType ?? "Bearer" }

    /// Shows scopes and source, never a token.
    public override var description: String {
        "MSALResult(scopes: \(scopes.joined(separator: " ")), source: \(source))"
    }
}

// MARK: - Linux only

extension MSALResult {
    /// Whether the tokens are in the store; `false` means that the next process has to ask again.
    public var isPersisted: Bool { given?.result.isPersisted ?? false }

    /// Whether the signature of the id token was checked for this result.
    ///
    /// `false` for a result from the store, whose tokens were checked when they came. Also `false` if the check is
    /// switched off, and if the keys could not be fetched after a response over verified TLS.
    public var isIDTokenSignatureVerified: Bool { given?.result.isIDTokenSignatureVerified ?? false }

    /// The origin of the token, and the reason for it.
    public var source: MSALTokenSource { MSALTokenSource(given?.result.source ?? .cache) }
}

// MARK: - MSAL 0.x and 1.x

extension MSALResult {
    /// The id of the token's tenant.
    @available(*, deprecated, message: "Use tenantProfile.tenantId.")
    public var tenantId: String? { tenantProfile.tenantId }

    /// The user's id in the token's tenant.
    @available(*, deprecated, message: "Use tenantProfile.identifier.")
    public var uniqueId: String? { tenantProfile.identifier }
}

/// Lets code of MSAL 0.2 write `result.accessToken!`, while `result.accessToken` alone is a `String`.
public protocol MSALOptionalAccessToken {}

extension MSALOptionalAccessToken where Self: MSALResult {
    /// The access token, as MSAL 0.2 declared it; never `nil`.
    public var accessToken: String? {
        let token: String = (self as MSALResult).accessToken
        return token
    }
}

/// Lets code of MSAL 0.x and 1.0 to 1.1.15 treat `expiresOn` as a `Date`, while by itself it is optional.
public protocol MSALCertainExpiry {}

extension MSALCertainExpiry where Self: MSALResult {
    /// The end of the access token, as MSAL declared it up to 1.1.15; long past if there is none.
    public var expiresOn: Date { (self as MSALResult).expiresOn ?? .distantPast }
}
