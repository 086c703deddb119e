// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALSupport
package import SealedStore
import Synchronization

/// A store that holds in memory what the one beneath could not be given: on a full disk, in a read-only home
/// (docs/reference/Store.md#read-only and #disk-full).
///
/// Everything goes to the store beneath first. Only token responses may stay in memory; they are written by the first
/// transaction that succeeds again, each with the checks it would have met at its time.
package final class OverlayStore: TokenStore {
    private let base: any TokenStore
    private let state = Mutex(OverlayMemory())
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
        return try counterBeneath() &+ own << 48
    }

    package func read<R: Sendable>(
        _ body: (any TokenStoreReading) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        if state.withLock(\.kept.isEmpty) {
            return try alone { () throws(StoreError) in
                try base.read(body)
            } or: { () throws(StoreError) in
                try body(OverlayTransaction(nil, OverlayChanges()))
            }
        }
        return try overlaid { (transaction, _) throws(StoreError) in try body(transaction) }
    }

    package func write<R: Sendable>(
        _ durability: Durability,
        body: (any TokenStoreWriting) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        try writing.withLock { _ throws(StoreError) -> R in
            try writeOldest()
            let kept = state.withLock(\.kept)
            guard !kept.isEmpty else { return try base.write(durability, body: body) }
            let (result, dropped) = try base.write(.full) { (transaction) throws(StoreError) -> (R, Int) in
                let filed = try kept.current(in: transaction).replay(in: transaction)
                return (try body(transaction), kept.count - filed.count)
            }
            state.withLock { $0.clear() }
            Log.info("The token store can be written again; what was in memory is in it now.")
            note(dropped: dropped)
            return result
        }
    }

    /// What waits in memory goes whatever becomes of the store beneath.
    package func wipe() throws(StoreError) {
        try writing.withLock { _ throws(StoreError) in
            state.withLock { $0.clear() }
            try base.wipe()
        }
    }

    package func statistics(now: Date) throws(StoreError) -> StoreStatistics {
        try base.statistics(now: now)
    }

    /// Files a token response; in memory if the store beneath cannot be written now.
    ///
    /// - Throws: What is not a matter of space or rights, and what `filing` throws.
    func file(_ filing: ResponseFiling, _ durability: Durability) throws(StoreError) -> TokenSaved {
        do throws(StoreError) {
            return try write(durability, body: filing.file)
        } catch {
            guard error.leavesMemory else { throw error }
            warn(error)
            return try keep(filing)
        }
    }

    /// One of several that wait, to see whether there is space: the attempt costs the same however many they are.
    private func writeOldest() throws(StoreError) {
        let kept = state.withLock(\.kept)
        guard kept.count > 1 else { return }
        let (rest, dropped) = try base.write(.full) { (transaction) throws(StoreError) -> ([KeptResponse], Int) in
            let current = try kept.current(in: transaction)
            let isFiled = try current.first?.replay(in: transaction) ?? false
            let rest = try current.dropFirst().map { (response) throws(StoreError) in try response.noting(transaction) }
            return (rest, kept.count - rest.count - (isFiled ? 1 : 0))
        }
        state.withLock { $0.goOn(with: rest) }
        note(dropped: dropped)
    }

    private func keep(_ filing: ResponseFiling) throws(StoreError) -> TokenSaved {
        try writing.withLock { _ throws(StoreError) -> TokenSaved in
            let (saved, kept) = try overlaid {
                (transaction, beneath) throws(StoreError) -> (TokenSaved, (KeptResponse, OverlayChanges, Int64)?) in
                let response = try KeptResponse(filing, over: transaction)
                let saved = try filing.file(transaction)
                // Where nothing can be read, whether the refresh token is still there shows later.
                guard saved.isPersisted || transaction.base == nil else { return (saved, nil) }
                return (saved, (response, transaction.changes, beneath))
            }
            if let (response, changes, beneath) = kept {
                state.withLock { $0.keep(response, changes: changes, beneath: beneath) }
            }
            return saved.inMemory
        }
    }

    private func counterBeneath() throws(StoreError) -> Int64 {
        try alone { () throws(StoreError) in
            try base.changeCounter()
        } or: {
            0
        }
    }

    /// `body`: Gets a transaction above the store beneath, and the counter of that.
    private func overlaid<R: Sendable>(
        _ body: (OverlayTransaction, _ beneath: Int64) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        // Asked before the store is read: what is committed in between is looked at again the next time.
        let beneath = try counterBeneath()
        return try alone { () throws(StoreError) in
            try base.read { (reading) throws(StoreError) in
                try body(OverlayTransaction(reading, try changes(over: reading, at: beneath)), beneath)
            }
        } or: { () throws(StoreError) in
            try body(OverlayTransaction(nil, try changes(over: nil, at: beneath)), beneath)
        }
    }

    private func changes(
        over reading: (any TokenStoreReading)?,
        at beneath: Int64
    ) throws(StoreError) -> OverlayChanges {
        let view = try state.withLock(\.self).view(over: reading, at: beneath)
        if reading != nil { note(dropped: state.withLock { $0.adopt(view) }) }
        return view.changes
    }

    private func note(dropped: Int) {
        guard dropped > 0 else { return }
        Log.info("Tokens kept in memory are dropped: their account was signed out or in by another process.")
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

extension StoreError {
    /// Whether reading fails because the store would have to be mended and the place does not allow it.
    fileprivate var hidesStore: Bool { kind != .busy && leavesMemory }

    /// Whether the place refuses what memory can take: no space, no right to write, another process in the way.
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

extension TokenSaved {
    /// The same records, said not to be on disk.
    fileprivate var inMemory: TokenSaved {
        TokenSaved(isPersisted: false, accessToken: accessToken, idToken: idToken, account: account)
    }
}
