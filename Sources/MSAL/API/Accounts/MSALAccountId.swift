// Licensed under the MIT License. See LICENSE.

import MSALCore

/// The identifier of an account with its parts.
public final class MSALAccountId: NSObject, NSCopying, Sendable {
    /// The whole identifier. Compare it and store it, and do not take it apart.
    public let identifier: String
    /// The user's object id in the home tenant; `nil` if the identifier is not made of two parts.
    public let objectId: String?
    /// The home tenant's id; `nil` if the identifier is not made of two parts.
    public let tenantId: String?

    /// The identifier is in lower case; its parts are as the service writes them, where that is known.
    package init(_ account: AccountSnapshot) {
        identifier = account.homeAccountID
        var parts = account.reference
        if let written = account.clientInfo.flatMap(ClientInfo.init(raw:)), written.homeAccountID == identifier {
            parts.homeAccountID = "\(written.uid).\(written.utid)"
        }
        objectId = parts.homeObjectID
        tenantId = parts.homeTenantID
    }

    /// An empty identifier. Apps take identifiers from accounts.
    public override init() {
        identifier = ""
        objectId = nil
        tenantId = nil
    }

    /// Returns this object, which never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? MSALAccountId)?.identifier == identifier
    }

    public override var hash: Int { identifier.hashValue }
}
