// Licensed under the MIT License. See LICENSE.

import MSALBase

/// Whether a client considers an account signed in.
package enum SignInState: String, Sendable, Hashable {
    case unknown
    case signedIn = "signed_in"
    /// The user signed out here. It outlives the account record, which stays for other clients.
    case signedOut = "signed_out"
}

/// The metadata that one client keeps of one account.
package struct AccountMetadata: Sendable, Hashable {
    package var signInState: SignInState
    /// The authority that a request named → the authority that issued the tokens. Keys are `URL.absoluteString`.
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

/// One client's metadata of its accounts: sign-in states, authority maps, the current account.
///
/// There is one record for each account, so that the cost of a sign-in does not grow with the number of accounts. One
/// more record belongs to the client itself and names the current account. If both have an entry for an account, the
/// account's own record is used.
package struct AccountMetadataRecord: Sendable, Hashable {
    /// Trimmed and in lower case.
    package private(set) var clientID: String
    /// The account the record is about, normalised; `nil` in the client's own.
    private(set) var homeAccountID: String?
    /// The account that was last current in single-account use (docs/reference/Protocol.md#current-account).
    var principalHomeAccountID: String?
    var principalUsername: String?
    var principalEnvironment: String?
    /// The metadata of the accounts, by normalised home account id.
    package var accounts: [String: AccountMetadata]
    /// Fields this library does not know, carried along.
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

    mutating func share(_ texts: inout SharedTexts) {
        texts.share(&clientID)
        texts.share(&homeAccountID)
    }

    var identity: RecordIdentity { RecordIdentity(.accountMetadata, parts: [clientID, homeAccountID ?? ""]) }
}
