// Licensed under the MIT License. See LICENSE.

import MSALBase

/// Whether a client belongs to a family. The record survives sign-out.
package struct AppMetadataRecord: Sendable, Hashable {
    /// The client ID as it was spelled when it was stored; compared case-insensitively.
    private(set) var clientID: String
    /// Trimmed and lowercased.
    private(set) var environment: String
    /// The family; `nil` or empty if the client is known not to be in one.
    var familyID: String?
    /// Fields that this library does not know, preserved.
    var additional: [String: JSONValue] = [:]

    init(clientID: String, environment: String, familyID: String?) {
        self.clientID = clientID.trimmed
        self.environment = environment.normalizedKey
        self.familyID = familyID
    }

    mutating func share(_ texts: inout StringInterner) {
        texts.share(&clientID)
        texts.share(&environment)
    }

    var identity: RecordIdentity { RecordIdentity(.appMetadata, parts: [clientID.normalizedKey, environment]) }
}
