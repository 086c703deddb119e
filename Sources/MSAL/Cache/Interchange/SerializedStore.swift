// Licensed under the MIT License. See LICENSE.

import Foundation
package import SealedStore
import Synchronization

/// A store in memory whose contents the app loads and saves itself, as text in the unified schema.
///
/// Accesses happen one after the other. Before each access the app may bring newer text. After an access that changed
/// the text the app gets its error. Items that are never exported (sign-in states, key-bound tokens) live as long as
/// the process.
package final class SerializedStore: TokenStore {
    /// The moments at which the app is called. An error that the app throws ends the access.
    package struct Hooks: Sendable {
        package var willAccess: @Sendable (SerializedStore) throws -> Void
        package var didAccess: @Sendable (SerializedStore) throws -> Void
        package var willWrite: @Sendable (SerializedStore) throws -> Void
        /// Only after a change.
        package var didWrite: @Sendable (SerializedStore) throws -> Void

        package init(
            willAccess: @escaping @Sendable (SerializedStore) throws -> Void,
            didAccess: @escaping @Sendable (SerializedStore) throws -> Void,
            willWrite: @escaping @Sendable (SerializedStore) throws -> Void,
            didWrite: @escaping @Sendable (SerializedStore) throws -> Void
        ) {
            self.willAccess = willAccess
            self.didAccess = didAccess
            self.willWrite = willWrite
            self.didWrite = didWrite
        }
    }

    private let memory = MemoryStore()
    private let known = Mutex(Known())
    private let hooks: Hooks
    /// Held for a whole access, the app's calls included: they use `memory` and `known`, which have locks of their own.
    private let access = Mutex(())

    private struct Known: Sendable {
        /// The text that the app last gave or got.
        var text: Data?
        /// Whether the app has not fetched the text since it changed.
        var hasChanged = false
    }

    /// An empty store.
    package init(hooks: Hooks) {
        self.hooks = hooks
    }

    /// Whether the contents changed since ``serialized()`` or ``deserialize(_:)`` were called.
    package var hasChanged: Bool { known.withLock(\.hasChanged) }

    /// The contents as text in the unified schema; UTF-8.
    package func serialized() throws(StoreError) -> Data {
        let text = try memory.exportedCache()
        known.withLock { $0 = Known(text: text) }
        return text
    }

    /// Replaces the contents by those of a text. A text that is already known costs only a comparison.
    ///
    /// - Throws: ``InterchangeError`` if it cannot be read; nothing changes then.
    package func deserialize(_ text: Data) throws {
        guard known.withLock({ $0.text != text }) else { return }
        let document = try CacheDocument(parsing: text)
        try memory.write(.normal) { (transaction) throws(StoreError) in
            try transaction.deleteWhatIsExported()
            _ = try transaction.merge(document)
        }
        known.withLock { $0 = Known(text: text) }
    }

    package var isPrepared: Bool { true }

    package func prepare(_ patience: KeyPatience, for use: StoreUse) throws(StoreError) {}

    package func changeCounter() throws(StoreError) -> Int64 {
        try accessing { () throws(StoreError) in try memory.changeCounter() }
    }

    package func read<R: Sendable>(
        _ body: (any TokenStoreReading) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        try accessing { () throws(StoreError) in try memory.read(body) }
    }

    package func write<R: Sendable>(
        _ durability: Durability,
        body: (any TokenStoreWriting) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        try accessing { () throws(StoreError) -> R in
            try call(\.willWrite, failingAs: .unreadable)
            let result = try memory.write(durability, body: body)
            let text = try memory.exportedCache()
            let hasChanged = known.withLock { known in
                if known.text != text { known.hasChanged = true }
                return known.hasChanged
            }
            if hasChanged { try call(\.didWrite, failingAs: .unwritable) }
            return result
        }
    }

    private func accessing<R: Sendable>(_ body: () throws(StoreError) -> R) throws(StoreError) -> R {
        try access.withLock { (_) throws(StoreError) -> R in
            try call(\.willAccess, failingAs: .unreadable)
            let result = try body()
            try call(\.didAccess, failingAs: .unwritable)
            return result
        }
    }

    private func call(
        _ hook: KeyPath<Hooks, @Sendable (SerializedStore) throws -> Void>,
        failingAs kind: StoreError.Kind
    ) throws(StoreError) {
        do {
            try hooks[keyPath: hook](self)
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(
                kind,
                message: "The app could not load or save its token cache: \(error)",
                underlying: error
            )
        }
    }
}

extension TokenStoreWriting {
    /// Deletes everything that a text in the unified schema can hold. Sign-in states and key-bound tokens stay.
    fileprivate func deleteWhatIsExported() throws(StoreError) {
        for kind in RecordKind.allCases {
            for record in try records(RecordFilter(kind)) where CacheSection(record)?.isExported == true {
                try delete(record.identity)
            }
        }
        for item in try extras() { try deleteExtra(section: item.section, name: item.name) }
    }
}
