// Licensed under the MIT License. See LICENSE.

package import MSALCore
private import Synchronization

/// The tokens that APIs got on behalf of their callers, in the memory of this process
/// (docs/reference/Services.md#on-behalf-of).
///
/// They are found by the hash of the token that the caller sent, which the memory does not keep. Refresh tokens are not
/// here at all, because each call brings a token of the caller.
package final class OnBehalfOfCache: Sendable {
    /// What one incoming token of a client brings in a tenant.
    package struct Key: Sendable, Hashable {
        package let client: AppTokenCache.Partition
        package let assertion: TokenDigest
        /// The tenant in lower case.
        package let realm: String
        /// The hash of what the application adds to its requests; `nil` nearly always.
        package let components: String?

        package init(client: AppTokenCache.Partition, assertion: TokenDigest, realm: String, components: String? = nil)
        {
            self.client = client
            self.assertion = assertion
            self.realm = realm.isLowercasedASCII ? realm : realm.lowercased()
            self.components = components
        }

        /// The hash of the incoming token tells nearly all keys apart.
        package func hash(into hasher: inout Hasher) { hasher.combine(assertion) }
    }

    /// What calls have in common that share one redemption.
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
    }

    private let shards: [OnBehalfOfShard]
    /// The redemptions under way.
    package let flights = SingleFlight<Flight, AppToken, MSALTokenError>(cancellation: .cancellation)
    private let throttling = ThrottlingMemory()

    /// A cache of at most so many bytes. Zero keeps nothing.
    package init(maximumBytes: Int) {
        let limit = max(maximumBytes, 0)
        let count = min(max(limit / Self.leastShardBytes, 1), Self.mostShards)
        shards = (0..<count).map { _ in OnBehalfOfShard(limit: limit / count) }
    }

    private static let leastShardBytes = 2 << 20
    private static let mostShards = 16

    /// What the memory has for a call. Nothing here suspends.
    package func look(for key: Key, scopes: [String], options: MSALTokenOptions, at now: Int64) -> AppTokens.Look {
        if options.claims != nil { return .miss(.claims) }
        if options.forceRefresh { return .miss(.forcedRefresh) }
        return shard(of: key).look(for: key, scopes: scopes, at: now)
    }

    /// Keeps a token for the scopes that were asked for, at most until the incoming token ends.
    package func store(_ token: AppToken, for key: Key, scopes: [String], until end: Int64, at now: Int64) {
        token.touch(at: now)
        shard(of: key).store(token, for: key, scopes: scopes, until: end, at: now)
    }

    /// The refusal for a request that may not be sent yet; `nil` if it may (docs/reference/Services.md#throttling).
    package func refusal(of flight: Flight, at now: Int64) -> MSALTokenError? {
        throttling.refusal(of: Self.throttlingKey(of: flight), at: now)
    }

    /// Notes that a request failed, if the service asks for a pause or is out of order.
    package func note(_ failure: MSALTokenError, of flight: Flight, at now: Int64) {
        throttling.note(failure, of: Self.throttlingKey(of: flight), at: now)
    }

    /// The service counts the requests of a user for the same scopes together.
    private static func throttlingKey(of flight: Flight) -> AppTokenKey {
        AppTokenKey(
            partition: flight.key.client,
            realm: flight.key.realm,
            target: "\(flight.key.assertion.text) \(flight.scopes.sorted().joined(separator: " "))"
        )
    }

    /// The incoming tokens for which something is kept, and the bytes that are counted for them.
    package var size: (assertions: Int, bytes: Int) {
        shards.map(\.size).reduce((0, 0)) { ($0.0 + $1.0, $0.1 + $1.1) }
    }

    private func shard(of key: Key) -> OnBehalfOfShard {
        shards[key.assertion.place(among: shards.count)]
    }
}

extension String {
    fileprivate var isLowercasedASCII: Bool {
        utf8.allSatisfy { $0 < 0x80 && !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }
}
