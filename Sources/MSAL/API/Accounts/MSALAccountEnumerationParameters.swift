// Licensed under the MIT License. See LICENSE.

/// The filters of an account query. They compare without case. An account must match every filter that is set.
public class MSALAccountEnumerationParameters: MSALParameters {
    /// The home account id wanted.
    public let identifier: String?
    /// The id in some tenant wanted.
    public let tenantProfileIdentifier: String?
    /// The user name wanted.
    public let username: String?
    /// Whether only accounts with a refresh token of this client or its family count; `true` by default.
    ///
    /// `false` shows the accounts of other clients of the same store too.
    public var returnOnlySignedInAccounts = true

    private init(identifier: String?, tenantProfileIdentifier: String?, name: String?) {
        self.identifier = identifier
        self.tenantProfileIdentifier = tenantProfileIdentifier
        username = name
    }

    /// All accounts that are signed in.
    public convenience override init() {
        self.init(identifier: nil, tenantProfileIdentifier: nil, name: nil)
    }

    /// The account with this home account id.
    public convenience init(identifier accountIdentifier: String) {
        self.init(identifier: accountIdentifier, tenantProfileIdentifier: nil, name: nil)
    }

    /// The account with this user name and, where given, this home account id.
    public convenience init(identifier accountIdentifier: String?, username: String) {
        self.init(identifier: accountIdentifier, tenantProfileIdentifier: nil, name: username)
    }

    /// The account that some tenant knows by this id.
    public convenience init(tenantProfileIdentifier: String) {
        self.init(identifier: nil, tenantProfileIdentifier: tenantProfileIdentifier, name: nil)
    }
}
