// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALServer
import Synchronization

/// A credential with a known token that records the claims of each call.
final class FixedCredential: MSALTokenCredential {
    private let claims = Mutex<[String?]>([])
    private let fails: Bool

    init(fails: Bool = false) { self.fails = fails }

    /// The claims of each call.
    var asked: [String?] { claims.withLock { $0 } }

    nonisolated(nonsending) func token(
        for request: MSALTokenRequest
    ) async throws(MSALTokenError) -> MSALTokenResult {
        claims.withLock { $0.append(request.options.claims) }
        guard !fails else { throw MSALTokenError(kind: .invalidClient, message: "The secret is wrong.") }
        return MSALTokenResult(
            accessToken: request.options.claims == nil ? "a-token" : "a-token for claims",
            expiresOn: Date(timeIntervalSinceNow: 3600)
        )
    }
}
