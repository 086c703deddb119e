// Licensed under the MIT License. See LICENSE.

/// The filters of an account query. Comparisons ignore case. An account must match every filter that is set.
public class MSALAccountEnumerationParameters: MSALParameters {
    /// The home account ID to find.
    public let identifier: String?
    /// The ID in any tenant to find.
    public let tenantProfileIdentifier: String?
    /// The user name to find.
    public let username: String?
    /// Whether to return only accounts with a refresh token of this client or its family; `true` by default.
    ///
    /// `false` also returns the accounts of other clients of the same store.
    public var returnOnlySignedInAccounts = true

    private init(identifier: String?, tenantProfileIdentifier: String?, name: String?) {
        self.identifier = identifier
        self.tenantProfileIdentifier = tenantProfileIdentifier
        username = name
    }

    /// Finds all signed-in accounts.
    public convenience override init() {
        self.init(identifier: nil, tenantProfileIdentifier: nil, name: nil)
    }

    /// Finds the account with this home account ID.
    public convenience init(identifier accountIdentifier: String) {
        self.init(identifier: accountIdentifier, tenantProfileIdentifier: nil, name: nil)
    }

    /// Finds the account with this user name and, if it is not `nil`, this home account ID.
    public convenience init(identifier accountIdentifier: String?, username: String) {
        self.init(identifier: accountIdentifier, tenantProfileIdentifier: nil, name: username)
    }

    /// Finds the account with this ID in any tenant.
    public convenience init(tenantProfileIdentifier: String) {
        self.init(identifier: nil, tenantProfileIdentifier: tenantProfileIdentifier, name: nil)
    }
}
