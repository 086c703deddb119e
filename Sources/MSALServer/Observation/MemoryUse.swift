// Licensed under the MIT License. See LICENSE.

/// The size of a part of the memory, and the number of entries that have left it.
package struct MemoryUse: Sendable, Equatable {
    package var entries = 0
    package var bytes = 0
    /// The entries removed since the last call, by cause.
    package var evictions: [EvictionCause: Int] = [:]

    /// Adds the size of another piece of the same part.
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
