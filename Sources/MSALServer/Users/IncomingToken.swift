// Licensed under the MIT License. See LICENSE.

import Foundation
package import MSALBase
import MSALCore

/// The access token that an API received, with the facts that on-behalf-of needs. The API has checked the token.
package struct IncomingToken: Sendable {
    package let assertion: Secret
    package let digest: TokenDigest
    /// The claim `tid`.
    package let tenant: String?
    private let object: TokenObjectID
    /// The claim `exp` in seconds since 1970.
    package let expiresAt: Int64?
    /// Whether the token stands for an application, and for no user.
    package let isApplication: Bool

    /// A token that was checked.
    init(_ token: MSALValidatedToken) {
        assertion = token.accessToken
        digest = token.digest ?? TokenDigest(of: token.accessToken)
        tenant = token.tenant
        object = token.claims.object
        expiresAt = Int64(token.claims.times.expiresOn)
        isApplication = token.kind == .application
    }

    /// Reads the claims that matter here, without a check. A token that cannot be read has none of them, and the service
    /// decides about it.
    package init(_ assertion: Secret) {
        let claims = IDTokenClaims(compact: assertion.exposed)
        self.assertion = assertion
        digest = TokenDigest(of: assertion)
        tenant = claims?.tenantID
        object = TokenObjectID(claims?.objectID)
        expiresAt = claims?.expiresOn.map { Int64($0.timeIntervalSince1970) }
        isApplication = claims?.isAboutApplication ?? false
    }

    /// The claim `oid`.
    package var objectID: String? { object.text }
}

extension IDTokenClaims {
    /// Whether an access token stands for an application (docs/reference/Services.md#on-behalf-of).
    fileprivate var isAboutApplication: Bool {
        if let kind = self["idtyp"]?.string { return kind.lowercased() == "app" }
        let hasScopes = self["scp"]?.string?.isEmpty == false
        return !hasScopes && objectID != nil && objectID == subject
    }
}
