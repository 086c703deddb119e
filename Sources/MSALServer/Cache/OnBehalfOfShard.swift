// Licensed under the MIT License. See LICENSE.

import MSALCore
private import Synchronization

/// A part of the tokens that APIs got on behalf of their callers, with its own lock and size limit.
final class OnBehalfOfShard: Sendable {
    private struct CachedToken {
        let token: CachedAccessToken
        /// The scopes as the call gave them. Nearly all calls give the same ones again.
        let asked: [String]
        /// The scopes that the token serves, in lower case.
        let target: Set<String>
    }

    private struct Entry {
        var tokens: [CachedToken] = []
        /// The end of the incoming token in seconds since 1970.
        var end: Int64
        var bytes = 0

        /// The last use of any of its tokens.
        var lastUsedAt: Int64 { tokens.reduce(0) { max($0, $1.token.lastUsedAt) } }

        func isPast(at now: Int64) -> Bool { end <= now || tokens.allSatisfy { $0.token.isPast(at: now) } }

        func token(for scopes: [String]) -> CachedAccessToken? {
            if let held = tokens.first(where: { $0.asked == scopes }) { return held.token }
            let wanted = ScopeSet(scopes).normalized
            return tokens.last { wanted.isSubset(of: $0.target) }?.token
        }
    }

    private struct State {
        var entries: [OnBehalfOfCache.Key: Entry] = [:]
        var bytes = 0
        var lastSweep: Int64 = 0
        var evictions: [EvictionCause: Int] = [:]

        mutating func evict(_ key: OnBehalfOfCache.Key, because cause: EvictionCause) {
            evictions[cause, default: 0] += 1
            bytes -= entries.removeValue(forKey: key)?.bytes ?? 0
        }

        mutating func sweep(at now: Int64) {
            // A clock that was set back counts as a minute that passed.
            guard UInt64(bitPattern: now &- lastSweep) >= 60 else { return }
            lastSweep = now
            let past = entries.filter { $0.value.isPast(at: now) }
            for key in past.keys { evict(key, because: .expired) }
        }

        /// Removes the least recently used entries until the size is sufficiently below the limit.
        mutating func shrink(to limit: Int, sparing newest: OnBehalfOfCache.Key) {
            // A sixteenth more, so that not every insertion sorts.
            let goal = limit - limit / 16
            let oldestFirst = entries.map { (key: $0.key, lastUsedAt: $0.value.lastUsedAt) }
                .sorted { $0.lastUsedAt < $1.lastUsedAt }
            for (key, _) in oldestFirst where key != newest {
                guard bytes > goal else { break }
                evict(key, because: .size)
            }
        }
    }

    private let state = Mutex(State())
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    var size: (assertions: Int, bytes: Int) { state.withLock { ($0.entries.count, $0.bytes) } }

    /// The size of the shard, and the number of entries that have left it since the last call.
    func takeUse() -> MemoryUse {
        state.withLock { state in
            defer { state.evictions = [:] }
            return MemoryUse(entries: state.entries.count, bytes: state.bytes, evictions: state.evictions)
        }
    }

    func lookup(_ key: OnBehalfOfCache.Key, scopes: [String], at now: Int64) -> AccessTokenSource.Lookup {
        state.withLock { state in
            guard let entry = state.entries[key], let token = entry.token(for: scopes) else {
                return .miss(.noCachedToken)
            }
            guard token.isUsable(at: now), entry.end > now else { return .miss(.expired) }
            token.touch(at: now)
            return .hit(token)
        }
    }

    func store(
        _ token: CachedAccessToken,
        for key: OnBehalfOfCache.Key,
        scopes: [String],
        until end: Int64,
        at now: Int64
    ) {
        let asked = ScopeSet(scopes)
        var target = ScopeSet(token.scopes).normalized
        // One scope, as `<resource>/.default`, stands for all that were granted.
        if asked.isSingleDefault { target.formUnion(asked.normalized) }
        state.withLock { state in
            state.sweep(at: now)
            var entry = state.entries[key] ?? Entry(end: end)
            state.bytes -= entry.bytes
            entry.end = end
            entry.tokens.removeAll {
                $0.asked == scopes || $0.target.isSubset(of: target) || !$0.token.isUsable(at: now)
            }
            entry.tokens.append(CachedToken(token: token, asked: scopes, target: target))
            entry.bytes = Self.overhead + entry.tokens.reduce(0) { $0 + $1.token.textBytes * 2 + Self.tokenOverhead }
            state.entries[key] = entry
            state.bytes += entry.bytes
            guard entry.bytes <= limit else { return state.evict(key, because: .size) }
            if state.bytes > limit { state.shrink(to: limit, sparing: key) }
        }
    }

    /// The key, and its place in a dictionary that may be half empty.
    private static let overhead = 320
    /// The object of the token, its lists of scopes, and the heads of its texts.
    private static let tokenOverhead = 640
}
