// Licensed under the MIT License. See LICENSE.

import Foundation

/// The blind indexes of one transaction. Calls need the indexes of the same few texts again and again, and each takes
/// two hashes, so they are cached together with the keys.
///
/// Not `Sendable` because it belongs to the thread of the transaction, and lives as long as the transaction.
final class TermIndex {
    /// The key of the index, prepared for this transaction.
    private lazy var prepared = index.prepared
    private let index: BlindIndex
    private let known: BlindIndexCache

    init(_ ring: KeyRing) {
        index = ring.index
        known = ring.knownTerms
    }

    func callAsFunction(_ text: String) -> Data {
        if let value = known[text] { return value }
        let value = once(text)
        known.remember(value, of: text)
        return value
    }

    /// The index of a text that is used only once; it is not cached.
    func once(_ text: String) -> Data { prepared(text) }

    /// The primary key of a row (docs/reference/Store.md#row-keys).
    func row(_ identity: RowIdentity) -> Data { rowPrefix(ofAccount: identity.account) + self(identity.text) }

    /// The prefix of the keys of an account's rows. It keeps these rows next to each other in the file. Rows without an
    /// account precede all others.
    func rowPrefix(ofAccount account: String?) -> Data {
        account.map { self($0).prefix(8) } ?? Data(count: 8)
    }

    /// The index of a scope of an account and a client. It has the same prefix as the keys of the account's rows.
    func scope(_ scope: String, account: String, client: String) -> Data {
        rowPrefix(ofAccount: account) + self(BlindIndex.text(of: [account, client, scope]))
    }
}
