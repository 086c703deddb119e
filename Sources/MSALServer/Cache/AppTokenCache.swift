// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore
private import Synchronization

/// The tokens of applications in the memory of this process (docs/reference/Services.md#memory).
package final class AppTokenCache: ObservedMemory {
    /// A client in a cloud. It is a number, so that a look-up compares no names.
    package struct Partition: Sendable, Hashable {
        fileprivate let number: UInt32
    }

    /// The name of a client in a cloud.
    private struct PartitionName: Hashable {
        let environment: String
        let clientID: String
    }

    /// The values that must be equal for two calls to share one redemption.
    struct FlightKey: Hashable, Sendable {
        let token: AppTokenKey
        let claims: String?
    }

    private let partitions = Mutex<[PartitionName: Partition]>([:])
    private let shards: [AppTokenShard]
    /// The tokens that each thread has given out. A hit finds its token here, and then writes nothing that another
    /// thread writes. Copies do not count for the limit.
    private let near = Striped { Mutex<[AppTokenKey: AppTokenShard.Found]>([:]) }
    /// The redemptions under way. They are here, so that application objects with one memory share them.
    let flights = SingleFlight<FlightKey, Fetched, MSALTokenError>(cancellation: .cancellation)
    let throttling = ThrottlingMemory()

    /// A cache of at most `maximumBytes` bytes, keys and overhead included. Zero keeps nothing.
    package init(maximumBytes: Int = AppTokenCache.defaultBytes) {
        let limit = max(maximumBytes, 0)
        // A shard has room for several tokens, however small the cache is.
        let count = min(max(limit / Self.leastShardBytes, 1), Self.mostShards)
        shards = (0..<count).map { _ in AppTokenShard(limit: limit / count) }
    }

    /// 64 MiB.
    package static let defaultBytes = 64 * 1024 * 1024
    private static let leastShardBytes = 256 * 1024
    private static let mostShards = 64
    /// The most tokens that one thread keeps. A thread that has so many forgets all of them.
    private static let mostNear = 1024

    /// The partition of a client. Two objects with the same names share it.
    package func partition(environment: String, clientID: String) -> Partition {
        partitions.withLock { partitions in
            let name = PartitionName(environment: environment, clientID: clientID)
            if let known = partitions[name] { return known }
            let partition = Partition(number: UInt32(partitions.count))
            partitions[name] = partition
            return partition
        }
    }

    /// The token for `key`, which may have expired. Nothing here suspends.
    ///
    /// The key is tried as it was given. A token that is found in lower case only is remembered under the given spelling.
    package func token(for key: AppTokenKey, at now: Int64) -> AppToken? {
        // A shard sweeps when it is asked.
        if let own = near.withOwn({ tokens in tokens.withLock { $0[key] } }), !own.token.isReplaced,
            !AppTokenShard.isSweepDue(at: now, after: own.sweptAt)
        {
            own.token.touch(at: now)
            return own.token
        }
        if let found = shard(of: key).token(for: key, at: now), !found.token.isReplaced {
            found.token.touch(at: now)
            return taken(found, for: key)
        }
        guard let plain = key.lowercased, let token = shard(of: plain).token(for: plain, at: now)?.token else {
            return nil
        }
        token.touch(at: now)
        shard(of: key).insert(token, for: key, isOtherSpelling: true, at: now)
        return token
    }

    private func taken(_ found: AppTokenShard.Found, for key: AppTokenKey) -> AppToken {
        let taken = found.token.taken()
        near.withOwn { tokens in
            tokens.withLock { tokens in
                if tokens.count >= Self.mostNear { tokens.removeAll(keepingCapacity: true) }
                tokens[key] = AppTokenShard.Found(token: taken, sweptAt: found.sweptAt)
            }
        }
        return taken
    }

    /// Keeps a token in place of the one that was there, under all its spellings.
    package func store(_ token: AppToken, for key: AppTokenKey, at now: Int64) {
        let key = key.lowercased ?? key
        token.touch(at: now)
        shard(of: key).insert(token, for: key, isOtherSpelling: false, at: now)
    }

    /// The number of callers that wait for a token.
    package var waitingCallers: Int { flights.callers }

    /// The number of bytes that the tokens count for.
    package var bytes: Int { shards.reduce(0) { $0 + $1.bytes } }

    /// The number of tokens. A token counts again for each other spelling of its key.
    package var count: Int { shards.reduce(0) { $0 + $1.count } }

    package func takeUse() -> [(level: MemoryLevel, use: MemoryUse)] { [(.application, takeUse())] }

    /// The use of all shards.
    func takeUse() -> MemoryUse { shards.reduce(into: MemoryUse(entries: 0, bytes: 0)) { $0.add($1.takeUse()) } }

    private func shard(of key: AppTokenKey) -> AppTokenShard {
        shards[Int(UInt(bitPattern: key.hash) % UInt(shards.count))]
    }
}
