// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB
import MSALBase
import Synchronization

/// A snapshot of the keys of one store. It is replaced as a whole.
///
/// Data keys, which seal the rows, are rotated. The blind indexes have a separate random key, wrapped in the same way,
/// that never changes. If it were derived from the data key, every rotation would have to rewrite all indexes at once,
/// or look up each text under two keys. Keeping it is safe: random nonces limit the number of values that a key may
/// seal, but HMAC has no nonces.
struct KeyRing: Sendable {
    /// The store's random identifier.
    let store: String
    let provider: KeyLocation
    /// Increases with every change of the store's keys. A ring of another generation must not be used.
    let generation: Int64
    private(set) var index: BlindIndex = .unkeyed
    private(set) var keys: [String: SealingKey] = [:]
    /// The key for new rows; `nil` in a store without encryption.
    private(set) var active: SealingKey?
    /// The row of the active key.
    private(set) var activeRow: StoredKeys.Row?
    /// Data keys with rows that still have to be resealed with the active key.
    private(set) var retiring: Set<String> = []
    /// Shows whether the file has exactly these keys; `nil` in a store without encryption.
    let mac: StoreMAC?
    private var indexID: String?
    let health: Health
    /// Blind indexes of known terms. They were computed with `index` and do not outlive its key.
    let knownTerms = BlindIndexCache()

    /// Opens the keys of a store.
    ///
    /// `key`: The store's wrapping key, which has verified `stored`; `nil` without encryption.
    ///
    /// - Throws: `.keyUnavailable` only if memory is exhausted.
    init(_ stored: StoredKeys, key: WrappingKey?) throws(StoreError) {
        self.init(stored, mac: key?.mac, health: Health())
        guard let key else { return }
        for row in stored.rows where row.wrappedBy == key.id {
            if let root = key.unwrap(row.wrapped, id: row.id) { try add(row, root: root) }
        }
    }

    /// Collects every key that can be unwrapped, only for reading. The purposes stated in the rows are not verified. A
    /// wrong guess does no harm because a key that opens a row is the right one.
    ///
    /// `names`: The key names in the rows. One of them may belong to a key whose own name was lost.
    init(reading stored: StoredKeys, key: WrappingKey, alsoNamed names: [String]) throws(StoreError) {
        self.init(stored, mac: nil, health: Health())
        let nameless = names.filter { name in !stored.rows.contains { $0.id == name } }
        for row in stored.rows {
            for id in [row.id] + nameless {
                guard let root = key.unwrap(row.wrapped, id: id) else { continue }
                let opened = StoredKeys.Row(
                    id: id,
                    wrappedBy: key.id,
                    wrapped: row.wrapped,
                    state: .active,
                    created: row.created,
                    since: row.since
                )
                try add(opened, root: root)
                break
            }
        }
    }

    private init(_ stored: StoredKeys, mac: StoreMAC?, health: Health) {
        store = stored.store
        provider = stored.wrapping.provider
        generation = stored.generation
        self.mac = mac
        self.health = health
    }

    /// Whether rows can be read and written.
    var isComplete: Bool { provider == .none || (active != nil && indexID != nil) }

    /// Adds a key that was unwrapped from its row.
    private mutating func add(_ row: StoredKeys.Row, root: KeyMaterial) throws(StoreError) {
        switch row.state {
        case .index:
            guard let key = root.subkey(.index) else { throw WrappingKey.outOfMemory }
            index = .keyed(key)
            indexID = row.id
        case .active, .retiring:
            guard let key = SealingKey(id: row.id, root: root, purpose: .seal) else { throw WrappingKey.outOfMemory }
            add(key, of: row)
        case nil:
            break
        }
    }

    /// The ring for a later state of the same store; `nil` if that state has keys that this ring lacks, or another
    /// wrapping key, without which the rest cannot be verified.
    func renewed(_ stored: StoredKeys) -> KeyRing? {
        guard stored.store == store, stored.wrapping.provider == provider, mac?.vouches(for: stored) ?? true else {
            return nil
        }
        var ring = KeyRing(stored, mac: mac, health: health)
        for row in stored.rows where row.wrappedBy == stored.wrapping.id && row.state != nil {
            if row.state == .index {
                guard row.id == indexID else { return nil }
                ring.index = index
                ring.indexID = indexID
            } else {
                guard let key = keys[row.id] else { return nil }
                ring.add(key, of: row)
            }
        }
        return ring.isComplete ? ring : nil
    }

    private mutating func add(_ key: SealingKey, of row: StoredKeys.Row) {
        keys[row.id] = key
        if row.state == .active {
            active = key
            activeRow = row
        } else {
            retiring.insert(row.id)
        }
    }

    func seal(
        _ plain: Data,
        in table: SealContext.Table,
        row: Data,
        kind: Int = 0
    ) throws(StoreError) -> (keyID: String?, sealed: Data) {
        guard let active else { return (nil, plain) }
        return (active.id, try active.seal(plain, for: context(table, row: row, kind: kind, keyID: active.id)))
    }

    /// The payload of a row; `nil` if the row is damaged, was moved, or was sealed with a key that the store does not
    /// have.
    func open(_ sealed: Data, keyID: String?, in table: SealContext.Table, row: Data, kind: Int = 0) -> Data? {
        // A plain row in an encrypted store was written by another program.
        guard (keyID == nil) == (active == nil) else { return nil }
        guard let keyID else { return sealed }
        let context = context(table, row: row, kind: kind, keyID: keyID)
        guard let plain = keys[keyID]?.open(sealed, for: context) else { return nil }
        health.noteReadable()
        return plain
    }

    private func context(_ table: SealContext.Table, row: Data, kind: Int, keyID: String) -> SealContext {
        SealContext(store: store, table: table, row: row, kind: kind, keyID: keyID)
    }
}

extension KeyRing {
    /// Tracks whether rows could be opened since the store was opened, to distinguish a damaged row from a wrong key
    /// (docs/reference/Store.md#unreadable-rows).
    final class Health: Sendable {
        private let hasReadable = Atomic(false)
        private let hasReported = Atomic(false)

        /// Whether any row could be opened. If so, the key is right and the unreadable rows are damaged.
        var isKeyRight: Bool { hasReadable.load(ordering: .relaxed) }

        func noteReadable() { if !isKeyRight { hasReadable.store(true, ordering: .relaxed) } }

        /// Logs one warning that some rows cannot be read.
        func reportUnreadable(in file: String) {
            guard !hasReported.exchange(true, ordering: .relaxed) else { return }
            Log.warning(
                """
                Rows of the token store \(file) cannot be read (rowUnreadable): they are damaged, or were moved. They \
                are kept but not used. `msal cache stats` counts them.
                """
            )
        }
    }
}

extension KeyRing {
    /// Opens a row; `nil` if it is missing or damaged.
    func open(_ row: SealedRow?, in table: SealContext.Table, kind: Int = 0) -> Data? {
        guard let row else { return nil }
        return open(row.sealed, keyID: row.keyID, in: table, row: row.id, kind: kind)
    }

    /// Opens a row with the columns `id`, `key_id`, and `sealed`.
    ///
    /// A flipped bit in a row's header can empty a column, and SQLite reports nothing. Such a row is unreadable.
    func open(_ row: Row, in table: SealContext.Table, kind: Int = 0) -> Data? {
        do {
            let keyID = try row.decode(String?.self, forColumn: "key_id")
            let id = try row.decode(Data.self, forColumn: "id")
            return open(try row.decode(forColumn: "sealed"), keyID: keyID, in: table, row: id, kind: kind)
        } catch {
            return nil
        }
    }
}

/// A row as stored in the file.
struct SealedRow: Sendable {
    let id: Data
    /// The key that sealed it; `nil` in a store without encryption.
    let keyID: String?
    let sealed: Data
}

extension SealedRow {
    /// Reads a row whose first columns are `id`, `key_id`, and `sealed`, in this order; `nil` if one of them is
    /// damaged.
    init?(leading row: RawRow) {
        guard let id = row.data(0), let sealed = row.data(2) else { return nil }
        let keyID = row.text(1)
        guard keyID != nil || row.isNull(1) else { return nil }
        self.init(id: id, keyID: keyID, sealed: sealed)
    }
}
