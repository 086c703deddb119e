// Licensed under the MIT License. See LICENSE.

package import MSALBase

/// The ID token of an account in one tenant, as one client received it.
package struct IDTokenRecord: Sendable, Hashable {
    /// Account, environment, and realm are trimmed and lowercased.
    private(set) var homeAccountID: String
    private(set) var environment: String
    /// The client ID as it was spelled when it was stored; compared case-insensitively.
    var clientID: String
    private(set) var realm: String
    package var secret: Secret
    var lastModified: Date?
    /// Fields that this library does not know, preserved.
    var additional: [String: JSONValue] = [:]

    package init(
        homeAccountID: String,
        environment: String,
        clientID: String,
        realm: String,
        secret: Secret,
        lastModified: Date? = nil
    ) {
        self.homeAccountID = homeAccountID.normalizedKey
        self.environment = environment.normalizedKey
        self.clientID = clientID.trimmed
        self.realm = realm.normalizedKey
        self.secret = secret
        self.lastModified = lastModified
    }

    mutating func share(_ texts: inout StringInterner) {
        texts.share(&homeAccountID)
        texts.share(&environment)
        texts.share(&clientID)
        texts.share(&realm)
    }

    var identity: RecordIdentity {
        RecordIdentity(.idToken, parts: [homeAccountID, environment, clientID.normalizedKey, realm])
    }
}
