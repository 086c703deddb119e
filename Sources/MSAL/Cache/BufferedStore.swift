// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
package import SealedStore
import Synchronization

/// A store that keeps token responses in memory while the underlying store is not writable: on a full disk, or in a
/// read-only home directory (docs/reference/Store.md#read-only and #disk-full).
///
/// Everything is first written to the underlying store. If that fails, the response waits in a list. The next
/// successful write also writes the list. Each waiting response is checked again before it is written, as if it were
/// written when it arrived. Until then, this process reads the store as if it contained the responses.
package final class BufferedStore: TokenStore {
    private let base: any TokenStore
    /// Locked before any lock of the underlying store.
    private let state = Mutex(State())
    /// The counter of the state, for cache hits, all of which read it concurrently.
    private let counter = Atomic<Int64>(0)

    /// `base`: The store on disk.
    package init(over base: any TokenStore) { self.base = base }

    /// The number of token responses that are waiting to be written.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    package var isPrepared: Bool { base.isPrepared }

    package func prepare(_ keyAccess: KeyAccessOptions, for use: StoreUse) throws(StoreError) {
        do throws(StoreError) {
            try base.prepare(keyAccess, for: use)
        } catch {
            guard error.leavesMemory else { throw error }
            state.withLock { $0.warn(error) }
        }
    }

    package func changeCounter() throws(StoreError) -> Int64 {
        let own = counter.load(ordering: .acquiring)
        return try underlyingCounter { error in state.withLock { $0.warn(error) } } &+ own << 48
    }

    package func read<R: Sendable>(_ body: (any TokenStoreReading) throws(StoreError) -> R) throws(StoreError) -> R {
        if waitingCount > 0 { return try withState { (state) throws(StoreError) -> R in try read(with: &state, body) } }
        do throws(StoreError) {
            return try base.read(body)
        } catch {
            guard error.hidesStore else { throw error }
            state.withLock { $0.warn(error) }
            return try body(BufferTransaction(over: nil))
        }
    }

    package func write<R: Sendable>(
        _ durability: Durability,
        body: (any TokenStoreWriting) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        try withState { (state) throws(StoreError) in
            if !state.waiting.isEmpty { try writeWaiting(&state) }
        }
        return try base.write(durability, body: body)
    }

    /// Drops the waiting responses even if wiping the underlying store fails.
    package func wipe() throws(StoreError) {
        try withState { (state) throws(StoreError) in
            state.replaceWaiting(with: [])
            try base.wipe()
        }
    }

    /// Stores a token response, in memory if the underlying store is not writable.
    ///
    /// - Returns: Whether it is on disk.
    /// - Throws: Every failure except those that memory can compensate for, such as a full disk or missing write
    ///   permission.
    package func save(_ save: TokenSave, clientID: String) throws(StoreError) -> Bool {
        do throws(StoreError) {
            return try write(save.durability) { (transaction) throws(StoreError) in
                try transaction.store(save, clientID: clientID)
            }
        } catch {
            guard error.leavesMemory else { throw error }
            try withState { (state) throws(StoreError) in
                state.warn(error)
                try keep(save, clientID: clientID, in: &state)
            }
            return false
        }
    }

    /// Lets one thread at a time use the state, and publishes its changes to cache hits.
    private func withState<R, Failure: Error>(_ body: (inout State) throws(Failure) -> R) throws(Failure) -> R {
        try state.withLock { (state) throws(Failure) -> R in
            defer { counter.store(state.counter, ordering: .releasing) }
            return try body(&state)
        }
    }

    private func keep(_ save: TokenSave, clientID: String, in state: inout State) throws(StoreError) {
        let kept = try read(with: &state) {
            (transaction) throws(StoreError) -> (response: PendingResponse, changes: RecordChanges)? in
            let response = try PendingResponse(save, clientID: clientID, over: transaction)
            let isStored = try transaction.store(save, clientID: clientID)
            // If nothing can be read, a later transaction checks whether the refresh token still exists.
            return isStored || transaction.base == nil ? (response, transaction.changes) : nil
        }
        if let kept { state.add(kept.response, changes: kept.changes) }
    }

    /// Writes the waiting responses. Writes the first one separately to check whether there is space, so that the cost
    /// of a failed attempt does not depend on the number of waiting responses.
    private func writeWaiting(_ state: inout State) throws(StoreError) {
        for count in [1, Int.max] where !state.waiting.isEmpty {
            let waiting = state.waiting
            let (rest, dropped) = try base.write(.full) {
                (transaction) throws(StoreError) -> ([PendingResponse], Int) in
                let current = try waiting.current(in: transaction)
                var stored = 0
                for response in current.prefix(count) where try response.store(in: transaction) { stored += 1 }
                let rest = try current.dropFirst(count).map { (response) throws(StoreError) in
                    try response.noting(transaction)
                }
                return (rest, waiting.count - rest.count - stored)
            }
            state.replaceWaiting(with: rest)
            State.note(dropped: dropped)
        }
        state.hasWarned = false
        Log.info("The token store is writable again; the tokens that were kept in memory have been stored.")
    }

    /// Reads the underlying store, if possible, including the waiting responses.
    private func read<R: Sendable>(
        with state: inout State,
        _ body: (BufferTransaction) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        // The counter is read before the store, so that the next read notices a commit in between.
        let underlying = try underlyingCounter { state.warn($0) }
        do throws(StoreError) {
            return try base.read { (reading) throws(StoreError) in
                try body(try state.transaction(over: reading, at: underlying))
            }
        } catch {
            guard error.hidesStore else { throw error }
            state.warn(error)
            return try body(try state.transaction(over: nil, at: underlying))
        }
    }

    private func underlyingCounter(orWarn warn: (StoreError) -> Void) throws(StoreError) -> Int64 {
        do throws(StoreError) {
            return try base.changeCounter()
        } catch {
            guard error.hidesStore else { throw error }
            warn(error)
            return 0
        }
    }
}

/// The part of a ``BufferedStore`` that is in memory.
private struct State: Sendable {
    /// The waiting responses in order of arrival.
    private(set) var waiting: [PendingResponse] = []
    /// The changes that the waiting responses make to the underlying store, as of its counter `underlying`.
    private var changes = RecordChanges()
    /// `nil` if the changes must be computed again.
    private var underlying: Int64?
    /// Increases with every change of the list, but not when responses are dropped because the underlying store
    /// overtook them: its own counter changed in that case.
    private(set) var counter: Int64 = 0
    /// Whether the log has a warning that the store cannot be written.
    var hasWarned = false

    /// The underlying store with the waiting responses. Drops the responses that the store overtook.
    ///
    /// `reading`: `nil` if nothing can be read.
    mutating func transaction(
        over reading: (any TokenStoreReading)?,
        at underlying: Int64
    ) throws(StoreError) -> BufferTransaction {
        let state = [counter, underlying]
        if self.underlying == underlying { return BufferTransaction(over: reading, state: state, changes: changes) }
        let transaction = BufferTransaction(over: reading, state: state)
        var current = waiting
        if let reading { current = try current.current(in: reading) }
        var stored: [PendingResponse] = []
        for response in current where try response.store(in: transaction) { stored.append(response) }
        if reading != nil {
            Self.note(dropped: waiting.count - stored.count)
            waiting = stored
            changes = transaction.changes
            self.underlying = underlying
        }
        return transaction
    }

    /// Adds a response and drops those that it makes obsolete.
    ///
    /// `changes`: The changes of all waiting responses including this one.
    mutating func add(_ response: PendingResponse, changes: RecordChanges) {
        waiting.removeAll { response.supersedes($0) }
        waiting.append(response)
        self.changes = changes
        counter += 1
    }

    mutating func replaceWaiting(with rest: [PendingResponse]) {
        waiting = rest
        changes = RecordChanges()
        underlying = nil
        counter += 1
    }

    /// Logs a warning, only once until the store is writable again.
    mutating func warn(_ error: StoreError) {
        if !hasWarned { Log.warning("New tokens are only kept in the memory of this process: \(error.message)") }
        hasWarned = true
    }

    static func note(dropped: Int) {
        guard dropped > 0 else { return }
        Log.info("Tokens kept in memory are dropped: their account was signed out or in by another process.")
    }
}

extension StoreError {
    /// Whether a read fails because SQLite must first repair the files but cannot write to them. A busy store does not
    /// count: it can be read a moment later, so the caller gets its failure.
    fileprivate var hidesStore: Bool { kind != .busy && leavesMemory }

    /// Whether memory can compensate for the failure: no space, no write permission, or another process holds the
    /// store.
    fileprivate var leavesMemory: Bool {
        switch kind {
        case .unwritable, .full, .busy, .unsupportedFilesystem: true
        case .unreadable, .corrupt, .foreign, .tooNew, .tooOld, .unverified, .keyUnavailable, .insecure,
            .invalidKeyChoice, .invalidLocation,
            .noHome:
            false
        }
    }
}
