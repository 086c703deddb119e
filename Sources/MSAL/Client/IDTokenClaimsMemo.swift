// Licensed under the MIT License. See LICENSE.

private import Synchronization

/// Remembers the decoded claims of stored id tokens: decoding one costs more than all the rest of a cache hit.
package final class IDTokenClaimsMemo: Sendable {
    private let decoded = Mutex<[String: IDTokenClaims]>([:])

    /// Enough for a server with many users; cleared whole when full, because a miss only costs a decoding.
    private let capacity = 4096

    package func claims(of token: Secret) -> IDTokenClaims? {
        if let known = decoded.withLock({ $0[token.exposed] }) { return known }
        guard let claims = IDTokenClaims(compact: token.exposed) else { return nil }
        decoded.withLock { memo in
            if memo.count >= capacity { memo.removeAll(keepingCapacity: true) }
            memo[token.exposed] = claims
        }
        return claims
    }
}
