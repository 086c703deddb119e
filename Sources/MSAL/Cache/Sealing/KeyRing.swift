// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALSupport
import Synchronization

/// The keys of one store as they were at one moment: a value that is replaced as a whole.
///
/// Rows are sealed with data keys that come and go. The blind indexes have a key of their own, random like the data
/// keys and wrapped beside them, that stays for the store's life: were it derived from the data key, every rotation
/// would have to rewrite all indexes at once, or look up each text under two of them. Keeping it is sound, since
/// what wears a key out is the number of values closed under random nonces, and HMAC has none.
struct KeyRing: Sendable {
    /// The store's own random identifier.
    let store: String
    let provider: KeyProviderKind
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
    /// Tells whether the file has these keys and no others; none in a store without encryption.
    let mac: StoreMAC?
    private var indexID: String?
    let health: Health

    /// The keys of a store, opened.
    ///
    /// `key`: The store's key-encryption key, by which `stored` was vouched for; `nil` without encryption.
    ///
    /// - Throws: `.keyUnavailable` only if no memory is left.
    init(_ stored: StoredKeys, _ key: WrappingKey?) throws(StoreError) {
        self.init(stored, mac: key?.mac, health: Health())
        guard let key else { return }
        for row in stored.rows where row.wrappedBy == key.id {
            if let root = key.unwrap(row.wrapped, id: row.id) { try add(row, root) }
        }
    }

    /// Every key that opens, to read with and for nothing else: nothing vouches for what the rows say the keys are for.
    /// A guess does no harm: what opens is right.
    ///
    /// `names`: Names that rows were closed under; one may belong to a key that lost its own.
    init(reading stored: StoredKeys, _ key: WrappingKey, alsoNamed names: [String]) throws(StoreError) {
        self.init(stored, mac: nil, health: Health())
        let nameless = names.filter { name in !stored.rows.contains { $0.id == name } }
        for row in stored.rows {
            for id in [row.id] + nameless {
                guard let root = key.unwrap(row.wrapped, id: id) else { continue }
                let found = StoredKeys.Row(
                    id: id,
                    wrappedBy: key.id,
                    wrapped: row.wrapped,
                    state: .active,
                    created: row.created,
                    since: row.since
                )
                try add(found, root)
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
    private mutating func add(_ row: StoredKeys.Row, _ root: KeyMaterial) throws(StoreError) {
        switch row.state {
        case .index:
            guard let key = root.subkey(.index) else { throw WrappingKey.outOfMemory }
            index = .keyed(key)
            indexID = row.id
        case .active, .retiring:
            guard let key = SealingKey(id: row.id, root: root, purpose: .seal) else { throw WrappingKey.outOfMemory }
            place(key, row)
        case nil:
            break
        }
    }

    /// The ring for a later state of the same store; `nil` if that has keys which this one lacks, or if it has another
    /// key-encryption key, without which nobody knows whether the rest is to be believed.
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
                ring.place(key, row)
            }
        }
        return ring.isComplete ? ring : nil
    }

    private mutating func place(_ key: SealingKey, _ row: StoredKeys.Row) {
        keys[row.id] = key
        if row.state == .active {
            active = key
            activeRow = row
        } else {
            retiring.insert(row.id)
        }
    }

    /// What became of opening a row.
    enum Opened {
        case plain(Data)
        /// Damaged, moved, or closed by a key that is not among the store's.
        case unreadable
    }

    func seal(
        _ plain: Data,
        _ table: SealContext.Table,
        row: Data,
        kind: Int = 0
    ) throws(StoreError) -> (keyID: String?, sealed: Data) {
        guard let active else { return (nil, plain) }
        return (active.id, try active.seal(plain, context(table, row, kind, active.id)))
    }

    func open(_ sealed: Data, keyID: String?, _ table: SealContext.Table, row: Data, kind: Int = 0) -> Opened {
        // A plain row in an encrypted store was put there by somebody else.
        guard (keyID == nil) == (active == nil) else { return .unreadable }
        guard let keyID else { return .plain(sealed) }
        guard let plain = keys[keyID]?.open(sealed, context(table, row, kind, keyID)) else { return .unreadable }
        health.noteReadable()
        return .plain(plain)
    }

    private func context(_ table: SealContext.Table, _ row: Data, _ kind: Int, _ keyID: String) -> SealContext {
        SealContext(store: store, table: table, row: row, kind: kind, keyID: keyID)
    }
}

extension KeyRing {
    /// What has been seen of the rows since the store was opened, for the two verdicts of
    /// docs/reference/Store.md#unreadable-rows: one row is damaged, or the key is wrong.
    final class Health: Sendable {
        private let hasReadable = Atomic(false)
        private let hasReported = Atomic(false)

        /// Whether any row could be opened: the key is right then, whatever the others look like.
        var isKeyProven: Bool { hasReadable.load(ordering: .relaxed) }

        func noteReadable() {
            if !isKeyProven { hasReadable.store(true, ordering: .relaxed) }
        }

        /// Says once that rows cannot be read.
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
