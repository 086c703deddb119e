// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

/// An account's profile in one tenant. It is immutable.
public final class MSALTenantProfile: NSObject, NSCopying, Sendable {
    let snapshot: TenantProfileSnapshot?

    package init(_ snapshot: TenantProfileSnapshot) { self.snapshot = snapshot }

    /// Creates an empty profile. Apps get profiles from accounts and results.
    public override init() { snapshot = nil }

    /// The user's ID in that tenant.
    public var identifier: String? { snapshot?.identifier }
    /// The host of the cloud.
    public var environment: String? { snapshot?.environment }
    /// The tenant's ID.
    public var tenantId: String? { snapshot?.tenantID }
    /// Whether this is the account's home tenant.
    public var isHomeTenantProfile: Bool { snapshot?.isHome ?? false }
    /// The claims of that tenant's ID token; `nil` if this client has none.
    public var claims: [String: Any]? { snapshot?.claims?.all.mapValues(\.foundationObject) }

    /// Returns this object, which is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}
