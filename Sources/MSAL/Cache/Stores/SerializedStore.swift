// Licensed under the MIT License. See LICENSE.

private import Crypto
import Foundation
import MSALBase
package import SealedStore
import Synchronization

/// A store in memory whose contents the app itself loads and saves, as text in the unified schema.
///
/// Accesses are serialized. Before each access, the app may provide newer text; after an access that changed the
/// contents, it may fetch the text. The text is only created on request of the app because it contains the records of
/// all users, while an access changes those of one account. Items that are never exported (sign-in states, key-bound
/// tokens) last as long as the process.
package final class SerializedStore: TokenStore {
    /// The app's callbacks. An error that the app throws ends the access.
    package struct Hooks: Sendable {
        var willAccess: @Sendable (SerializedStore) throws -> Void
        var didAccess: @Sendable (SerializedStore) throws -> Void
        var willWrite: @Sendable (SerializedStore) throws -> Void
        /// Called after a write, only if the access changed something.
        var didWrite: @Sendable (SerializedStore) throws -> Void
    }

    private let memory = MemoryStore()
    private let known = Mutex(Known())
    private let hooks: Hooks
    private let maximumSize: Int
    /// Held for a whole access, including the app's callbacks: they use `memory` and `known`, which have separate
    /// locks.
    private let access = Mutex(())

    private struct Known: Sendable {
        /// The text that the app last provided or fetched.
        var text: TextFingerprint?
        /// Whether the contents have changed since the app last fetched the text.
        var hasChanged = false
    }

    /// Creates an empty store.
    ///
    /// `maximumSize`: The maximum size of a text in bytes; see ``deserialize(_:)``.
    init(hooks: Hooks, maximumSize: Int = CacheDocument.maximumSize) {
        self.hooks = hooks
        self.maximumSize = maximumSize
    }

    /// Whether the contents have changed since the last call of ``serialized()`` or ``deserialize(_:)``.
    var hasChanged: Bool { known.withLock(\.hasChanged) }

    /// The contents as UTF-8 text in the unified schema.
    func serialized() throws(StoreError) -> Data {
        // The flag is cleared before the text is created, so that a concurrent change sets it again.
        let before = known.withLock { known in
            defer { known.hasChanged = false }
            return known
        }
        do throws(StoreError) {
            let text = try memory.exportedCache()
            known.withLock { $0.text = TextFingerprint(text) }
            return text
        } catch {
            if before.hasChanged { known.withLock { $0.hasChanged = true } }
            throw error
        }
    }

    /// Replaces the contents with those of a text. A text that is already known only costs a comparison. Records that
    /// have not changed are not saved again.
    ///
    /// - Throws: ``InterchangeError`` if the text is invalid; nothing changes then.
    func deserialize(_ text: Data) throws {
        let mark = TextFingerprint(text)
        guard known.withLock({ $0.text != mark }) else { return }
        let document = try CacheDocument(parsing: text, maximumSize: maximumSize)
        try memory.write(.normal) { (transaction) throws(StoreError) in try transaction.takeOver(document) }
        known.withLock { $0 = Known(text: mark) }
    }

    package var isPrepared: Bool { true }

    package func prepare(_ keyAccess: KeyAccessOptions, for use: StoreUse) throws(StoreError) {}

    package func changeCounter() throws(StoreError) -> Int64 {
        try accessing { () throws(StoreError) in try memory.changeCounter() }
    }

    package func read<R: Sendable>(_ body: (any TokenStoreReading) throws(StoreError) -> R) throws(StoreError) -> R {
        try accessing { () throws(StoreError) in try memory.read(body) }
    }

    package func write<R: Sendable>(
        _ durability: Durability,
        body: (any TokenStoreWriting) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        try accessing { () throws(StoreError) -> R in
            try call(hooks.willWrite, failingAs: .unreadable)
            let (result, changesExport) = try memory.transact(body, then: \.changesExport)
            let hasChanged = known.withLock { known in
                if changesExport { known.hasChanged = true }
                return known.hasChanged
            }
            if hasChanged { try call(hooks.didWrite, failingAs: .unwritable) }
            return result
        }
    }

    private func accessing<R: Sendable>(_ body: () throws(StoreError) -> R) throws(StoreError) -> R {
        let endWait = CallTimer.begin(.store)
        defer { endWait() }
        return try access.withLock { (_) throws(StoreError) -> R in
            try call(hooks.willAccess, failingAs: .unreadable)
            let result = try body()
            try call(hooks.didAccess, failingAs: .unwritable)
            return result
        }
    }

    private func call(
        _ hook: @Sendable (SerializedStore) throws -> Void,
        failingAs kind: StoreError.Kind
    ) throws(StoreError) {
        do {
            try hook(self)
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

/// A short fingerprint to recognize a text. Keeping the text would take as much memory as the records.
///
/// Two texts of one process with the same fingerprint are equal except with a probability of 2^-100: the fingerprint is
/// a message authentication code (GMAC, NIST SP 800-38D) under a key that never leaves the process. It is computed as
/// fast as memory is read. The nonce may be reused for many texts because no fingerprint is ever revealed.
private struct TextFingerprint: Sendable, Hashable {
    private let length: Int
    /// `nil` if the text is too long for the algorithm. Such a text is never recognized.
    private let code: Data?

    private static let key = SymmetricKey(size: .bits256)
    private static let nonce = AES.GCM.Nonce()

    init(_ text: Data) {
        length = text.count
        // The only failure is a text beyond the algorithm's limit.
        code = try? AES.GCM.seal(Data(), using: Self.key, nonce: Self.nonce, authenticating: text).tag
    }

    static func == (left: Self, right: Self) -> Bool {
        left.length == right.length && left.code != nil && left.code == right.code
    }
}

extension TokenStoreWriting {
    /// Replaces everything that a text in the unified schema can contain with the document. Sign-in states and
    /// key-bound tokens stay, and unchanged records are not saved again.
    fileprivate func takeOver(_ document: CacheDocument) throws(StoreError) {
        for kind in RecordKind.allCases {
            for record in try records(RecordFilter(kind)) where CacheSection(record)?.isExported == true {
                if document.record(record.identity) == nil { try delete(record.identity) }
            }
        }
        for record in document.records {
            let held = try self.record(record.identity)
            // A stored record that is never exported is not replaced by the text.
            let isOurs = held.flatMap(CacheSection.init)?.isExported == false
            let taken = isOurs ? held.map(record.merged(with:)) ?? record : record
            if taken != held { try save(taken) }
        }
        let names = Set(document.extras.map { [$0.section, $0.name] })
        let held = try extras()
        for item in held where !names.contains([item.section, item.name]) {
            try deleteExtra(section: item.section, name: item.name)
        }
        for item in Set(document.extras).subtracting(held) { try saveExtra(item) }
    }
}
