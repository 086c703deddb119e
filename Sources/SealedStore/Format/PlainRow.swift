// Licensed under the MIT License. See LICENSE.

package import Foundation

/// A row before it is sealed: its payload and its index terms.
package struct PlainRow: Sendable {
    /// A number that means something to the owner of the rows alone.
    package let kind: Int
    /// A row with the same identity takes the place of an older one.
    package let identity: RowIdentity
    package let payload: Data
    package var terms = IndexTerms()
    /// Whether a row that takes the place of an older one may have another client term; else the old one stays.
    package var replacesClient = false
    /// Whether a row that takes the place of an older one may have another family term; else the old one stays.
    package var replacesFamily = false
    /// The time after which the row is useless; `nil` for a row that no sweep deletes. Rows that have scopes have an
    /// expiry.
    package var expiresOn: Date?
    package var cachedAt: Date?

    package init(kind: Int, identity: RowIdentity, payload: Data) {
        self.kind = kind
        self.identity = identity
        self.payload = payload
    }
}

/// The identity of a row.
package struct RowIdentity: Sendable {
    /// A text that no other row has.
    package let text: String
    /// The account of the row, which is an index term too; `nil` for a row of no account.
    package let account: String?

    package init(_ text: String, account: String?) {
        self.text = text
        self.account = account
    }
}

/// The index terms of a row, named like the columns that hold their blind indexes. A store compares them and knows
/// nothing of their meaning. The account is part of ``RowIdentity``.
package struct IndexTerms: Sendable {
    package var client: String?
    package var environment: String?
    package var realm: String?
    package var family: String?
    /// A name under which rows are looked for, whatever their account. A row that takes the place of an older one may
    /// have another.
    package var name: String?
    /// Found together with the account and the client, and with the realm. Never changed by a row that takes the place
    /// of an older one.
    package var scopes: Set<String> = []

    package init() {}
}

/// An item that no query looks for, before it is sealed.
package struct PlainExtra: Sendable {
    /// A text that no other item has.
    package let identity: String
    package let payload: Data

    package init(identity: String, payload: Data) {
        self.identity = identity
        self.payload = payload
    }
}

/// A note about work under way. It is advisory, and its holder is not sealed.
package struct LeaseNote: Sendable {
    package let holder: String
    /// Whole seconds.
    package let until: Date

    package init(holder: String, until: Date) {
        self.holder = holder
        self.until = until
    }
}

/// The owner's knowledge of the payloads, which the store needs.
package protocol PayloadReader: Sendable {
    /// Whether rows of this kind have a meaning.
    func knows(kind: Int) -> Bool

    /// The row that was stored with this payload; `nil` if the payload makes no sense.
    func row(kind: Int, payload: Data) -> PlainRow?

    /// The item that was stored with this payload; `nil` if the payload makes no sense.
    func extra(payload: Data) -> PlainExtra?
}
