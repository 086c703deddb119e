// Licensed under the MIT License. See LICENSE.

private import Crypto
import Foundation
package import SealedStore
import Synchronization

/// A store in memory whose contents the app loads and saves itself, as text in the unified schema.
///
/// Accesses happen one after the other. Before each access the app may bring newer text, and after an access that changed
/// the contents it may fetch the text. No text is made unless the app asks for it: a text has everybody's records, while
/// an access changes those of one account. Items that are never exported (sign-in states, key-bound tokens) live as long as
/// the process.
package final class SerializedStore: TokenStore {
    /// The moments at which the app is called. An error that the app throws ends the access.
    package struct Hooks: Sendable {
        var willAccess: @Sendable (SerializedStore) throws -> Void
        var didAccess: @Sendable (SerializedStore) throws -> Void
        var willWrite: @Sendable (SerializedStore) throws -> Void
        /// The call follows a write only if the access changed something.
        var didWrite: @Sendable (SerializedStore) throws -> Void
    }

    private let memory = MemoryStore()
    private let known = Mutex(Known())
    private let hooks: Hooks
    private let maximumSize: Int
    /// Held for a whole access, the app's calls included: they use `memory` and `known`, which have locks of their own.
    private let access = Mutex(())

    private struct Known: Sendable {
        /// The text that the app last gave or got.
        var text: TextMark?
        /// Whether the app has not fetched the text since the contents changed.
        var hasChanged = false
    }

    /// An empty store.
    ///
    /// `maximumSize`: The number of bytes that a text may have; see ``deserialize(_:)``.
    init(hooks: Hooks, maximumSize: Int = CacheDocument.maximumSize) {
        self.hooks = hooks
        self.maximumSize = maximumSize
    }

    /// Whether the contents changed since ``serialized()`` or ``deserialize(_:)`` were called.
    var hasChanged: Bool { known.withLock(\.hasChanged) }

    /// The contents as text in the unified schema; UTF-8.
    func serialized() throws(StoreError) -> Data {
        // The mark of a change is taken away before the text is made. A change that comes meanwhile sets it again.
        let before = known.withLock { known in
            defer { known.hasChanged = false }
            return known
        }
        do throws(StoreError) {
            let text = try memory.exportedCache()
            known.withLock { $0.text = TextMark(text) }
            return text
        } catch {
            if before.hasChanged { known.withLock { $0.hasChanged = true } }
            throw error
        }
    }

    /// Replaces the contents by those of a text. A text that is already known costs only a comparison. Records that are
    /// the same as before stay unchanged.
    ///
    /// - Throws: ``InterchangeError`` if it cannot be read; nothing changes then.
    func deserialize(_ text: Data) throws {
        let mark = TextMark(text)
        guard known.withLock({ $0.text != mark }) else { return }
        let document = try CacheDocument(parsing: text, maximumSize: maximumSize)
        try memory.write(.normal) { (transaction) throws(StoreError) in try transaction.takeOver(document) }
        known.withLock { $0 = Known(text: mark) }
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
        try access.withLock { (_) throws(StoreError) -> R in
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

/// A short mark by which a text is recognised. A kept text would need as much memory as the records.
///
/// Two texts of one process that have the same mark are the same text but for one case in 2^100: the mark is a message
/// authentication code (GMAC, NIST SP 800-38D) under a key that never leaves the process. The code is as fast as memory
/// is read. A nonce may serve many texts because nobody sees a mark.
private struct TextMark: Sendable, Hashable {
    private let length: Int
    /// `nil` if the text is too long for the algorithm. Such a text is never known.
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
    /// Makes the document the whole of what a text in the unified schema can hold. Sign-in states and key-bound tokens
    /// stay, and what is the same as before is not saved again.
    fileprivate func takeOver(_ document: CacheDocument) throws(StoreError) {
        for kind in RecordKind.allCases {
            for record in try records(RecordFilter(kind)) where CacheSection(record)?.isExported == true {
                if document.record(record.identity) == nil { try delete(record.identity) }
            }
        }
        for record in document.records {
            let held = try self.record(record.identity)
            // A held record that no text has is not replaced by the text.
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
