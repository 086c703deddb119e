// Licensed under the MIT License. See LICENSE.

/// What a part of the memory holds, and what has left it.
package struct MemoryUse: Sendable, Equatable {
    package var entries = 0
    package var bytes = 0
    /// The entries that have left since somebody asked last, for each cause.
    package var evictions: [EvictionCause: Int] = [:]

    package init(entries: Int, bytes: Int, evictions: [EvictionCause: Int] = [:]) {
        self.entries = entries
        self.bytes = bytes
        self.evictions = evictions
    }

    /// Adds what another piece of the same part holds.
    package mutating func add(_ other: MemoryUse) {
        entries += other.entries
        bytes += other.bytes
        evictions.merge(other.evictions, uniquingKeysWith: +)
    }
}

/// A memory whose use the metrics tell.
package protocol ObservedMemory: Sendable {
    /// The use of each part. Evictions are told once: each call gives those since the one before.
    func takeUse() -> [(level: MemoryLevel, use: MemoryUse)]
}
