// Licensed under the MIT License. See LICENSE.

import MSALBase

/// Whether a client belongs to a family. Survives sign-out.
package struct AppMetadataRecord: Sendable, Hashable {
    /// The client id as it was spelled when it was stored. It is compared without case.
    private(set) var clientID: String
    /// Trimmed and in lower case.
    private(set) var environment: String
    /// The family; `nil` or empty if the client is known to be in none.
    var familyID: String?
    /// Fields this library does not know, carried along.
    var additional: [String: JSONValue] = [:]

    init(clientID: String, environment: String, familyID: String?) {
        self.clientID = clientID.trimmed
        self.environment = environment.normalizedKey
        self.familyID = familyID
    }

    mutating func share(_ texts: inout SharedTexts) {
        texts.share(&clientID)
        texts.share(&environment)
    }

    var identity: RecordIdentity { RecordIdentity(.appMetadata, parts: [clientID.normalizedKey, environment]) }
}
