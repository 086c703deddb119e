// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

/// A token with its details and its user. It is immutable and may be used from any thread.
///
/// ```swift
/// let result = try await application.acquireToken(with: interactive)
/// let headers = ["Authorization": result.authorizationHeader]  // For requests to Microsoft Graph.
/// print("Signed in as \(result.account.username ?? "a user without a name").")
/// ```
public final class MSALResult: NSObject, MSALOptionalAccessToken, MSALCertainExpiry, Sendable, RedactedReflection {
    private let shared: SharedTokenResult?
    private let durations: CallDurations
    /// The ID of the request in the service's logs; include it in support requests.
    public let correlationId: UUID

    package convenience init(_ result: TokenResult) {
        let durations = CallTimer.current?.durations ?? CallDurations()  // Those of the call so far.
        self.init(SharedTokenResult(result), correlationID: result.correlationID, durations: durations)
    }

    init(_ token: SharedTokenResult, correlationID: UUID, durations: CallDurations = CallDurations()) {
        shared = token
        correlationId = correlationID
        self.durations = durations
    }

    /// Creates an empty result. Apps get results from token requests.
    public override init() {
        shared = nil
        durations = CallDurations()
        correlationId = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    }

    /// The access token; empty if the service returned none. A proof-of-possession token is already signed for its
    /// request.
    public var accessToken: String { shared?.result.accessToken.exposed ?? "" }

    /// The time at which the access token expires, by this machine's clock.
    public var expiresOn: Date? { shared?.result.expiresOn }

    /// Whether the token has expired, but the library returns it because the service is down. This only happens in
    /// applications with `extendedLifetimeEnabled`.
    public var extendedLifeTimeToken: Bool { shared?.result.isExtendedLifetime ?? false }

    /// The ID token as received; `nil` if there is none.
    public var idToken: String? { shared?.result.idToken?.exposed }

    /// The scopes granted.
    public var scopes: [String] { shared?.result.scopes.values ?? [] }

    /// The user's profile in the token's tenant, with the claims of the ID token.
    public var tenantProfile: MSALTenantProfile {
        shared.map { MSALTenantProfile($0.result.tenantProfile) } ?? MSALTenantProfile()
    }

    /// The account of the token.
    public var account: MSALAccount {
        let unknownUser = AccountSnapshot(homeAccountID: "", username: "", environment: "")
        return MSALAccount(shared?.result.account ?? unknownUser, hasProfiles: false)
    }

    /// The authority to use for later silent calls.
    public var authority: MSALAuthority { MSALAuthority.make(shared?.result.authority ?? .default) }

    /// The value for an `Authorization` header; empty without an access token.
    public var authorizationHeader: String { accessToken.isEmpty ? "" : "\(authenticationScheme) \(accessToken)" }

    /// The scheme of that header: `Bearer`, or `Pop` for a token that is bound to a key.
    public var authenticationScheme: String { shared?.result.tokenType ?? "Bearer" }

    /// Contains the scopes and the source, never a token.
    public override var description: String {
        "MSALResult(scopes: \(scopes.joined(separator: " ")), source: \(source))"
    }
}

// MARK: - Linux only

extension MSALResult {
    /// Whether the tokens are in the store. If `false`, the user must sign in again in the next process.
    public var isPersisted: Bool { shared?.result.isPersisted ?? false }

    /// Whether the signature of the ID token was verified for this result.
    ///
    /// It is `false` for a result from the store: the library verified those tokens when it received them. It is also
    /// `false` if the app has turned the check off, and if the keys could not be fetched after a response over verified
    /// TLS.
    public var isIDTokenSignatureVerified: Bool { shared?.result.isIDTokenSignatureVerified ?? false }

    /// The origin of the token, and the reason for it.
    public var source: MSALTokenSource { MSALTokenSource(shared?.result.source ?? .cache) }

    /// How long the request took, including the time of the user; zero for a token from the memory of this process, whose
    /// lookup is not measured.
    public var totalDuration: Duration { durations.total }

    /// How long the request waited for the network, including retries and the pauses before them, but not for the browser
    /// or an identity broker. An exchange that requests share counts for each of them from the moment it joins.
    public var networkDuration: Duration { durations.network }

    /// How long the request waited for the token store and for its key.
    public var storeDuration: Duration { durations.store }
}

// MARK: - MSAL 0.x and 1.x

extension MSALResult {
    /// The id of the token's tenant.
    @available(*, deprecated, message: "Use tenantProfile.tenantId.")
    public var tenantId: String? { tenantProfile.tenantId }

    /// The user's ID in the token's tenant.
    @available(*, deprecated, message: "Use tenantProfile.identifier.")
    public var uniqueId: String? { tenantProfile.identifier }
}

/// Lets code for MSAL 0.2 write `result.accessToken!`. Without the `!`, `result.accessToken` is a `String`.
public protocol MSALOptionalAccessToken {}

extension MSALOptionalAccessToken where Self: MSALResult {
    /// The access token, with its type in MSAL 0.2. It is never `nil`.
    public var accessToken: String? {
        let token: String = (self as MSALResult).accessToken
        return token
    }
}

/// Lets code for MSAL 0.x and 1.0 to 1.1.15 use `expiresOn` as a `Date`. In other code, `expiresOn` is optional.
public protocol MSALCertainExpiry {}

extension MSALCertainExpiry where Self: MSALResult {
    /// The expiry of the access token, with its type in MSAL up to 1.1.15. It is `Date.distantPast` if there is none.
    public var expiresOn: Date { (self as MSALResult).expiresOn ?? .distantPast }
}
