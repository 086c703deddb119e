// Licensed under the MIT License. See LICENSE.

import Foundation
package import MSALBase
import MSALCore

/// What on-behalf-of needs to know of the access token that an API received. The API has checked the token.
package struct IncomingToken: Sendable {
    package let assertion: Secret
    package let digest: TokenDigest
    /// The claim `tid`.
    package let tenant: String?
    /// The claim `oid`.
    package let objectID: String?
    /// The claim `exp` in seconds since 1970.
    package let expiresAt: Int64?
    /// Whether it stands for an application, and for no user.
    package let isApplication: Bool

    package init(_ assertion: Secret, tenant: String?, objectID: String?, expiresAt: Int64?, isApplication: Bool) {
        self.assertion = assertion
        digest = TokenDigest(of: assertion)
        self.tenant = tenant
        self.objectID = objectID
        self.expiresAt = expiresAt
        self.isApplication = isApplication
    }

    /// Reads the claims that matter here, without a check. A token that cannot be read has none of them, and the service
    /// decides about it.
    package init(_ assertion: Secret) {
        let claims = IDTokenClaims(compact: assertion.exposed)
        self.init(
            assertion,
            tenant: claims?.tenantID,
            objectID: claims?.objectID,
            expiresAt: claims?.expiresOn.map { Int64($0.timeIntervalSince1970) },
            isApplication: claims?.isAboutApplication ?? false
        )
    }
}

extension IDTokenClaims {
    /// Whether an access token stands for an application (docs/reference/Services.md#on-behalf-of).
    fileprivate var isAboutApplication: Bool {
        if let kind = self["idtyp"]?.string { return kind.lowercased() == "app" }
        let hasScopes = self["scp"]?.string?.isEmpty == false
        return !hasScopes && objectID != nil && objectID == subject
    }
}
