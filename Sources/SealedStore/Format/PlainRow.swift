// Licensed under the MIT License. See LICENSE.

package import Foundation

/// A row before sealing: its payload and its index terms.
package struct PlainRow: Sendable {
    /// A number whose meaning only the owner of the rows knows.
    package let kind: Int
    /// A row replaces an older one with the same identity.
    package let identity: RowIdentity
    package let payload: Data
    package var terms = IndexTerms()
    /// Whether a row that replaces an older one may have another client term; otherwise the old term stays.
    package var replacesClient = false
    /// Whether a row that replaces an older one may have another family term; otherwise the old term stays.
    package var replacesFamily = false
    /// The time after which the row is useless; `nil` for a row that the sweep of expired rows keeps. Rows with scopes
    /// have an expiry.
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
    /// A text that is unique to the row.
    package let text: String
    /// The account of the row, which is also an index term; `nil` for a row without an account.
    package let account: String?

    package init(_ text: String, account: String?) {
        self.text = text
        self.account = account
    }
}

/// The index terms of a row, named like the columns of their blind indexes. A store compares them without knowing their
/// meaning. The account is part of ``RowIdentity``.
package struct IndexTerms: Sendable {
    package var client: String?
    package var environment: String?
    package var realm: String?
    package var family: String?
    /// A name to look up rows by, regardless of their account. A row that replaces an older one may have another name.
    package var name: String?
    /// Looked up together with the account, the client, and the realm. A row that replaces an older one cannot change
    /// them.
    package var scopes: Set<String> = []

    package init() {}
}

/// An item that is not indexed, before sealing.
package struct PlainExtra: Sendable {
    /// A text that is unique to the item.
    package let identity: String
    package let payload: Data

    package init(identity: String, payload: Data) {
        self.identity = identity
        self.payload = payload
    }
}

/// A note that work is in progress. It is advisory, and its holder is not sealed.
package struct LeaseNote: Sendable {
    package let holder: String
    /// Whole seconds.
    package let until: Date

    package init(holder: String, until: Date) {
        self.holder = holder
        self.until = until
    }
}

/// What a store needs to know about the payloads, provided by their owner.
package protocol PayloadReader: Sendable {
    /// Whether rows of this kind are defined.
    func knows(kind: Int) -> Bool

    /// The row that was stored with this payload; `nil` if the payload is invalid.
    func row(kind: Int, payload: Data) -> PlainRow?

    /// The item that was stored with this payload; `nil` if the payload is invalid.
    func extra(payload: Data) -> PlainExtra?
}
