// Licensed under the MIT License. See LICENSE.

import MSALServer
import MSALStoreConformance
import Synchronization

/// A store that does not respond.
struct UnreachableStore: MSALDistributedTokenStore {
    struct Failure: Error {}

    func read(_ names: [MSALStoreName]) async throws -> [MSALStoreEntry?] { throw Failure() }

    func write(
        _ value: [UInt8],
        to name: MSALStoreName,
        expiresIn: Duration,
        if condition: MSALWriteCondition,
        lease: (any MSALStoreLease)?
    ) async throws -> Bool { throw Failure() }

    func remove(_ names: [MSALStoreName]) async throws { throw Failure() }
    func removeAll(in partition: MSALStorePartition) async throws { throw Failure() }
    func lease(on name: MSALStoreName, for duration: Duration) async throws -> (any MSALStoreLease)? { throw Failure() }
    func release(_ lease: any MSALStoreLease) async throws { throw Failure() }
}

/// A store that fails as a test specifies, and counts its calls.
final class FaultyStore: MSALDistributedTokenStore {
    /// The operations of a store.
    enum Operation: Hashable, CaseIterable { case read, write, remove, removeAll, lease, release }

    /// What happens instead of a response.
    enum Fault {
        case failure
        /// A response takes a while, and does not arrive if the caller cancels before.
        case slowness
        /// No response arrives, not even when the caller cancels.
        case silence
    }

    private struct State {
        var faults: [Operation: Fault] = [:]
        var asked: [Operation: Int] = [:]
        var change: @Sendable (MSALStoreName, MSALStoreEntry) -> MSALStoreEntry? = { $1 }
        var isLeased = false
        var silent: [CheckedContinuation<Void, Never>] = []
        var beforeWrite: (@Sendable () async throws -> Void)?
        var released = 0
    }

    let store: MSALMemoryStore
    private let state = Mutex(State())

    init(_ store: MSALMemoryStore) {
        self.store = store
    }

    deinit {
        state.withLock { $0.silent }.forEach { $0.resume() }
    }

    var prefix: String { store.prefix }

    /// The number of calls of an operation.
    func asked(_ operation: Operation) -> Int { state.withLock { $0.asked[operation] ?? 0 } }
    var asked: Int { state.withLock { $0.asked.values.reduce(0, +) } }

    /// The number of released leases.
    var released: Int { state.withLock { $0.released } }

    /// Makes these operations fail from now on. Without a fault all work again.
    func fail(_ operations: [Operation] = Operation.allCases, _ fault: Fault? = .failure) {
        let silent = state.withLock { state in
            for operation in operations { state.faults[operation] = fault }
            defer { if fault == nil { state.silent = [] } }
            return fault == nil ? state.silent : []
        }
        for continuation in silent { continuation.resume() }
    }

    /// Changes values when they are read.
    func change(_ change: @escaping @Sendable (MSALStoreName, MSALStoreEntry) -> MSALStoreEntry?) {
        state.withLock { $0.change = change }
    }

    /// Reports every lease as held by another instance.
    func holdAllLeases(_ isLeased: Bool = true) { state.withLock { $0.isLeased = isLeased } }

    /// Runs a function right before the next write.
    func beforeNextWrite(_ body: @escaping @Sendable () async throws -> Void) {
        state.withLock { $0.beforeWrite = body }
    }

    private func ask(_ operation: Operation) async throws {
        let fault = state.withLock { state in
            state.asked[operation, default: 0] += 1
            return state.faults[operation]
        }
        switch fault {
        case .failure: throw UnreachableStore.Failure()
        case .slowness:
            for _ in 0..<100 { await Task.yield() }
            try Task.checkCancellation()
        case .silence:
            await withCheckedContinuation { continuation in
                let isSilent = state.withLock { state in
                    guard case .silence = state.faults[operation] else { return false }
                    state.silent.append(continuation)
                    return true
                }
                if !isSilent { continuation.resume() }
            }
        case nil: break
        }
    }

    func read(_ names: [MSALStoreName]) async throws -> [MSALStoreEntry?] {
        try await ask(.read)
        let change = state.withLock { $0.change }
        return zip(names, try await store.read(names)).map { name, entry in entry.flatMap { change(name, $0) } }
    }

    func write(
        _ value: [UInt8],
        to name: MSALStoreName,
        expiresIn: Duration,
        if condition: MSALWriteCondition,
        lease: (any MSALStoreLease)?
    ) async throws -> Bool {
        try await ask(.write)
        let body = state.withLock { state in
            defer { state.beforeWrite = nil }
            return state.beforeWrite
        }
        try await body?()
        return try await store.write(value, to: name, expiresIn: expiresIn, if: condition, lease: lease)
    }

    func remove(_ names: [MSALStoreName]) async throws {
        try await ask(.remove)
        try await store.remove(names)
    }

    func removeAll(in partition: MSALStorePartition) async throws {
        try await ask(.removeAll)
        try await store.removeAll(in: partition)
    }

    func lease(on name: MSALStoreName, for duration: Duration) async throws -> (any MSALStoreLease)? {
        try await ask(.lease)
        if state.withLock({ $0.isLeased }) { return nil }
        return try await store.lease(on: name, for: duration)
    }

    func release(_ lease: any MSALStoreLease) async throws {
        try await ask(.release)
        try await store.release(lease)
        state.withLock { $0.released += 1 }
    }
}
