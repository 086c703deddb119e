// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

/// An account that signed in with this library. It is immutable; apps get it from results and queries.
///
/// Two accounts are equal if their identifiers are equal or, if one has none, if their user names are equal, ignoring
/// case.
public final class MSALAccount: NSObject, MSALAccountProtocol, NSCopying, Sendable {
    package let snapshot: AccountSnapshot
    private let hasProfiles: Bool

    /// `hasProfiles` is `true` for the account of a query: only queries provide the tenant profiles.
    package init(_ snapshot: AccountSnapshot, hasProfiles: Bool) {
        self.snapshot = snapshot
        self.hasProfiles = hasProfiles
    }

    /// The display name, usually the user principal name.
    public var username: String? { snapshot.username.isEmpty ? nil : snapshot.username }

    /// The home account ID, `<object ID>.<tenant ID>` in lowercase; store it to find the account again.
    public var identifier: String? { snapshot.homeAccountID.isEmpty ? nil : snapshot.homeAccountID }

    /// The host of the cloud.
    public var environment: String { snapshot.environment }

    /// The claims of the home tenant's ID token; `nil` if this client has none.
    public var accountClaims: [String: Any]? { snapshot.claims?.all.mapValues(\.foundationObject) }

    /// The account's profile in each tenant; `nil` in a token result.
    public var tenantProfiles: [MSALTenantProfile]? {
        hasProfiles ? snapshot.tenantProfiles.map(MSALTenantProfile.init) : nil
    }

    /// The home account ID with its parts.
    public var homeAccountId: MSALAccountId? { identifier == nil ? nil : MSALAccountId(snapshot) }

    /// Whether the identity broker of this machine has the account: its tokens come from the device's sign-in.
    ///
    /// Queries such as `allAccounts()` do not call the broker. They return the state of the last token that this client
    /// got for the account.
    public var isSSOAccount: Bool { snapshot.isBrokers }

    /// Returns this object, which is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? MSALAccount else { return false }
        if let identifier, let theirs = other.identifier { return identifier == theirs }
        guard let username, let theirs = other.username else { return self === other }
        return username.lowercased() == theirs.lowercased()
    }

    // Accounts with and without an identifier may be equal by name, so the name alone could serve as the hash; but
    // equal identifiers may have different names. Only a constant satisfies both rules.
    public override var hash: Int { 0 }

    /// Contains the identifier, never the user name.
    public override var description: String { "MSALAccount(\(identifier ?? "no identifier"))" }
}
