// Licensed under the MIT License. See LICENSE.

import MSALBase
private import Synchronization

/// The store of the sessions of a web application with one instance, in the memory of this process.
final class SessionMemoryStore: MSALDistributedTokenStore {
    private typealias Entry = (value: [UInt8], version: UInt64, end: Duration)

    private struct State {
        var partitions: [MSALStorePartition: [String: Entry]] = [:]
        var lastVersion: UInt64 = 0
        /// The number of partitions at which expired ones are removed, so that a write takes constant time on average.
        var purgeCount = 1024

        func entry(_ name: MSALStoreName, at now: Duration) -> Entry? {
            partitions[name.partition]?[name.text].flatMap { $0.end > now ? $0 : nil }
        }
    }

    private let state = Mutex(State())
    private let time: any TimeSource

    init(time: any TimeSource) { self.time = time }

    func read(_ names: [MSALStoreName]) -> [MSALStoreEntry?] {
        let now = time.uptime
        return state.withLock { state in
            names.map { name in
                state.entry(name, at: now).map {
                    MSALStoreEntry(value: $0.value, version: MSALStoreVersion($0.version), expiresIn: $0.end - now)
                }
            }
        }
    }

    func write(
        _ value: [UInt8],
        to name: MSALStoreName,
        expiresIn: Duration,
        if condition: MSALWriteCondition,
        lease: (any MSALStoreLease)?
    ) -> Bool {
        let now = time.uptime
        return state.withLock { state in
            let current = state.entry(name, at: now).map { MSALWriteCondition.version(MSALStoreVersion($0.version)) }
            guard condition == .always || condition == current ?? .absent else { return false }
            state.lastVersion += 1
            state.partitions[name.partition, default: [:]][name.text] = (value, state.lastVersion, now + expiresIn)
            if state.partitions.count >= state.purgeCount {
                state.partitions = state.partitions.filter { $0.value.values.contains { $0.end > now } }
                state.purgeCount = max(1024, state.partitions.count * 2)
            }
            return true
        }
    }

    func removeAll(in partition: MSALStorePartition) { state.withLock { $0.partitions[partition] = nil } }

    // Sessions are removed with their partitions, and need no leases.
    func remove(_ names: [MSALStoreName]) {}
    func lease(on name: MSALStoreName, for duration: Duration) -> (any MSALStoreLease)? { nil }
    func release(_ lease: any MSALStoreLease) {}
}
