// Licensed under the MIT License. See LICENSE.

import MSALServer
import MSALStoreConformance
import Synchronization

/// A store that counts the questions, and stops answering when a row says so.
final class WatchedStore: MSALDistributedTokenStore {
    enum Mode {
        case answering
        /// Each question is answered with an error.
        case failing
        /// No question is answered before its caller gives up.
        case silent
    }

    private struct Failure: Error {}

    private struct State {
        var mode = Mode.answering
        var asked = 0
        var answered = 0
        var written = 0
        var leases = 0
    }

    private let store: any MSALDistributedTokenStore
    private let state = Mutex(State())

    /// `store`: where the values are; in this process unless another one is given.
    init(_ store: any MSALDistributedTokenStore = MSALMemoryStore(prefix: "msal:1:")) {
        self.store = store
    }

    var prefix: String { store.prefix }

    var mode: Mode {
        get { state.withLock { $0.mode } }
        set { state.withLock { $0.mode = newValue } }
    }

    var asked: Int { state.withLock { $0.asked } }
    /// The reads that the store has answered.
    var answered: Int { state.withLock { $0.answered } }
    /// The values that the store has taken.
    var written: Int { state.withLock { $0.written } }
    /// The questions for a lease.
    var leases: Int { state.withLock { $0.leases } }

    private func ask() async throws {
        let mode = state.withLock { state in
            state.asked += 1
            return state.mode
        }
        switch mode {
        case .answering: return
        case .failing: throw Failure()
        case .silent:
            try await Task.sleep(for: .seconds(3600))
            throw Failure()
        }
    }

    func read(_ names: [MSALStoreName]) async throws -> [MSALStoreEntry?] {
        try await ask()
        let entries = try await store.read(names)
        state.withLock { $0.answered += 1 }
        return entries
    }

    func write(
        _ value: [UInt8],
        to name: MSALStoreName,
        expiresIn: Duration,
        if condition: MSALWriteCondition,
        lease: (any MSALStoreLease)?
    ) async throws -> Bool {
        try await ask()
        let isWritten = try await store.write(value, to: name, expiresIn: expiresIn, if: condition, lease: lease)
        if isWritten { state.withLock { $0.written += 1 } }
        return isWritten
    }

    func remove(_ names: [MSALStoreName]) async throws {
        try await ask()
        try await store.remove(names)
    }

    func removeAll(in partition: MSALStorePartition) async throws {
        try await ask()
        try await store.removeAll(in: partition)
    }

    func lease(on name: MSALStoreName, for duration: Duration) async throws -> (any MSALStoreLease)? {
        state.withLock { $0.leases += 1 }
        try await ask()
        return try await store.lease(on: name, for: duration)
    }

    func release(_ lease: any MSALStoreLease) async throws {
        try await ask()
        try await store.release(lease)
    }
}
