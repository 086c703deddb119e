// Licensed under the MIT License. See LICENSE.

public import MSALServer
private import Synchronization

/// An in-memory store, for tests of an application whose instances share tokens.
///
/// Pass one store to several application objects, each with its own cache, to simulate the instances of a service.
public final class MSALMemoryStore: MSALDistributedTokenStore {
    private struct StoredEntry {
        let value: [UInt8]
        let version: UInt64
        let end: Duration
        let leaseNumber: UInt64
    }

    private struct Lease: MSALStoreLease {
        let name: MSALStoreName
        let number: UInt64
        let end: Duration
    }

    private struct State {
        var now = Duration.zero
        var values: [MSALStoreName: StoredEntry] = [:]
        var leases: [MSALStoreName: Lease] = [:]
        /// The last number that was assigned to a version or a lease. Numbers are never reused.
        var counter: UInt64 = 0

        mutating func number() -> UInt64 {
            counter += 1
            return counter
        }

        func held(_ name: MSALStoreName) -> StoredEntry? { values[name].flatMap { $0.end > now ? $0 : nil } }
    }

    private let state = Mutex(State())
    /// The prefix of each name, which distinguishes the names of this store from those of others.
    public let prefix: String

    /// Creates an empty store, whose clock stands still until it is advanced.
    public init(prefix: String = "") { self.prefix = prefix }

    /// Advances the clock of the store.
    public func advance(by duration: Duration) {
        state.withLock { state in
            state.now += duration
            let now = state.now
            state.values = state.values.filter { $0.value.end > now }
        }
    }

    /// The names that have a value.
    public var names: Set<MSALStoreName> {
        state.withLock { state in Set(state.values.filter { $0.value.end > state.now }.keys) }
    }

    /// Returns the values of these names.
    public func read(_ names: [MSALStoreName]) async throws -> [MSALStoreEntry?] {
        state.withLock { state in
            names.map { name in
                state.held(name).map {
                    MSALStoreEntry(
                        value: $0.value,
                        version: MSALStoreVersion($0.version),
                        expiresIn: $0.end - state.now
                    )
                }
            }
        }
    }

    /// Stores a value if the condition holds and no later holder of the lease has written.
    public func write(
        _ value: [UInt8],
        to name: MSALStoreName,
        expiresIn: Duration,
        if condition: MSALWriteCondition,
        lease: (any MSALStoreLease)?
    ) async throws -> Bool {
        state.withLock { state in
            let held = state.held(name)
            switch condition {
            case .always: break
            case .absent: if held != nil { return false }
            case .version(let version): if held?.version != version.number { return false }
            }
            if let lease, let held, held.leaseNumber > lease.number { return false }
            state.values[name] = StoredEntry(
                value: value,
                version: state.number(),
                end: state.now + expiresIn,
                leaseNumber: lease?.number ?? 0
            )
            return true
        }
    }

    /// Removes the values of these names.
    public func remove(_ names: [MSALStoreName]) async throws {
        state.withLock { state in
            for name in names { state.values[name] = nil }
        }
    }

    /// Removes all values of a partition.
    public func removeAll(in partition: MSALStorePartition) async throws {
        state.withLock { state in state.values = state.values.filter { $0.key.partition != partition } }
    }

    /// Acquires a lease; `nil` if another holder has one.
    public func lease(on name: MSALStoreName, for duration: Duration) async throws -> (any MSALStoreLease)? {
        state.withLock { state in
            if let lease = state.leases[name], lease.end > state.now { return nil }
            let lease = Lease(name: name, number: state.number(), end: state.now + duration)
            state.leases[name] = lease
            return lease
        }
    }

    /// Releases a lease, unless another holder has taken it over.
    public func release(_ lease: any MSALStoreLease) async throws {
        state.withLock { state in
            if state.leases[lease.name]?.number == lease.number { state.leases[lease.name] = nil }
        }
    }
}
