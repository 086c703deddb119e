// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import MSALSupport
import SealedStore
import Synchronization

// What is in the way of a sign-in that should last, found by trying.
extension CacheTarget {
    /// Opens the store, or for one that is not there yet asks for the key that the first sign-in would make there.
    /// Nothing is changed, and nobody is asked to unlock anything.
    ///
    /// - Returns: Where the key of a new store would be, `nil` for a store that is there.
    /// - Throws: Why that fails, with the remedy; `.keyUnavailable` above all.
    func tryKey() throws(StoreError) -> KeyProviderKind? {
        guard !exists else {
            try store.prepare(KeyPatience(), for: .reading)
            return nil
        }
        guard let provider = try keys.providerForNewStore(KeyPatience()) else { return KeyProviderKind.none }
        let directory = location.directory
        let group = URL(filePath: directory).lastPathComponent
        let name = KeyName(group: group, store: "trial", keyID: "trial", directory: directory)
        _ = try provider.key(name, patience: KeyPatience())
        return provider.kind
    }

    /// Writes something that nobody sees: it is gone again at the end of the same transaction. A store that is not there
    /// is made, as the sign-in should have.
    ///
    /// - Throws: Why the store takes nothing.
    func tryWriting() throws(StoreError) {
        let note = RefreshLease(name: "trial", holder: "trial", until: SystemTime().now)
        try store.write(.full) { (transaction) throws(StoreError) in
            try transaction.saveLease(note)
            try transaction.deleteLease(note.name)
        }
    }

    /// Fails where a sign-in of the command would not outlive it, before anybody is sent to a browser for nothing. The
    /// desktop may ask for the password of a locked keyring, as the sign-in may.
    ///
    /// - Throws: `Failure` with the status of the store's error; `CancellationError` if the task was cancelled meanwhile.
    static func checkThatSignInsLast(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) async throws {
        let isCanceled = Mutex(false)
        let trial = { @Sendable () throws(Failure) in
            let target = try CacheTarget(group: Settings.applicationID, environment: environment)
            let patience = KeyPatience(mayPrompt: true, isCanceled: { isCanceled.withLock { $0 } })
            try target.run { (store) throws(StoreError) in
                try store.prepare(patience, for: .writing)
                try target.tryWriting()
            }
        }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // A thread of its own: a person may take a minute for the password.
                Thread.detachNewThread { continuation.resume(returning: Result(catching: trial)) }
            }
        } onCancel: {
            isCanceled.withLock { $0 = true }
        }
        try Task.checkCancellation()
        guard case .failure(let failure) = outcome else { return }
        throw Failure.wouldNotLast(failure)
    }

    /// Why sign-ins of the command do not outlive it, in words; `nil` if now they would.
    static func refusal(environment: [String: String] = ProcessInfo.processInfo.environment) -> String? {
        do throws(Failure) {
            let target = try CacheTarget(group: Settings.applicationID, environment: environment)
            try target.run { (_) throws(StoreError) in try target.tryWriting() }
            return nil
        } catch {
            return error.message
        }
    }
}
