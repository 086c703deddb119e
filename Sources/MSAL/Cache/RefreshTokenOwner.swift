// Licensed under the MIT License. See LICENSE.

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
