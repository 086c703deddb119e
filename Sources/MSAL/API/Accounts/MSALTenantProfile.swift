// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

/// An account as one tenant knows it. It never changes.
public final class MSALTenantProfile: NSObject, NSCopying, Sendable {
    let snapshot: TenantProfileSnapshot?

    package init(_ snapshot: TenantProfileSnapshot) {
        self.snapshot = snapshot
    }

    /// An empty profile. Apps take profiles from accounts and results.
    public override init() {
        snapshot = nil
    }

    /// The user's id in that tenant.
    public var identifier: String? { snapshot?.identifier }
    /// The host of the cloud.
    public var environment: String? { snapshot?.environment }
    /// The tenant's id.
    public var tenantId: String? { snapshot?.tenantID }
    /// Whether this is the tenant that the account lives in.
    public var isHomeTenantProfile: Bool { snapshot?.isHome ?? false }
    /// The claims of the id token of that tenant; `nil` if there is none of this client.
    public var claims: [String: Any]? { snapshot?.claims?.all.mapValues(\.foundationObject) }

    /// Returns this object, which never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}
