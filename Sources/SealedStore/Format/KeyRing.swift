// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB
import MSALBase
import Synchronization

/// The keys of one store as they were at one moment: a value that is replaced as a whole.
///
/// Rows are sealed with data keys that come and go. The blind indexes have a key of their own, random like the data
/// keys and wrapped beside them, that stays for the store's life. If it were derived from the data key, every rotation
/// would have to rewrite all indexes at once, or look up each text under two keys. It is safe to keep it: random
/// nonces limit the number of values that a key may seal, and HMAC has no nonces.
struct KeyRing: Sendable {
    /// The store's own random identifier.
    let store: String
    let provider: KeyLocation
    /// Grows with every change of the store's keys: a ring of another generation must not be used.
    let generation: Int64
    private(set) var index: BlindIndex = .unkeyed
    private(set) var keys: [String: SealingKey] = [:]
    /// The key of new rows; none in a store without encryption.
    private(set) var active: SealingKey?
    /// The row of the active key.
    private(set) var activeRow: StoredKeys.Row?
    /// Data keys that wait for their last rows to be sealed anew.
    private(set) var retiring: Set<String> = []
    /// Shows whether the file has these keys and no others; none in a store without encryption.
    let mac: StoreMAC?
    private var indexID: String?
    let health: Health
    /// The terms whose blind indexes are known. They were made with `index`, and they do not outlive its key.
    let knownTerms = KnownTerms()

    /// The keys of a store, opened.
    ///
    /// `key`: The store's wrapping key, with which `stored` was verified; `nil` without encryption.
    ///
    /// - Throws: `.keyUnavailable` only if no memory is left.
    init(_ stored: StoredKeys, key: WrappingKey?) throws(StoreError) {
        self.init(stored, mac: key?.mac, health: Health())
        guard let key else { return }
        for row in stored.rows where row.wrappedBy == key.id {
            if let root = key.unwrap(row.wrapped, id: row.id) { try add(row, root: root) }
        }
    }

    /// Every key that can be unwrapped, for reading alone. The purposes that the rows give them are not verified. A
    /// wrong guess does no harm, because a key that opens a row is the right one.
    ///
    /// `names`: The key names in the rows. One of them may belong to a key that lost its own name.
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
    /// wrapping key. Without that key the rest cannot be checked.
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

    /// The payload of a row. The result is `nil` if the row is damaged, was moved, or was closed by a key that is not among
    /// the store's.
    func open(_ sealed: Data, keyID: String?, in table: SealContext.Table, row: Data, kind: Int = 0) -> Data? {
        // A plain row in an encrypted store was written by somebody else.
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
    /// The results of opening rows since the store was opened. They decide between two verdicts: one row is damaged,
    /// or the key is wrong (docs/reference/Store.md#unreadable-rows).
    final class Health: Sendable {
        private let hasReadable = Atomic(false)
        private let hasReported = Atomic(false)

        /// Whether any row could be opened. Then the key is right, and the unreadable rows are damaged.
        var isKeyRight: Bool { hasReadable.load(ordering: .relaxed) }

        func noteReadable() {
            if !isKeyRight { hasReadable.store(true, ordering: .relaxed) }
        }

        /// Warns once that rows cannot be read.
        func reportUnreadable(in file: String) {
            guard !hasReported.exchange(true, ordering: .relaxed) else { return }
            Log.warning(
                """
                Rows of the token store \(file) cannot be read (rowUnreadable): they are damaged, or were moved. They \
                are kept and not served. `msal cache stats` counts them.
                """
            )
        }
    }
}

extension KeyRing {
    /// Opens a row. A damaged row, which is `nil` here, cannot be opened.
    func open(_ row: SealedRow?, in table: SealContext.Table, kind: Int = 0) -> Data? {
        guard let row else { return nil }
        return open(row.sealed, keyID: row.keyID, in: table, row: row.id, kind: kind)
    }

    /// Opens a row with the columns `id`, `key_id` and `sealed`.
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

/// A row as it is in the file.
struct SealedRow: Sendable {
    let id: Data
    /// The key that closed it; `nil` in a store without encryption.
    let keyID: String?
    let sealed: Data
}

extension SealedRow {
    /// Reads a row whose first columns are `id`, `key_id` and `sealed`, in this order; `nil` if one of them is damaged.
    init?(leading row: RawRow) {
        guard let id = row.data(0), let sealed = row.data(2) else { return nil }
        let keyID = row.text(1)
        guard keyID != nil || row.isNull(1) else { return nil }
        self.init(id: id, keyID: keyID, sealed: sealed)
    }
}
