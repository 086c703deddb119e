// Licensed under the MIT License. See LICENSE.

import Foundation
package import MSALBase
import MSALCore

/// The access token that an API received, with the claims that the on-behalf-of flow needs. The API has validated it.
package struct IncomingToken: Sendable {
    package let assertion: Secret
    package let digest: TokenDigest
    /// The claim `tid`.
    package let tenant: String?
    private let object: TokenObjectID
    /// The claim `exp` in seconds since 1970.
    package let expiresAt: Int64?
    /// Whether the token represents an application, not a user.
    package let isApplication: Bool

    /// A token that this library has validated.
    init(_ token: MSALValidatedToken) {
        assertion = token.accessToken
        digest = token.digest ?? TokenDigest(of: token.accessToken)
        tenant = token.tenant
        object = token.claims.object
        expiresAt = Int64(token.claims.times.expiresOn)
        isApplication = token.kind == .application
    }

    /// Reads the claims without validating the token. An unreadable token has none, and the service accepts or rejects
    /// it.
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
    /// Whether an access token represents an application (docs/reference/Services.md#on-behalf-of).
    fileprivate var isAboutApplication: Bool {
        if let kind = self["idtyp"]?.string { return kind.lowercased() == "app" }
        let hasScopes = self["scp"]?.string?.isEmpty == false
        return !hasScopes && objectID != nil && objectID == subject
    }
}
