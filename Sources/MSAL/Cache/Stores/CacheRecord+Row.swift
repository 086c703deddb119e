// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import SealedStore

/// Interprets payloads as records for a store of rows.
struct RecordPayloads: PayloadReader {
    func knows(kind: Int) -> Bool { RecordKind(rawValue: kind) != nil }

    func row(kind: Int, payload: Data) -> PlainRow? {
        RecordKind(rawValue: kind).flatMap { CacheRecord(kind: $0, payload: payload) }?.row
    }

    func extra(payload: Data) -> PlainExtra? { ExtraItem(payload: payload)?.plain }
}

extension CacheRecord {
    /// The record that was stored with this payload; `nil` if the payload is invalid.
    init?(kind: RecordKind, payload: Data) {
        guard let members = RecordMembers(parsing: payload) else { return nil }
        self.init(kind: kind, members)
    }

    /// The record as a row.
    var row: PlainRow {
        let identity = identity
        let keys = keys
        var row = PlainRow(kind: identity.kind.rawValue, identity: identity.row, payload: recordMembers.data)
        row.terms.client = keys.clientID
        row.terms.environment = keys.environment
        row.terms.realm = keys.realm
        row.terms.family = keys.familyID
        // A family's token names the client that saved it last.
        row.replacesClient = identity.kind == .refreshToken
        row.replacesFamily = identity.kind == .appMetadata
        switch self {
        case .accessToken(let token):
            row.terms.scopes = token.target.scopeKeys
            row.expiresOn = token.finalExpiry
            row.cachedAt = token.life.cachedAt
        case .account(let account):
            row.terms.name = account.username?.normalizedKey
        case .refreshToken, .idToken, .appMetadata, .accountMetadata:
            break
        }
        return row
    }
}

extension RecordIdentity {
    /// The identity of the record's row.
    var row: RowIdentity { RowIdentity(text, account: homeAccountID) }
}

extension RecordFilter {
    /// The query for rows that may match.
    var query: RowQuery {
        var query = RowQuery(kind: kind.rawValue)
        query.account = homeAccountID
        query.hasNoAccount = kind == .appMetadata
        query.client = clientID
        query.hasNoClient = kind == .account
        query.realms = realms
        query.family = familyID
        query.name = username
        query.most = most
        switch scopes {
        // One scope is selective enough: tokens of the same account, client, and realm do not share scopes.
        case .containing(let wanted): query.scopes = wanted.min().map { [$0] } ?? []
        case .sharing(let wanted): query.scopes = wanted.sorted()
        case nil: break
        }
        return query
    }
}

extension RefreshTokenOwner {
    /// A query for the rows of the refresh tokens.
    var presence: RowPresence {
        let kind = RecordKind.refreshToken.rawValue
        return switch self {
        case .client(let clientID): RowPresence(kind: kind, owner: .client(clientID.normalizedKey))
        case .family(let familyID): RowPresence(kind: kind, owner: .family(familyID))
        }
    }
}

extension ExtraItem {
    /// Section and name as one text. The separator is a control character, which neither of them contains.
    static func identity(section: String, name: String) -> String { section + "\u{1F}" + name }

    /// The item as the store keeps it: the names are as private as the value.
    var plain: PlainExtra {
        let members: JSONValue = .object(["section": .string(section), "name": .string(name), "value": value])
        return PlainExtra(identity: Self.identity(section: section, name: name), payload: Data(members.text.utf8))
    }

    /// The item that was stored with this payload; `nil` if the payload is invalid.
    init?(payload: Data) {
        guard let members = JSONValue(parsing: payload)?.object, let section = members["section"]?.string,
            let name = members["name"]?.string, let value = members["value"]
        else { return nil }
        self.init(section: section, name: name, value: value)
    }
}
