// Licensed under the MIT License. See LICENSE.

package import MSALCore

/// The tokens that APIs got on behalf of their callers, in the memory of this process
/// (docs/reference/Services.md#on-behalf-of).
///
/// They are found by the hash of the token that the caller sent, which the memory does not keep. Refresh tokens are not
/// here at all, because each call brings a token of the caller.
package final class OnBehalfOfCache: Sendable {
    /// The key of the tokens that a client got for one incoming token, in one tenant.
    package struct Key: Sendable, Hashable {
        package let client: AccessTokenCache.Partition
        package let assertion: TokenDigest
        /// The tenant in lower case.
        package let realm: String
        /// The hash of what the application adds to its requests; `nil` nearly always.
        package let components: String?

        package init(
            client: AccessTokenCache.Partition,
            assertion: TokenDigest,
            realm: String,
            components: String? = nil
        ) {
            self.client = client
            self.assertion = assertion
            self.realm = realm.isLowercasedASCII ? realm : realm.lowercased()
            self.components = components
        }

        /// The hash of the incoming token tells nearly all keys apart.
        package func hash(into hasher: inout Hasher) { hasher.combine(assertion) }
    }

    /// The values that must be equal for two calls to share one redemption.
    package struct Flight: Sendable, Hashable {
        package let key: Key
        /// The scopes in lower case.
        package let scopes: Set<String>
        package let claims: String?

        package init(key: Key, scopes: ScopeSet, claims: String?) {
            self.key = key
            self.scopes = scopes.normalized
            self.claims = claims
        }

        /// The service counts the requests of a user for the same scopes together.
        var throttlingKey: AccessTokenKey {
            AccessTokenKey(
                partition: key.client,
                realm: key.realm,
                target: "\(key.assertion.text) \(scopes.sorted().joined(separator: " "))"
            )
        }
    }

    private let shards: [OnBehalfOfShard]
    /// The redemptions under way.
    package let flights = SingleFlight<Flight, CachedAccessToken, MSALTokenError>(cancellation: .cancellation)
    /// The pauses that the service asked for (docs/reference/Services.md#throttling).
    let throttling = ThrottlingMemory()

    /// A cache of at most `maximumBytes` bytes. Zero keeps nothing.
    package init(maximumBytes: Int) {
        let limit = max(maximumBytes, 0)
        let count = min(max(limit / Self.leastShardBytes, 1), Self.mostShards)
        shards = (0..<count).map { _ in OnBehalfOfShard(limit: limit / count) }
    }

    private static let leastShardBytes = 2 << 20
    private static let mostShards = 16

    /// The token in the memory for a call, if there is one. Nothing here suspends.
    package func lookup(
        _ key: Key,
        scopes: [String],
        options: MSALTokenOptions,
        at now: Int64
    ) -> AccessTokenSource.Lookup {
        if let reason = options.cacheBypassReason { return .miss(reason) }
        return shard(of: key).lookup(key, scopes: scopes, at: now)
    }

    /// Keeps a token for the scopes that were asked for, at most until the incoming token ends.
    package func store(_ token: CachedAccessToken, for key: Key, scopes: [String], until end: Int64, at now: Int64) {
        token.touch(at: now)
        shard(of: key).store(token, for: key, scopes: scopes, until: end, at: now)
    }

    /// The incoming tokens for which something is kept, and the bytes that are counted for them.
    package var size: (assertions: Int, bytes: Int) { shards.map(\.size).reduce((0, 0)) { ($0.0 + $1.0, $0.1 + $1.1) } }

    /// The use of all shards. An entry is an incoming token.
    func takeUse() -> MemoryUse { shards.reduce(into: MemoryUse(entries: 0, bytes: 0)) { $0.add($1.takeUse()) } }

    private func shard(of key: Key) -> OnBehalfOfShard {
        shards[key.assertion.place(among: shards.count)]
    }
}

extension String {
    fileprivate var isLowercasedASCII: Bool {
        utf8.allSatisfy { $0 < 0x80 && !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }
}
