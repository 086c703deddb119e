// Licensed under the MIT License. See LICENSE.

import Foundation

@testable import MSAL
@testable import MSALCore
@testable import SealedStore

// What the conformance cases ask for in one step, and the library in several.

extension Authority {
    /// The authority that a stored URL belongs to (docs/reference/Protocol.md#guessing).
    ///
    /// - Throws: `.invalidParameter` if the URL matches no kind.
    static func stored(_ url: URL) throws(AuthorityError) -> Authority {
        guard let address = AuthorityAddress(url), address.isSecure else {
            throw AuthorityError(.invalidParameter, message: "The stored URL is not an authority.")
        }
        if address.hasPolicyFormat { return try b2c(url, strict: true) }
        if address.isFederationPath { return try adfs(url) }
        guard !address.segments.isEmpty, !address.hasExternalTenantHost else {
            throw AuthorityError(
                .invalidParameter,
                message: "The stored URL is not a B2C, AD FS, or Entra ID authority."
            )
        }
        return try aad(url)
    }
}

extension AuthorityPolicy {
    /// Whether `authority` needs no confirmation, because its host is trusted or the app vouches for it.
    func isKnown(_ authority: Authority) -> Bool { authority.isHostKnown || isDeveloperKnown(authority) }
}

extension CloudMetadata {
    /// The authority under which `authority` is cached.
    func cache(of authority: Authority) -> Authority { authority.universal.replacingHost(cacheHost) }
}

extension AuthenticateChallenge {
    var nonce: String? { parameters["nonce"] }
    var resource: String? { parameters["resource_id"] ?? parameters["resource"] ?? parameters["client_id"] }

    /// The tenant in the authority's path. It is `nil` for AD FS, which has none.
    var tenant: String? {
        guard let authority, let url = URL(string: authority) else { return nil }
        let first = url.pathComponents.first { $0 != "/" }
        return first?.lowercased() == "adfs" ? nil : first
    }
}

extension [AuthenticateChallenge] {
    /// The nonce of the proof-of-possession challenge.
    var proofOfPossessionNonce: String? { lazy.filter { $0.isScheme("pop") }.compactMap(\.nonce).first }
}

extension TokenCache {
    /// The best access token for `query`, which may be expired; see
    /// ``TokenStoreReading/accessToken(for:clientID:now:buffer:)``.
    func accessToken(
        for query: AccessTokenQuery,
        now: Date,
        buffer: Duration
    ) throws(StoreError) -> AccessTokenHit? {
        try store.read { (store) throws(StoreError) -> AccessTokenHit? in
            try store.accessToken(for: query, clientID: clientID, now: now, buffer: buffer)
        }
    }
}
