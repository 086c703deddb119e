// Licensed under the MIT License. See LICENSE.

private import Synchronization

/// A part of the tokens of a cache, with a lock and a budget of its own.
final class AppTokenShard: Sendable {
    private struct Entry {
        let token: AppToken
        let bytes: Int
        /// Tells apart entries that were used in the same second.
        let number: UInt64
        /// Whether the key is another spelling of the one under which the token is kept.
        let isOtherSpelling: Bool
    }

    private struct State {
        // Values side by side: an object for each entry would cost a look-up in a large cache another wait for memory.
        var entries: [AppTokenKey: Entry] = [:]
        var bytes = 0
        var lastSweep: Int64 = 0
        var counter: UInt64 = 0
        var evictions: [EvictionCause: Int] = [:]

        mutating func remove(_ key: AppTokenKey) {
            guard let entry = entries.removeValue(forKey: key) else { return }
            bytes -= entry.bytes
            if !entry.isOtherSpelling { entry.token.markReplaced() }
        }

        /// Whether a minute has passed. A clock that was set back counts as well.
        func isSweepDue(at now: Int64) -> Bool { AppTokenShard.isSweepDue(at: now, after: lastSweep) }

        mutating func sweep(at now: Int64) {
            lastSweep = now
            let past = entries.filter { $0.value.token.isPast(at: now) || $0.value.token.isReplaced }
            for (key, entry) in past {
                if !entry.token.isReplaced { evictions[.expired, default: 0] += 1 }
                remove(key)
            }
        }

        /// Removes the entries whose last use is longest ago, until there is some room again.
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

    init(limit: Int) {
        self.limit = limit
    }

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
        let token: AppToken
        let sweptAt: Int64
    }

    /// The token for `key`, which may be expired.
    func token(for key: AppTokenKey, at now: Int64) -> Found? {
        state.withLock { state in
            let token = state.entries[key]?.token
            if state.isSweepDue(at: now) { state.sweep(at: now) }
            return token.map { Found(token: $0, sweptAt: state.lastSweep) }
        }
    }

    /// Keeps a token in place of the one that was there, if it fits into the budget.
    func insert(_ token: AppToken, for key: AppTokenKey, isOtherSpelling: Bool, at now: Int64) {
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

    /// The bytes of an entry beside its texts: the object of the token, its list of scopes, the heads of its texts, and
    /// its place in a dictionary that may be half empty. The growth of a process is compared with it
    /// (docs/Performance.md#the-memory-of-a-service).
    private static let overhead = 640
}
