// Licensed under the MIT License. See LICENSE.

import MSALBase

/// A user as known in one tenant. Shared by all clients of the group.
package struct AccountRecord: Sendable, Hashable {
    /// Account, environment, and realm are trimmed and lowercased.
    private(set) var homeAccountID: String
    private(set) var environment: String
    private(set) var realm: String
    /// The home account ID as received, with its original case; for display.
    private(set) var originalHomeAccountID: String
    /// The object ID in this tenant.
    package var localAccountID: String?
    package var username: String?
    /// `MSSTS`, `AAD`, `MSA`, `ADFS` or `Other`.
    var authorityType = "MSSTS"
    package var name: String?
    var givenName: String?
    var middleName: String?
    var familyName: String?
    /// `client_info` as received, base64url.
    var clientInfo: String?
    var lastModified: Date?
    /// Fields that this library does not know, preserved.
    var additional: [String: JSONValue] = [:]

    package init(
        homeAccountID: String,
        environment: String,
        realm: String,
        localAccountID: String? = nil,
        username: String? = nil,
        name: String? = nil,
        clientInfo: String? = nil
    ) {
        self.homeAccountID = homeAccountID.normalizedKey
        self.environment = environment.normalizedKey
        self.realm = realm.normalizedKey
        originalHomeAccountID = homeAccountID.trimmed
        self.localAccountID = localAccountID
        self.username = username
        self.name = name
        self.clientInfo = clientInfo
    }

    mutating func share(_ texts: inout StringInterner) {
        texts.share(&homeAccountID)
        texts.share(&environment)
        texts.share(&realm)
        texts.share(&originalHomeAccountID)
    }

    var identity: RecordIdentity { RecordIdentity(.account, parts: [homeAccountID, environment, realm]) }

    /// Whether this record is for the account's home tenant.
    var isHomeTenant: Bool {
        let parts = homeAccountID.parts(at: UInt8(ascii: "."))
        return parts.count == 2 && String(parts[1]) == realm
    }

    /// This record, with the user's fields that are set in `known`.
    func keepingUser(of known: AccountRecord) -> AccountRecord {
        var copy = self
        copy.localAccountID = known.localAccountID ?? localAccountID
        copy.username = known.username.flatMap { $0.isEmpty ? nil : $0 } ?? username
        copy.name = known.name ?? name
        copy.givenName = known.givenName ?? givenName
        copy.middleName = known.middleName ?? middleName
        copy.familyName = known.familyName ?? familyName
        return copy
    }

    /// This record, with missing fields from `older`.
    func merged(over older: AccountRecord) -> AccountRecord {
        var copy = self
        copy.localAccountID = localAccountID ?? older.localAccountID
        copy.username = username ?? older.username
        copy.name = name ?? older.name
        copy.givenName = givenName ?? older.givenName
        copy.middleName = middleName ?? older.middleName
        copy.familyName = familyName ?? older.familyName
        copy.clientInfo = clientInfo ?? older.clientInfo
        copy.additional = additional.merging(older.additional) { own, _ in own }
        return copy
    }
}
