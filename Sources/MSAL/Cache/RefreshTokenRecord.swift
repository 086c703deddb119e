// Licensed under the MIT License. See LICENSE.

package import MSALBase

/// A refresh token of a client, or of a family of clients if `familyID` is set.
package struct RefreshTokenRecord: Sendable, Hashable {
    /// Account and environment are trimmed and lowercased.
    package private(set) var homeAccountID: String
    private(set) var environment: String
    /// As spelled when it was stored; compared case-insensitively. On a family record, the client that saved it last.
    package var clientID: String
    package var secret: Secret
    /// The family whose members share this token; never empty, compared exactly.
    let familyID: String?
    var lastModified: Date?
    /// Fields that this library does not know, preserved.
    var additional: [String: JSONValue] = [:]

    package init(
        homeAccountID: String,
        environment: String,
        clientID: String,
        secret: Secret,
        familyID: String? = nil,
        lastModified: Date? = nil
    ) {
        self.homeAccountID = homeAccountID.normalizedKey
        self.environment = environment.normalizedKey
        self.clientID = clientID.trimmed
        self.secret = secret
        self.familyID = familyID?.isEmpty == true ? nil : familyID
        self.lastModified = lastModified
    }

    mutating func share(_ texts: inout StringInterner) {
        texts.share(&homeAccountID)
        texts.share(&environment)
        texts.share(&clientID)
    }

    var identity: RecordIdentity {
        RecordIdentity(
            .refreshToken,
            parts: [homeAccountID, environment, familyID == nil ? clientID.normalizedKey : "", familyID ?? ""]
        )
    }
}

/// The owner of refresh tokens.
package enum RefreshTokenOwner: Sendable, Hashable {
    /// The client's own tokens, which belong to no family; compared case-insensitively.
    case client(String)
    /// A family of apps: any of its clients may have stored the token. Families are compared exactly.
    case family(String)
}

extension RefreshTokenOwner {
    /// Whether this is one of the owner's refresh tokens.
    func owns(_ token: RefreshTokenRecord) -> Bool {
        switch self {
        case .client(let clientID): token.familyID == nil && token.clientID.normalizedKey == clientID.normalizedKey
        case .family(let familyID): token.familyID == familyID
        }
    }
}
