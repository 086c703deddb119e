// Licensed under the MIT License. See LICENSE.

import Foundation

@testable import MSALCore

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
