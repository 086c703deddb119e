// Licensed under the MIT License. See LICENSE.

import MSALBase

/// Whether a client considers an account signed in.
package enum SignInState: String, Sendable, Hashable {
    case unknown
    case signedIn = "signed_in"
    /// The user signed out here. The state outlives the account record, which stays for other clients.
    case signedOut = "signed_out"
}

/// The metadata that one client keeps about one account.
package struct AccountMetadata: Sendable, Hashable {
    package var signInState: SignInState
    /// Maps the authority of a request to the authority that issued the tokens. Keys are `URL.absoluteString`.
    package var authorityMap: [String: URL]
    /// The authorities for instance-aware requests, in the same form.
    var instanceAwareAuthorityMap: [String: URL]

    package init(
        signInState: SignInState = .unknown,
        authorityMap: [String: URL] = [:],
        instanceAwareAuthorityMap: [String: URL] = [:]
    ) {
        self.signInState = signInState
        self.authorityMap = authorityMap
        self.instanceAwareAuthorityMap = instanceAwareAuthorityMap
    }
}

/// One client's metadata about its accounts: sign-in states, authority maps, and the current account.
///
/// There is one record for each account, so that the cost of a sign-in does not grow with the number of accounts. An
/// additional record belongs to the client itself and names the current account. If both have an entry for an account,
/// the account's own record is used.
package struct AccountMetadataRecord: Sendable, Hashable {
    /// Trimmed and lowercased.
    package private(set) var clientID: String
    /// The normalized account that the record concerns; `nil` in the client's own record.
    private(set) var homeAccountID: String?
    /// The account that was last current in single-account use (docs/reference/Protocol.md#current-account).
    var principalHomeAccountID: String?
    var principalUsername: String?
    var principalEnvironment: String?
    /// The metadata of the accounts, by normalized home account ID.
    package var accounts: [String: AccountMetadata]
    /// Fields that this library does not know, preserved.
    var additional: [String: JSONValue] = [:]

    package init(
        clientID: String,
        homeAccountID: String? = nil,
        principalHomeAccountID: String? = nil,
        principalUsername: String? = nil,
        principalEnvironment: String? = nil,
        accounts: [String: AccountMetadata] = [:]
    ) {
        self.clientID = clientID.normalizedKey
        self.homeAccountID = homeAccountID?.normalizedKey
        self.principalHomeAccountID = principalHomeAccountID
        self.principalUsername = principalUsername
        self.principalEnvironment = principalEnvironment
        self.accounts = accounts
    }

    mutating func share(_ texts: inout StringInterner) {
        texts.share(&clientID)
        texts.share(&homeAccountID)
    }

    var identity: RecordIdentity { RecordIdentity(.accountMetadata, parts: [clientID, homeAccountID ?? ""]) }
}
