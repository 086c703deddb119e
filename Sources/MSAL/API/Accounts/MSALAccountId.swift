// Licensed under the MIT License. See LICENSE.

import MSALCore

/// The identifier of an account with its parts.
public final class MSALAccountId: NSObject, NSCopying, Sendable {
    /// The whole identifier. Compare and store it, but do not parse it.
    public let identifier: String
    /// The user's object ID in the home tenant; `nil` if the identifier does not have two parts.
    public let objectId: String?
    /// The home tenant's ID; `nil` if the identifier does not have two parts.
    public let tenantId: String?

    /// The identifier is in lowercase; its parts have the service's spelling, if it is known.
    package init(_ account: AccountSnapshot) {
        identifier = account.homeAccountID
        var parts = account.reference
        if let written = account.clientInfo.flatMap(ClientInfo.init(raw:)), written.homeAccountID == identifier {
            parts.homeAccountID = "\(written.uid).\(written.utid)"
        }
        objectId = parts.homeObjectID
        tenantId = parts.homeTenantID
    }

    /// Creates an empty identifier. Apps get identifiers from accounts.
    public override init() {
        identifier = ""
        objectId = nil
        tenantId = nil
    }

    /// Returns this object, which is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? MSALAccountId)?.identifier == identifier
    }

    public override var hash: Int { identifier.hashValue }
}
