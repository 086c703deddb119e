// Licensed under the MIT License. See LICENSE.

/// The identifier of an account with its parts.
public final class MSALAccountId: NSObject, NSCopying, Sendable {
    /// The whole identifier, to be compared and stored only.
    public let identifier: String
    /// The user's object id in the home tenant; `nil` if the identifier is not made of two parts.
    public let objectId: String?
    /// The home tenant's id; `nil` if the identifier is not made of two parts.
    public let tenantId: String?

    package init(_ account: AccountReference) {
        identifier = account.homeAccountID ?? ""
        objectId = account.homeObjectID
        tenantId = account.homeTenantID
    }

    /// An empty identifier. Apps take identifiers from accounts.
    public convenience override init() {
        self.init(AccountReference(homeAccountID: nil, username: nil))
    }

    /// Returns this object, which never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? MSALAccountId)?.identifier == identifier
    }

    public override var hash: Int { identifier.hashValue }
}
