// Licensed under the MIT License. See LICENSE.

import MSALServer
import MSALStoreConformance
import Synchronization

/// A store that counts queries, and fails or stops responding on demand.
final class WatchedStore: MSALDistributedTokenStore {
    enum Mode {
        case responding
        /// Each query fails.
        case failing
        /// No query completes before its caller gives up.
        case unresponsive
    }

    private struct Failure: Error {}

    private struct State {
        var mode = Mode.responding
        var queries = 0
        var reads = 0
        var written = 0
        var leases = 0
    }

    private let store: any MSALDistributedTokenStore
    private let state = Mutex(State())

    /// Wraps `store`, by default one in this process.
    init(_ store: any MSALDistributedTokenStore = MSALMemoryStore(prefix: "msal:1:")) {
        self.store = store
    }

    var prefix: String { store.prefix }

    var mode: Mode {
        get { state.withLock { $0.mode } }
        set { state.withLock { $0.mode = newValue } }
    }

    var queries: Int { state.withLock { $0.queries } }
    /// The reads that completed.
    var reads: Int { state.withLock { $0.reads } }
    /// The values that were written.
    var written: Int { state.withLock { $0.written } }
    /// The attempts to get a lease.
    var leases: Int { state.withLock { $0.leases } }

    private func query() async throws {
        let mode = state.withLock { state in
            state.queries += 1
            return state.mode
        }
        switch mode {
        case .responding: return
        case .failing: throw Failure()
        case .unresponsive:
            try await Task.sleep(for: .seconds(3600))
            throw Failure()
        }
    }

    func read(_ names: [MSALStoreName]) async throws -> [MSALStoreEntry?] {
        try await query()
        let entries = try await store.read(names)
        state.withLock { $0.reads += 1 }
        return entries
    }

    func write(
        _ value: [UInt8],
        to name: MSALStoreName,
        expiresIn: Duration,
        if condition: MSALWriteCondition,
        lease: (any MSALStoreLease)?
    ) async throws -> Bool {
        try await query()
        let isWritten = try await store.write(value, to: name, expiresIn: expiresIn, if: condition, lease: lease)
        if isWritten { state.withLock { $0.written += 1 } }
        return isWritten
    }

    func remove(_ names: [MSALStoreName]) async throws {
        try await query()
        try await store.remove(names)
    }

    func removeAll(in partition: MSALStorePartition) async throws {
        try await query()
        try await store.removeAll(in: partition)
    }

    func lease(on name: MSALStoreName, for duration: Duration) async throws -> (any MSALStoreLease)? {
        state.withLock { $0.leases += 1 }
        try await query()
        return try await store.lease(on: name, for: duration)
    }

    func release(_ lease: any MSALStoreLease) async throws {
        try await query()
        try await store.release(lease)
    }
}
