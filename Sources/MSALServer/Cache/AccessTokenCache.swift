// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore
private import Synchronization

/// The tokens of applications in the memory of this process (docs/reference/Services.md#memory).
package final class AccessTokenCache: ObservedMemory {
    /// A client in a cloud. It is a number, so that a lookup does not compare names.
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
        let token: AccessTokenKey
        let claims: String?
    }

    private let partitions = Mutex<[PartitionName: Partition]>([:])
    private let shards: [AccessTokenCacheShard]
    /// The tokens that each thread has returned. A hit finds its token here, without writing to memory that other
    /// threads write to. Copies do not count toward the limit.
    private let near = Striped { Mutex<[AccessTokenKey: AccessTokenCacheShard.Found]>([:]) }
    /// The token requests in progress. They are part of the cache so that application objects with the same cache share
    /// them.
    let flights = SingleFlight<FlightKey, FetchedToken, MSALTokenError>(cancellation: .cancellation)
    let throttling = ThrottlingMemory()

    /// Creates a cache of at most `maximumBytes` bytes, including keys and overhead. With zero, nothing is cached.
    package init(maximumBytes: Int = AccessTokenCache.defaultBytes) {
        let limit = max(maximumBytes, 0)
        // A shard has room for several tokens, however small the cache is.
        let count = min(max(limit / Self.leastShardBytes, 1), Self.mostShards)
        shards = (0..<count).map { _ in AccessTokenCacheShard(limit: limit / count) }
    }

    /// 64 MiB.
    package static let defaultBytes = 64 * 1024 * 1024
    private static let leastShardBytes = 256 * 1024
    private static let mostShards = 64
    /// The maximum number of tokens per thread. A thread that reaches it discards all of them.
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
    package func token(for key: AccessTokenKey, at now: Int64) -> CachedAccessToken? {
        // A shard sweeps when it is asked.
        if let own = near.withOwn({ tokens in tokens.withLock { $0[key] } }), !own.token.isReplaced,
            !AccessTokenCacheShard.isSweepDue(at: now, after: own.sweptAt)
        {
            own.token.touch(at: now)
            return own.token
        }
        if let found = shard(of: key).token(for: key, at: now), !found.token.isReplaced {
            found.token.touch(at: now)
            return keptNear(found, for: key)
        }
        guard let plain = key.lowercased, let token = shard(of: plain).token(for: plain, at: now)?.token else {
            return nil
        }
        token.touch(at: now)
        shard(of: key).insert(token, for: key, isOtherSpelling: true, at: now)
        return token
    }

    private func keptNear(_ found: AccessTokenCacheShard.Found, for key: AccessTokenKey) -> CachedAccessToken {
        let token = found.token.copyForThread()
        near.withOwn { tokens in
            tokens.withLock { tokens in
                if tokens.count >= Self.mostNear { tokens.removeAll(keepingCapacity: true) }
                tokens[key] = AccessTokenCacheShard.Found(token: token, sweptAt: found.sweptAt)
            }
        }
        return token
    }

    /// Stores a token, replacing an existing one, under all spellings of its key.
    package func store(_ token: CachedAccessToken, for key: AccessTokenKey, at now: Int64) {
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

    private func shard(of key: AccessTokenKey) -> AccessTokenCacheShard {
        shards[Int(UInt(bitPattern: key.hash) % UInt(shards.count))]
    }
}

/// A part of the tokens of a cache, with its own lock and size limit.
private final class AccessTokenCacheShard: Sendable {
    private struct Entry {
        let token: CachedAccessToken
        let bytes: Int
        /// Tells apart entries that were used in the same second.
        let number: UInt64
        /// Whether the key is another spelling of the one under which the token is kept.
        let isOtherSpelling: Bool
    }

    private struct State {
        // Values are stored inline: with an object for each entry, a lookup in a large cache would wait for memory once
        // more.
        var entries: [AccessTokenKey: Entry] = [:]
        var bytes = 0
        var lastSweep: Int64 = 0
        var counter: UInt64 = 0
        var evictions: [EvictionCause: Int] = [:]

        mutating func remove(_ key: AccessTokenKey) {
            guard let entry = entries.removeValue(forKey: key) else { return }
            bytes -= entry.bytes
            if !entry.isOtherSpelling { entry.token.markReplaced() }
        }

        /// Whether a minute has passed. A clock that was set back counts as well.
        func isSweepDue(at now: Int64) -> Bool { AccessTokenCacheShard.isSweepDue(at: now, after: lastSweep) }

        mutating func sweep(at now: Int64) {
            lastSweep = now
            let past = entries.filter { $0.value.token.isPast(at: now) || $0.value.token.isReplaced }
            for (key, entry) in past {
                if !entry.token.isReplaced { evictions[.expired, default: 0] += 1 }
                remove(key)
            }
        }

        /// Removes the least recently used entries until the size is sufficiently below the limit.
        mutating func shrink(to limit: Int, sparing newest: UInt64) {
            // A sixteenth more, so that not every insertion sorts.
            let goal = limit - limit / 16
            let oldestFirst = entries.sorted {
                ($0.value.token.lastUsedAt, $0.value.number) < ($1.value.token.lastUsedAt, $1.value.number)
            }
            for (key, entry) in oldestFirst where entry.number != newest {
                guard bytes > goal else { break }
                evictions[.size, default: 0] += 1
                remove(key)
            }
        }
    }

    /// Whether expired tokens are to be swept, if that was done last at `sweptAt`.
    static func isSweepDue(at now: Int64, after sweptAt: Int64) -> Bool { UInt64(bitPattern: now &- sweptAt) >= 60 }

    private let state = Mutex(State())
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// The number of bytes that the entries count for.
    var bytes: Int { state.withLock { $0.bytes } }

    /// The number of entries, other spellings included.
    var count: Int { state.withLock { $0.entries.count } }

    /// The size of the shard, and the number of entries that have left it since the last call.
    func takeUse() -> MemoryUse {
        state.withLock { state in
            defer { state.evictions = [:] }
            return MemoryUse(entries: state.entries.count, bytes: state.bytes, evictions: state.evictions)
        }
    }

    /// A token, and when the expired ones were swept last.
    struct Found {
        let token: CachedAccessToken
        let sweptAt: Int64
    }

    /// The token for `key`, which may be expired.
    func token(for key: AccessTokenKey, at now: Int64) -> Found? {
        state.withLock { state in
            let token = state.entries[key]?.token
            if state.isSweepDue(at: now) { state.sweep(at: now) }
            return token.map { Found(token: $0, sweptAt: state.lastSweep) }
        }
    }

    /// Stores a token, replacing an existing one, if it fits into the size limit.
    func insert(_ token: CachedAccessToken, for key: AccessTokenKey, isOtherSpelling: Bool, at now: Int64) {
        let bytes = Self.overhead + key.textBytes + token.textBytes
        state.withLock { state in
            state.remove(key)
            guard bytes <= limit else { return }
            state.counter += 1
            state.entries[key] = Entry(
                token: token,
                bytes: bytes,
                number: state.counter,
                isOtherSpelling: isOtherSpelling
            )
            state.bytes += bytes
            if state.isSweepDue(at: now) { state.sweep(at: now) }
            if state.bytes > limit { state.shrink(to: limit, sparing: state.counter) }
        }
    }

    /// The bytes of an entry in addition to its texts: the object of the token, its list of scopes, the heads of its
    /// texts, and its place in a dictionary that may be half empty. The growth of a process is compared with it
    /// (docs/Performance.md#the-memory-of-a-service).
    private static let overhead = 640
}
