// Licensed under the MIT License. See LICENSE.

import Foundation

/// The blind indexes of one transaction. Calls ask for those of the same few texts again and again, and each takes two
/// hashes. So they are remembered beside the keys.
///
/// It is not `Sendable`, because it belongs to the thread of the transaction, and lives as long as the transaction.
final class TermIndex {
    /// The key of the index, prepared for this transaction alone.
    private lazy var prepared = index.prepared
    private let index: BlindIndex
    private let known: KnownTerms

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

    /// The index of a text that is used once. It is not remembered.
    func once(_ text: String) -> Data { prepared(text) }

    /// The primary key of a row (docs/reference/Store.md#row-keys).
    func row(_ identity: RowIdentity) -> Data { rowPrefix(ofAccount: identity.account) + self(identity.text) }

    /// The beginning of the keys of an account's rows. It keeps these rows beside each other in the file. Those of no
    /// account lie before all others.
    func rowPrefix(ofAccount account: String?) -> Data {
        account.map { self($0).prefix(8) } ?? Data(count: 8)
    }

    /// The index of a scope of an account and a client. It begins like the keys of the account's rows.
    func scope(_ scope: String, account: String, client: String) -> Data {
        rowPrefix(ofAccount: account) + self(BlindIndex.text(of: [account, client, scope]))
    }
}
