// Licensed under the MIT License. See LICENSE.

import Foundation
import Synchronization

/// A store that holds in memory what the one beneath could not be given: on a full disk, in a read-only home
/// (token-store-linux.md R33, R35).
///
/// Everything goes to the store beneath first. Only token responses may stay in memory; they are written by the first
/// transaction that succeeds again, each with the checks it would have met at its time.
package final class OverlayStore: TokenStore {
    /// Files one token response. Runs once for each attempt.
    package typealias Filing = @Sendable (any TokenStoreWriting) throws(StoreError) -> TokenSaved

    private struct Kept: Sendable {
        let subject: String
        let file: Filing
    }

    private struct State {
        var changes = OverlayChanges()
        var kept: [Kept] = []
        var counter: Int64 = 0
        var hasWarned = false
    }

    private let base: any TokenStore
    private let state = Mutex(State())
    /// One writer at a time, so that what is kept is written once.
    private let writing = Mutex(())

    /// `base`: The store on disk.
    package init(over base: any TokenStore) {
        self.base = base
    }

    /// How many token responses wait in memory to be written.
    package var keptCount: Int { state.withLock { $0.kept.count } }

    package var isPrepared: Bool { base.isPrepared }

    package func prepare(_ patience: KeyPatience, for use: StoreUse) throws(StoreError) {
        do throws(StoreError) {
            try base.prepare(patience, for: use)
        } catch {
            guard error.leavesMemory else { throw error }
            warn(error)
        }
    }

    package func changeCounter() throws(StoreError) -> Int64 {
        let own = state.withLock(\.counter)
        return try alone { () throws(StoreError) in
            try base.changeCounter()
        } or: {
            0
        } &+ own << 48
    }

    package func read<R: Sendable>(
        _ body: (any TokenStoreReading) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        let changes = state.withLock(\.changes)
        if changes.isEmpty {
            return try alone { () throws(StoreError) in
                try base.read(body)
            } or: { () throws(StoreError) in
                try body(OverlayTransaction(nil, changes))
            }
        }
        return try overlaid(changes) { (transaction) throws(StoreError) in try body(transaction) }
    }

    package func write<R: Sendable>(
        _ durability: Durability,
        _ body: (any TokenStoreWriting) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        try writing.withLock { _ throws(StoreError) -> R in
            try writeOldest()
            let kept = state.withLock(\.kept)
            let result = try base.write(kept.isEmpty ? durability : .full) { (transaction) throws(StoreError) -> R in
                for response in kept { _ = try response.file(transaction) }
                return try body(transaction)
            }
            guard !kept.isEmpty else { return result }
            state.withLock {
                $0.changes = OverlayChanges()
                $0.kept = []
                $0.counter += 1
                $0.hasWarned = false
            }
            Log.info("The token store can be written again; what was in memory is in it now.")
            return result
        }
    }

    package func statistics(now: Date) throws(StoreError) -> StoreStatistics {
        try base.statistics(now: now)
    }

    /// Files a token response; in memory if the store beneath cannot be written now.
    ///
    /// `subject`: What the response is about. A later one about the same takes its place.
    ///
    /// - Throws: What is not a matter of space or rights, and what `file` throws.
    package func file(
        _ subject: String,
        _ durability: Durability,
        _ file: @escaping Filing
    ) throws(StoreError) -> TokenSaved {
        do throws(StoreError) {
            return try write(durability, file)
        } catch {
            guard error.leavesMemory else { throw error }
            warn(error)
            return try keep(Kept(subject: subject, file: file))
        }
    }

    /// One of several that wait, to see whether there is space: the attempt costs the same however many they are.
    private func writeOldest() throws(StoreError) {
        let kept = state.withLock(\.kept)
        guard kept.count > 1, let oldest = kept.first else { return }
        try base.write(.full) { (transaction) throws(StoreError) in _ = try oldest.file(transaction) }
        state.withLock { _ = $0.kept.removeFirst() }
    }

    private func keep(_ response: Kept) throws(StoreError) -> TokenSaved {
        try writing.withLock { _ throws(StoreError) -> TokenSaved in
            let before = state.withLock(\.changes)
            let (saved, changes) = try overlaid(before) {
                (transaction) throws(StoreError) -> (TokenSaved, OverlayChanges) in
                let saved = try response.file(transaction)
                return (saved, transaction.changes)
            }
            state.withLock {
                $0.changes = changes
                $0.kept.removeAll { $0.subject == response.subject }
                $0.kept.append(response)
                $0.counter += 1
            }
            return saved.inMemory
        }
    }

    private func overlaid<R: Sendable>(
        _ changes: OverlayChanges,
        _ body: (OverlayTransaction) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        try alone { () throws(StoreError) in
            try base.read { (reading) throws(StoreError) in try body(OverlayTransaction(reading, changes)) }
        } or: { () throws(StoreError) in
            try body(OverlayTransaction(nil, changes))
        }
    }

    /// Does without the store beneath where it cannot even be mended.
    private func alone<R>(
        _ work: () throws(StoreError) -> R,
        or substitute: () throws(StoreError) -> R
    ) throws(StoreError) -> R {
        do throws(StoreError) {
            return try work()
        } catch {
            guard error.hidesStore else { throw error }
            warn(error)
            return try substitute()
        }
    }

    /// Once until the store can be written again.
    private func warn(_ error: StoreError) {
        let isFirst = state.withLock { state in
            defer { state.hasWarned = true }
            return !state.hasWarned
        }
        if isFirst { Log.warning("New tokens stay in memory, for this process alone: \(error.message)") }
    }
}

extension TokenStore {
    /// Files a token response; where the store has memory for that, also if it cannot be written now.
    ///
    /// `subject`: See ``OverlayStore/file(_:_:_:)``.
    func fileResponse(
        about subject: String,
        _ durability: Durability,
        _ file: @escaping OverlayStore.Filing
    ) throws(StoreError) -> TokenSaved {
        guard let overlay = self as? OverlayStore else { return try write(durability, file) }
        return try overlay.file(subject, durability, file)
    }
}

extension StoreError {
    /// Whether reading fails because the store would have to be mended and the place does not allow it.
    fileprivate var hidesStore: Bool { kind != .busy && leavesMemory }

    /// Whether the place refuses what memory can take: no space, no right to write, another process in the way.
    fileprivate var leavesMemory: Bool {
        switch kind {
        case .unwritable, .full, .busy, .unsupportedFilesystem: true
        case .unreadable, .corrupt, .foreign, .tooNew, .keyUnavailable, .insecure, .invalidLocation, .noHome: false
        }
    }
}

extension TokenSaved {
    /// The same records, said not to be on disk.
    fileprivate var inMemory: TokenSaved {
        TokenSaved(isPersisted: false, accessToken: accessToken, idToken: idToken, account: account)
    }
}
